//! From a declaration to an [`OpDef`], or to errors at the tokens at fault.

use oplock_core::declare::{Removable, check_attr_absent, check_operand_absent};
use oplock_core::{
    ArgDef, AttrDef, AttrType, COMMON, Condition, Deprecated, Kind, OpDef, Part, ScalarType, Set, Str, Value,
    check_item_name, check_op_name, did_you_mean, nearest,
};
use proc_macro2::Span;
use syn::spanned::Spanned as _;
use syn::{LitStr, Type};

use crate::ctxt::Ctxt;
use crate::element;
use crate::history::{self, HistoryPlaces};
use crate::parse::{
    CommonArgument, Declaration, Field, FieldShape, Header, Item, Literal, Mark, Mode, attr_type, generic, helper,
    is_common_name, shape, source,
};
use crate::tokens::unwrap_groups;

/// A declaration that was understood: the signature, and where each part of it stands.
pub(crate) struct Signature {
    pub(crate) def: OpDef,
    pub(crate) name_span: Span,
    pub(crate) cfg_span: Option<Span>,
    pub(crate) experimental_span: Option<Span>,
    pub(crate) history: HistoryPlaces,
    pub(crate) places: Vec<Place>,
    /// Where each type variable is declared.
    pub(crate) types: Vec<(String, Span)>,
    pub(crate) flags: Vec<(&'static str, Span)>,
    /// What each field of the struct is, in the order of the struct.
    pub(crate) roles: Vec<Role>,
}

/// Where an item stands.
pub(crate) struct Place {
    pub(crate) kind: Kind,
    pub(crate) name: String,
    /// Its name: the literal, or else the field.
    pub(crate) span: Span,
    pub(crate) marks: Vec<(Mark, Span)>,
    pub(crate) ty: Option<Span>,
    pub(crate) default: Option<Span>,
    pub(crate) min: Option<Span>,
    pub(crate) values: Option<Span>,
    /// The element type of an operand, and the attribute that counts its variables.
    pub(crate) of: [Option<Span>; 2],
    pub(crate) history: HistoryPlaces,
    pub(crate) docs: String,
}

/// What a field is.
#[derive(Clone, Copy)]
pub(crate) enum Role {
    /// The operand of that index, inputs first; whether its type is named `Var`, and whether it may be left out.
    Arg {
        index: usize,
        is_var: bool,
        required: bool,
    },
    /// The attribute of that index; whether its type may be the author's own, and whether it must be given.
    Attr {
        index: usize,
        custom: bool,
        required: bool,
    },
    Skip,
}

/// Judges what all operators have in common by itself; nothing where nothing is said of it.
pub(crate) fn common(cx: &Ctxt, argument: Option<&CommonArgument>) -> Signature {
    let none = || Declaration {
        header: Header::default(),
        fields: Vec::new(),
        item: syn::parse_quote!(
            struct Common;
        ),
    };
    let mut signature = match argument {
        Some(argument) => signature(cx, &argument.declaration),
        None => signature(cx, &none()),
    };
    signature.def.name = COMMON.into();
    signature.name_span = argument.map_or_else(Span::call_site, |argument| argument.span);
    signature
}

/// Judges a declaration by itself.
pub(crate) fn signature(cx: &Ctxt, declaration: &Declaration) -> Signature {
    let header = &declaration.header;
    let (name, name_span) = op_name(cx, header);
    let mut builder = Builder {
        cx,
        declaration,
        rename: rename_rule(cx, header),
        names: Set::new(),
        signature: Signature {
            def: OpDef::new(name.unwrap_or_default()),
            name_span,
            cfg_span: header.cfg.as_ref().map(|(_, span)| *span),
            experimental_span: header.experimental,
            history: HistoryPlaces::default(),
            places: Vec::new(),
            types: Vec::new(),
            flags: header.flags.clone(),
            roles: Vec::new(),
        },
    };
    builder.signature.def.experimental = header.experimental.is_some();
    builder.signature.def.cfg = condition(cx, header).map(|condition| condition.to_string().into());
    builder.signature.history = history::of_operator(cx, header, &mut builder.signature.def);
    for operand in &header.operands {
        let (name, span) = match &operand.item.name {
            Some(lit) => (lit.value(), lit.span()),
            None if operand.is_ident => (builder.rename.apply(&operand.name), operand.span),
            None => (operand.name.clone(), operand.span),
        };
        builder.arg(&name, span, &operand.item, None);
    }
    // Inputs are counted first, wherever their fields stand.
    let mut slots: Vec<Option<Role>> = declaration.fields.iter().map(|_| None).collect();
    for kind in [Kind::Input, Kind::Output, Kind::Attr] {
        for (field, slot) in declaration.fields.iter().zip(&mut slots) {
            if let Some(Mode::Item(item)) = &field.mode
                && item.kind == kind
            {
                *slot = builder.field(field, item, header.lists_operands());
            }
        }
    }
    for (name, _) in &header.flags {
        builder.signature.def.flags.get_mut(name).into_iter().for_each(|flag| *flag = true);
    }
    element::resolve(cx, declaration, &mut builder.signature);
    let places = builder.signature.places.iter();
    let items = places.map(|place| (place.kind, place.name.as_str(), place.history.aliases.as_slice()));
    history::ambiguous(cx, &builder.names, items);
    builder.signature.roles = slots.into_iter().map(|slot| slot.unwrap_or(Role::Skip)).collect();
    builder.signature
}

fn op_name(cx: &Ctxt, header: &Header) -> (Option<String>, Span) {
    let Some(lit) = &header.name else { return (None, Span::call_site()) };
    let name = lit.value();
    if let Err(error) = check_op_name(&name) {
        cx.error(lit.span(), error);
        return (None, lit.span());
    }
    (Some(name), lit.span())
}

fn condition(cx: &Ctxt, header: &Header) -> Option<Condition> {
    let (tokens, span) = header.cfg.as_ref()?;
    match Condition::parse(&tokens.to_string()) {
        Ok(condition) => Some(condition),
        Err(error) => {
            let span = if tokens.is_empty() { *span } else { tokens.span() };
            cx.error(span, format!("{error}; a condition is written as in `#[cfg(…)]`"));
            None
        }
    }
}

struct Builder<'a> {
    cx: &'a Ctxt,
    declaration: &'a Declaration,
    rename: Rename,
    /// In order, so that what a declaration costs is the same each time.
    names: Set<(Kind, String)>,
    signature: Signature,
}

