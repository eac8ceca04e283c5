//! Judges what a declaration says of element types and numbers: for what each name stands, and whether it can.

use oplock_core::declare::{
    check_count_attr, check_type_attr, check_type_variable, is_count, is_of_type_variable, is_type,
};
use oplock_core::{
    ArgDef, AttrType, ELEMENT_TYPES, ElementType, Kind, OpDef, ScalarType, Str, TypeVar, Value, did_you_mean,
    is_element_type,
};

use crate::ctxt::Ctxt;
use crate::parse::{Declaration, Item, Literal, Mark, Mode, Of, TypeName};
use crate::validate::Signature;

/// The least number of variables of an operand whose marks are known.
pub(crate) fn number(cx: &Ctxt, mut arg: ArgDef, item: &Item) -> ArgDef {
    if let Some(literal) = &item.min {
        arg.min = min(cx, literal);
        if let Err(reason) = arg.check_number() {
            cx.error(literal.span, reason);
        }
    }
    if let Some(span) = item.mark(Mark::Heterogeneous).filter(|_| !arg.duplicable && !item.faulty) {
        cx.error(span, "an operand that is not `duplicable` is one variable, of one type");
    }
    arg
}

fn min(cx: &Ctxt, literal: &Literal) -> Option<u32> {
    match literal.value(AttrType::of(ScalarType::U32)) {
        Ok(Value::U32(min)) => Some(min),
        Ok(_) => None,
        Err(error) => {
            cx.push(error);
            None
        }
    }
}

/// Puts the type variables into the definition, and gives each operand its type; all items are known.
pub(crate) fn resolve(cx: &Ctxt, declaration: &Declaration, signature: &mut Signature) {
    let header = &declaration.header;
    let of_fields = declaration.fields.iter().filter_map(|field| match &field.mode {
        Some(Mode::Item(item)) => Some(item),
        _ => None,
    });
    let says_types = |item: &Item| item.of.is_some() || item.has(Mark::Heterogeneous);
    let operands = || header.operands.iter().map(|operand| &operand.item).chain(of_fields.clone());
    if header.types.is_empty() && !operands().any(says_types) {
        return;
    }
    variables(cx, declaration, signature);
    for kind in [Kind::Input, Kind::Output] {
        let of_kind: Vec<_> = operands().filter(|item| item.kind == kind).collect();
        // Where an operand could not be read, which is which is not known; that is an error already.
        if of_kind.len() != signature.def.args(kind).len() {
            return;
        }
        for (index, item) in of_kind.into_iter().enumerate() {
            let arg = operand(cx, &signature.def, &signature.def.args(kind)[index], item);
            let def = &mut signature.def;
            let args = if kind == Kind::Input { &mut def.inputs } else { &mut def.outputs };
            args.to_mut()[index] = arg;
        }
    }
}

/// The type variables of the header.
fn variables(cx: &Ctxt, declaration: &Declaration, signature: &mut Signature) {
    for set in &declaration.header.types {
        let name = &set.name;
        if let Err(reason) = check_type_variable(&signature.def, &name.text) {
            cx.error(name.span, reason);
            continue;
        }
        if signature.types.iter().any(|(other, _)| *other == name.text) {
            cx.error(name.span, format!("the type variable `{}` is declared twice", name.text));
            continue;
        }
        let mut allowed: Vec<Str> = Vec::new();
        if let Some((types, span)) = &set.allowed {
            if types.is_empty() {
                let any = format!("for any type stands the name alone, `types({})`", name.text);
                cx.error(*span, format!("a type variable stands for at least one type; {any}"));
            }
            for ty in types {
                let Some(ty_name) = known_type(cx, ty, &[]) else { continue };
                if allowed.contains(&ty_name) {
                    cx.error(ty.span, format!("`{}` is listed twice", ty.text));
                } else {
                    allowed.push(ty_name);
                }
            }
        }
        signature.types.push((name.text.clone(), name.span));
        let var = TypeVar { name: name.text.clone().into(), allowed: allowed.into() };
        signature.def.types.to_mut().push(var);
    }
}