impl Builder<'_> {
    fn field(&mut self, field: &Field, item: &Item, in_header: bool) -> Option<Role> {
        let (name, span) = self.name(field, item)?;
        if item.kind == Kind::Attr {
            return self.attr(&name, span, item, field);
        }
        if in_header {
            self.cx.error(
                field.span,
                "the operands of an operator are declared in one place: as fields, or in the header with `inputs(…)` and `outputs(…)`",
            );
            return None;
        }
        Some(self.arg(&name, span, item, Some(field)))
    }

    /// The saved name of a field, and where it is said.
    fn name(&self, field: &Field, item: &Item) -> Option<(String, Span)> {
        if let Some(lit) = &item.name {
            return Some((lit.value(), lit.span()));
        }
        let Some(ident) = field.ident() else {
            let helper = helper(item.kind);
            let helper = helper.trim_end_matches(']');
            self.cx.error(
                field.span,
                format!("a field without a name says under which one it is saved: `{helper}(name = \"…\")]`"),
            );
            return None;
        };
        let text = ident.to_string();
        Some((self.rename.apply(text.strip_prefix("r#").unwrap_or(&text)), ident.span()))
    }

    /// Takes a name, which must be valid and new.
    fn take(&mut self, kind: Kind, name: &str, span: Span) {
        if let Err(error) = check_item_name(name) {
            self.cx.error(span, error);
        }
        if !self.names.insert((kind, name.to_owned())) {
            self.cx.error(
                span,
                format!("{kind} `{name}` is declared twice in this operator; a saved name stands for one item"),
            );
        }
    }

    fn part(&self, item: &Item) -> Part {
        match (item.mark(Mark::Extra), item.mark(Mark::Quant)) {
            (Some(_), Some(quant)) => {
                self.cx.error(
                    quant,
                    "`extra` with `quant` says two things: `extra` is removed by every export, `quant` by that of a quantised model only",
                );
                Part::Extra
            }
            (Some(_), None) => Part::Extra,
            (None, Some(_)) => Part::Quant,
            (None, None) => Part::Def,
        }
    }

    /// Where it is said why an item must be able to be absent: its mark, or else its name.
    fn place_of(why: Removable, item: &Item, span: Span) -> Span {
        let at = match why {
            Removable::Extra => item.mark(Mark::Extra),
            Removable::Quant => item.mark(Mark::Quant),
            Removable::Deprecated => item.history.deprecated.as_ref().map(|noted| noted.span),
            Removable::Unguarded => None,
        };
        at.unwrap_or(span)
    }

    fn arg(&mut self, name: &str, span: Span, item: &Item, field: Option<&Field>) -> Role {
        let kind = item.kind;
        self.take(kind, name, span);
        let (aliases, deprecated, history) = self.history(item, name);
        let arg = ArgDef {
            dispensable: item.has(Mark::Dispensable),
            duplicable: item.has(Mark::Duplicable),
            intermediate: item.has(Mark::Intermediate),
            part: self.part(item),
            aliases: aliases.into(),
            deprecated,
            heterogeneous: item.has(Mark::Heterogeneous),
            by_ref: item.has(Mark::ByRef),
            ..ArgDef::new(name.to_owned())
        };
        let arg = element::number(self.cx, arg, item);
        // What could not be read may have been the mark.
        if !item.faulty
            && let Err(error) = check_operand_absent(&self.signature.def, kind, &arg)
        {
            self.cx.error(Self::place_of(error.why, item, span), error);
        }
        let required = !arg.dispensable;
        let mut is_var = true;
        if let Some(field) = field {
            let expected = match (arg.dispensable, arg.duplicable) {
                (_, true) => FieldShape::Vec,
                (true, false) => FieldShape::Option,
                (false, false) => FieldShape::One,
            };
            let (found, var) = shape(self.declaration.ty(field));
            is_var = var;
            if found != expected && !item.faulty {
                self.shape_error(field, item, expected, found);
            }
        }
        self.place(kind, name, span, item, field, history);
        let def = &mut self.signature.def;
        let list = if kind == Kind::Input { &mut def.inputs } else { &mut def.outputs };
        list.to_mut().push(arg);
        let before = if kind == Kind::Output { def.inputs.len() } else { 0 };
        let index = before + def.args(kind).len() - 1;
        Role::Arg { index, is_var, required }
    }

    /// The names that an item had before, and since when it is not to be used: of what is promised.
    fn history(&self, item: &Item, name: &str) -> (Vec<Str>, Option<Deprecated>, HistoryPlaces) {
        let (aliases, places) = history::aliases(self.cx, Some(item.kind), name, &item.history);
        let (deprecated, at) = history::deprecated(self.cx, &item.history);
        if item.has(Mark::Extra) {
            let what = format!("an `extra` {} carries no promise, and is dropped where it does not fit", item.kind);
            if let Some(noted) = &item.history.deprecated {
                self.cx.error(noted.span, format!("{what}: there is nothing to deprecate"));
            }
            if let Some((_, span)) = places.first() {
                self.cx.error(*span, format!("{what}: it needs no alias"));
            }
        }
        (aliases, deprecated, HistoryPlaces { aliases: places, deprecated: at, ..HistoryPlaces::default() })
    }

    fn shape_error(&self, field: &Field, item: &Item, expected: FieldShape, found: FieldShape) {
        let kind = item.kind;
        let marks = match expected {
            FieldShape::One => format!("an {kind} without marks is there exactly once"),
            FieldShape::Option => format!("a `dispensable` {kind} may be absent"),
            FieldShape::Vec => format!("a `duplicable` {kind} takes several variables"),
        };
        let ty = self.declaration.ty(field);
        let (option, vec) = (generic(ty, "Option"), generic(ty, "Vec"));
        // `Option<Vec<T>>` is meant as a list.
        let inner = option.or(vec).unwrap_or(ty);
        let inner = generic(inner, "Vec").unwrap_or(inner);
        let mark = match found {
            FieldShape::Option if item.has(Mark::Dispensable) => "; where it is absent, the list is empty",
            FieldShape::Option if item.has(Mark::Duplicable) => "",
            FieldShape::Option => "; or mark it `dispensable`",
            FieldShape::Vec if item.has(Mark::Dispensable) => "; or mark it `duplicable` too",
            FieldShape::Vec => "; or mark it `duplicable`",
            FieldShape::One => "",
        };
        let (expected, found) = (expected.of(inner), source(ty));
        self.cx.error(unwrap_groups(ty).span(), format!("{marks}, so its field is `{expected}`, not `{found}`{mark}"));
    }

    fn attr(&mut self, name: &str, span: Span, item: &Item, field: &Field) -> Option<Role> {
        self.take(Kind::Attr, name, span);
        let (ty, custom) = self.attr_type(item, self.declaration.ty(field))?;
        let (aliases, deprecated, history) = self.history(item, name);
        let mut attr = AttrDef::new(name.to_owned(), ty);
        if let Some((values, at)) = &item.values {
            attr.values = self.values(ty, values, *at).into();
        }
        if let Some(literal) = &item.default {
            match literal.value(ty) {
                Ok(value) => {
                    self.check_value(&attr.values, &value, literal);
                    self.check_length(ty, &value, literal);
                    attr.default = Some(value);
                }
                Err(error) => {
                    self.cx.push(error);
                    // Whether there is a default at all is still known.
                    attr.default = Some(Value::Absent);
                }
            }
        }
        if let Some(literal) = &item.min {
            self.min(&mut attr, literal);
        }
        (attr.aliases, attr.deprecated) = (aliases.into(), deprecated);
        attr.generated = item.has(Mark::Generated);
        attr.part = self.part(item);
        if !item.faulty
            && let Err(error) = check_attr_absent(&self.signature.def, &attr)
        {
            self.cx.error(Self::place_of(error.why, item, span), error);
        }
        let required = attr.default.is_none();
        self.place(Kind::Attr, name, span, item, Some(field), history);
        self.signature.def.attrs.to_mut().push(attr);
        Some(Role::Attr { index: self.signature.def.attrs.len() - 1, custom, required })
    }

    /// The type in which a field is saved, and whether the field's own type is the author's, or may be.
    fn attr_type(&self, item: &Item, ty: &Type) -> Option<(AttrType, bool)> {
        let optional = crate::parse::shape(ty).0 == FieldShape::Option;
        let Some(lit) = &item.ty else {
            return match (attr_type(ty), &item.values) {
                (Ok(saved), _) => Some((saved, is_common_name(ty))),
                (Err(_), Some(_)) => {
                    let string = AttrType::of(ScalarType::String);
                    Some((if optional { string.optional() } else { string }, true))
                }
                // Of a generic struct, which is refused as it is, the length may be a parameter.
                (Err(_), None) if !self.declaration.item.generics.params.is_empty() => None,
                (Err(message), None) => {
                    self.cx.error(unwrap_groups(ty).span(), message);
                    None
                }
            };
        };
        match lit.value().parse::<AttrType>() {
            // The field says that it may be absent, whatever the type inside it is saved as.
            Ok(ty) if optional => Some((ty.optional(), true)),
            Ok(ty) => Some((ty, true)),
            Err(_) => {
                // A type of Rust has another name in the lock.
                let text = lit.value();
                let known = syn::parse_str::<Type>(&text).ok().and_then(|ty| attr_type(&ty).ok());
                let names: Vec<_> = ScalarType::ALL.into_iter().map(ScalarType::name).collect();
                let hint = match known {
                    Some(ty) => format!("; did you mean `{ty}`?"),
                    None => did_you_mean(&text, names.iter().copied()),
                };
                let names = names.join(", ");
                let all =
                    format!("{names}, lists such as [i64], [[i64]] and [i64; 2], and `i64?` for what may be absent");
                self.cx.error(lit.span(), format!("{text:?} is not an attribute type{hint}\n  types: {all}"));
                None
            }
        }
    }

    fn values(&self, ty: AttrType, values: &[LitStr], span: Span) -> Vec<Str> {
        if !AttrDef::new("", ty).has_values() {
            self.cx.error(
                span,
                format!(
                    "`values` lists the values of a string or dtype attribute, or of the elements of a list of such, and this one is of \
                     type `{ty}`"
                ),
            );
            return Vec::new();
        }
        if values.is_empty() {
            self.cx.error(span, "`values` lists at least one value; without it any is allowed");
        }
        let mut list: Vec<Str> = Vec::new();
        for lit in values {
            let value = lit.value();
            if list.iter().any(|v| *v == value) {
                self.cx.error(lit.span(), format!("{value:?} is listed twice"));
            } else {
                list.push(value.into());
            }
        }
        list
    }

    fn check_value(&self, values: &[Str], value: &Value, literal: &Literal) {
        match value {
            Value::String(text) | Value::DType(text) if !values.is_empty() && !values.contains(text) => {
                let hint = did_you_mean(text, values.iter().map(AsRef::as_ref));
                self.cx.error(literal.span, format!("{text:?} is none of the listed values{hint}"));
            }
            Value::List(items) => {
                for (item, literal) in items.iter().zip(literal.items()) {
                    self.check_value(values, item, literal);
                }
            }
            _ => {}
        }
    }

    /// Each list of a default is as long as the type says.
    fn check_length(&self, ty: AttrType, value: &Value, literal: &Literal) {
        let (Value::List(items), Some(element)) = (value, ty.element()) else { return };
        let found = items.len();
        if let Some(length) = ty.length().filter(|length| usize::try_from(*length) != Ok(found)) {
            self.cx.error(literal.span, format!("the field holds {length} elements, and this list has {found}"));
        }
        for (item, literal) in items.iter().zip(literal.items()) {
            self.check_length(element, item, literal);
        }
    }

    /// The least value or length, which the type must have and the default must keep.
    fn min(&self, attr: &mut AttrDef, literal: &Literal) {
        match literal.value(AttrType::of(ScalarType::I64)) {
            Ok(Value::I64(min)) => attr.min = Some(min),
            Ok(_) => {}
            Err(error) => self.cx.push(error),
        }
        if let Err(reason) = attr.check_min() {
            self.cx.error(literal.span, reason);
        }
    }

    fn place(
        &mut self,
        kind: Kind,
        name: &str,
        span: Span,
        item: &Item,
        field: Option<&Field>,
        history: HistoryPlaces,
    ) {
        self.signature.places.push(Place {
            kind,
            name: name.to_owned(),
            span,
            marks: item.marks.clone(),
            ty: item
                .ty
                .as_ref()
                .map(LitStr::span)
                .or_else(|| field.map(|f| unwrap_groups(self.declaration.ty(f)).span())),
            default: item.default.as_ref().map(|d| d.span),
            min: item.min.as_ref().map(|min| min.span),
            values: item.values.as_ref().map(|(_, span)| *span),
            of: item.of.as_ref().map_or([None; 2], |of| [&of.ty, &of.count].map(|it| it.as_ref().map(|it| it.span))),
            history,
            docs: field.map(|f| f.docs.clone()).unwrap_or_default(),
        });
    }
}