/// A type of its own; `variables` is what else could have been meant.
fn known_type(cx: &Ctxt, name: &TypeName, variables: &[&str]) -> Option<Str> {
    let is_known = ELEMENT_TYPES.contains(&name.text.as_str());
    if is_known || (!name.is_ident && is_element_type(&name.text)) {
        return Some(name.text.clone().into());
    }
    if !name.is_ident {
        cx.error(name.span, format!("{:?} cannot be the name of a type", name.text));
        return None;
    }
    let hint = did_you_mean(&name.text, variables.iter().copied().chain(ELEMENT_TYPES));
    let what = "neither a type variable, nor an attribute of type `dtype`, nor a type that oplock knows";
    cx.error(
        name.span,
        format!("`{0}` is {what}{hint}\n  note: another type is written as a text: \"{0}\"", name.text),
    );
    None
}

/// The operand with its type and the attribute that counts its variables.
fn operand(cx: &Ctxt, def: &OpDef, arg: &ArgDef, item: &Item) -> ArgDef {
    let mut arg = arg.clone();
    let Some(Of { count, ty }) = item.of.as_deref() else {
        heterogeneous(cx, def, &arg, item);
        return arg;
    };
    if let Some(name) = ty {
        arg.ty = element_type(cx, def, item.kind, &arg, name);
        heterogeneous(cx, def, &arg, item);
    }
    let Some(count) = count else { return arg };
    let at = count.span;
    let is_list = matches!(&arg.ty, Some(ElementType::Var(var)) if def.attr(var).is_some_and(|attr| attr.ty.depth > 0));
    arg.count = Some(count.text.clone().into());
    match def.attr(&count.text) {
        None => {
            let names = def.attrs.iter().filter(|attr| is_count(attr.ty)).map(|attr| attr.name.as_ref());
            let hint = did_you_mean(&count.text, names);
            cx.error(at, format!("this operator has no attribute `{}` that could say how many{hint}", count.text));
        }
        Some(attr) => {
            if let Err(reason) = check_count_attr(item.kind, &arg, attr) {
                cx.error(at, reason);
            }
        }
    }
    if is_list {
        cx.error(at, "an attribute with a type for each variable says already how many there are");
    } else if let Err(reason) = arg.check_number()
        && !item.faulty
    {
        cx.error(at, reason);
    }
    arg
}

fn element_type(cx: &Ctxt, def: &OpDef, kind: Kind, arg: &ArgDef, name: &TypeName) -> Option<ElementType> {
    if def.types.iter().any(|var| var.name == name.text) {
        return Some(ElementType::Var(name.text.clone().into()));
    }
    let is_type_alone = !name.is_ident && ELEMENT_TYPES.contains(&name.text.as_str());
    if let Some(attr) = def.attr(&name.text).filter(|attr| is_type(attr.ty) || !is_type_alone) {
        if let Err(reason) = check_type_attr(kind, arg, attr) {
            cx.error(name.span, reason);
        }
        return is_type(attr.ty).then(|| ElementType::Var(name.text.clone().into()));
    }
    let types = def.types.iter().map(|var| var.name.as_ref());
    let attrs = def.attrs.iter().filter(|attr| attr.ty.scalar == ScalarType::DType).map(|attr| attr.name.as_ref());
    known_type(cx, name, &types.chain(attrs).collect::<Vec<_>>()).map(ElementType::Fixed)
}

/// That each variable has a type of its own says something only of a type variable.
fn heterogeneous(cx: &Ctxt, def: &OpDef, arg: &ArgDef, item: &Item) {
    let Some(span) = item.mark(Mark::Heterogeneous).filter(|_| arg.duplicable && !item.faulty) else { return };
    if !is_of_type_variable(def, arg) {
        let message = "`heterogeneous` says that each variable has a type of its own among those of a type variable: \
                       `of = T`, and `types(T = […])` of the operator";
        cx.error(span, message);
    }
}