/// How the names of fields become saved names; the rules and their spellings are serde's.
#[derive(Clone, Copy)]
enum Rename {
    None,
    Lower,
    Upper,
    Pascal,
    Camel,
    ScreamingSnake,
    Kebab,
    ScreamingKebab,
}

const RENAMES: [(&str, Rename); 8] = [
    ("lowercase", Rename::Lower),
    ("UPPERCASE", Rename::Upper),
    ("PascalCase", Rename::Pascal),
    ("camelCase", Rename::Camel),
    ("snake_case", Rename::None),
    ("SCREAMING_SNAKE_CASE", Rename::ScreamingSnake),
    ("kebab-case", Rename::Kebab),
    ("SCREAMING-KEBAB-CASE", Rename::ScreamingKebab),
];

fn rename_rule(cx: &Ctxt, header: &Header) -> Rename {
    let Some(lit) = &header.rename_all else { return Rename::None };
    let text = lit.value();
    if let Some((_, rule)) = RENAMES.iter().find(|(name, _)| *name == text) {
        return *rule;
    }
    let names = RENAMES.iter().map(|(name, _)| *name);
    let hint = nearest(&text, names.clone()).map(|name| format!("; did you mean \"{name}\"?")).unwrap_or_default();
    let rules: Vec<_> = names.map(|name| format!("\"{name}\"")).collect();
    cx.error(lit.span(), format!("{text:?} is not a rule for names{hint} (the rules: {})", rules.join(", ")));
    Rename::None
}

impl Rename {
    fn apply(self, field: &str) -> String {
        let pascal = || {
            field.split('_').fold(String::new(), |name, word| {
                let mut letters = word.chars();
                name + &letters.next().map(|c| c.to_uppercase().to_string()).unwrap_or_default() + letters.as_str()
            })
        };
        match self {
            Rename::None | Rename::Lower => field.to_owned(),
            Rename::Upper | Rename::ScreamingSnake => field.to_uppercase(),
            Rename::Pascal => pascal(),
            Rename::Camel => {
                let pascal = pascal();
                let mut letters = pascal.chars();
                letters.next().map(|c| c.to_lowercase().to_string()).unwrap_or_default() + letters.as_str()
            }
            Rename::Kebab => field.replace('_', "-"),
            Rename::ScreamingKebab => field.to_uppercase().replace('_', "-"),
        }
    }
}
