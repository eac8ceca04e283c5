//! Default values as they are written: literals, lists of them, constants of the type itself, and tensors.

use oplock_core::{
    AttrType, Complex128, ELEMENT_TYPES, Func, Scalar, ScalarType, Shape, Tensor, TensorData, Value, did_you_mean,
    is_element_type,
};
use proc_macro2::{Span, TokenStream};
use syn::ext::IdentExt as _;
use syn::parse::ParseStream;
use syn::{Ident, Lit, Token, bracketed, parenthesized};

use super::attributes::whole;
use super::element::{TypeName, type_name};

/// A default as its author wrote it.
pub(crate) struct Literal {
    kind: LiteralKind,
    pub(crate) span: Span,
}

enum LiteralKind {
    Lit {
        lit: Lit,
        negative: bool,
    },
    /// `f32::INFINITY`, its type and name.
    Constant {
        ty: String,
        name: String,
        negative: bool,
    },
    List(Vec<Literal>),
    /// `(1.0, -0.5)`, the parts of a complex number.
    Pair(Box<[Literal; 2]>),
    /// `tensor(f32, [1], b"\0\0\x80\x3f")`: the type of its elements, its sizes and its elements.
    Tensor(Box<(TypeName, [Literal; 2])>),
    /// `_`, a size or shape that is not known.
    Unknown,
    None,
}

/// Reads a default.
pub(super) fn parse(input: ParseStream<'_>) -> syn::Result<Literal> {
    parse_nested(input, 0)
}

fn parse_nested(input: ParseStream<'_>, depth: u8) -> syn::Result<Literal> {
    const WHY: &str = "a default is a literal, a list of literals such as [1, 2], or a constant of the type itself such \
                       as f32::INFINITY: what the lock remembers must not move with a constant elsewhere";
    if input.peek(syn::token::Bracket) {
        let content;
        let bracket = bracketed!(content in input);
        // The sizes of a shape are another list, in lists of shapes.
        if depth > AttrType::MAX_DEPTH {
            content.parse::<TokenStream>()?;
            return Err(syn::Error::new(bracket.span.join(), "lists of an attribute nest at most two deep"));
        }
        let items = whole(&content, |content| {
            let mut items = Vec::new();
            while !content.is_empty() {
                items.push(parse_nested(content, depth + 1)?);
                if !content.is_empty() {
                    content.parse::<Token![,]>()?;
                }
            }
            Ok(items)
        })?;
        return Ok(Literal { kind: LiteralKind::List(items), span: bracket.span.join() });
    }
    if input.peek(syn::token::Paren) {
        let content;
        let paren = parenthesized!(content in input);
        let parts = whole(&content, |content| {
            let re = parse_nested(content, depth)?;
            content.parse::<Token![,]>()?;
            let im = parse_nested(content, depth)?;
            content.parse::<Option<Token![,]>>()?;
            if content.is_empty() { Ok([re, im]) } else { Err(content.error("")) }
        });
        let span = paren.span.join();
        let parts = parts.map_err(|error| syn::Error::new(error.span(), PAIR))?;
        return Ok(Literal { kind: LiteralKind::Pair(Box::new(parts)), span });
    }
    if input.peek(Token![_]) {
        let unknown: Token![_] = input.parse()?;
        return Ok(Literal { kind: LiteralKind::Unknown, span: unknown.span });
    }
    let begin = input.span();
    let negative = input.peek(Token![-]);
    if negative {
        input.parse::<Token![-]>()?;
    }
    let literal = if input.peek(Lit) {
        let lit: Lit = input.parse()?;
        let span = begin.join(lit.span()).unwrap_or(lit.span());
        Literal { kind: LiteralKind::Lit { lit, negative }, span }
    } else if input.peek(Ident::peek_any) {
        let mut path = vec![Ident::parse_any(input)?];
        while input.peek(Token![::]) {
            input.parse::<Token![::]>()?;
            path.push(Ident::parse_any(input)?);
        }
        let end = path.last().map_or(begin, Ident::span);
        let span = begin.join(end).unwrap_or(begin);
        if negative || !input.peek(syn::token::Paren) {
            // No tensor.
        } else if let [word] = path.as_slice()
            && word == "tensor"
        {
            return tensor(input, span);
        }
        let kind = match path.as_slice() {
            [none] if none == "None" && !negative => LiteralKind::None,
            [ty, name] => LiteralKind::Constant { ty: ty.to_string(), name: name.to_string(), negative },
            _ => return Err(syn::Error::new(span, WHY)),
        };
        Literal { kind, span }
    } else {
        return Err(syn::Error::new(begin, WHY));
    };
    // Before a word it is a comma that is missing.
    let word = depth == 0 && input.peek(Ident::peek_any) && !input.peek(Token![as]);
    if !(input.is_empty() || input.peek(Token![,]) || word) {
        return Err(syn::Error::new(literal.span, WHY));
    }
    Ok(literal)
}

/// Reads what stands in the parentheses of a tensor.
fn tensor(input: ParseStream<'_>, word: Span) -> syn::Result<Literal> {
    let content;
    let paren = parenthesized!(content in input);
    let parts = whole(&content, |content| {
        let ty = type_name(content)?;
        content.parse::<Token![,]>()?;
        let dims = parse_nested(content, 0)?;
        content.parse::<Token![,]>()?;
        let data = parse_nested(content, 0)?;
        content.parse::<Option<Token![,]>>()?;
        if content.is_empty() { Ok((ty, [dims, data])) } else { Err(content.error("")) }
    });
    let parts = parts.map_err(|error| syn::Error::new(error.span(), TENSOR))?;
    let span = word.join(paren.span.join()).unwrap_or(word);
    Ok(Literal { kind: LiteralKind::Tensor(Box::new(parts)), span })
}

const TENSOR: &str = "a tensor is written as the type of its elements, its sizes, and the bytes of its elements in little-endian order, \
                      `tensor(f32, [1], b\"\\0\\0\\x80\\x3f\")`, or the texts of those: `tensor(string, [2], [\"a\", \"b\"])`";

const PAIR: &str = "a complex number is written as its two parts, `(1.0, -0.5)`";

const SHAPE: &str = "a shape is written as its sizes, `[1, _, 3]`, with `_` for one that is not known, or as `_` alone";

impl Literal {
    /// The elements of a list.
    pub(crate) fn items(&self) -> &[Literal] {
        match &self.kind {
            LiteralKind::List(items) => items,
            _ => &[],
        }
    }

    /// A size of a shape.
    fn size(&self) -> syn::Result<Option<u64>> {
        let error = |_| syn::Error::new(self.span, SHAPE);
        match &self.kind {
            LiteralKind::Unknown => Ok(None),
            LiteralKind::Lit { lit: Lit::Int(int), negative: false } => int.base10_parse().map(Some).map_err(error),
            _ => Err(syn::Error::new(self.span, SHAPE)),
        }
    }

    /// A tensor of such elements.
    fn tensor(&self, ty: &TypeName, [dims, data]: &[Literal; 2]) -> syn::Result<Tensor> {
        let wrong = |at: &Literal| syn::Error::new(at.span, TENSOR);
        let is_known = ELEMENT_TYPES.contains(&ty.text.as_str());
        if !is_known && (ty.is_ident || !is_element_type(&ty.text)) {
            let hint = did_you_mean(&ty.text, ELEMENT_TYPES);
            let what = format!("{:?} is no type of elements{hint}; one that oplock does not know is a text", ty.text);
            return Err(syn::Error::new(ty.span, what));
        }
        let LiteralKind::List(sizes) = &dims.kind else { return Err(wrong(dims)) };
        let size = |size: &Literal| size.size().ok().flatten().ok_or_else(|| wrong(size));
        let text = |item: &Literal| match &item.kind {
            LiteralKind::Lit { lit: Lit::ByteStr(bytes), negative: false } => Ok(bytes.value()),
            LiteralKind::Lit { lit: Lit::Str(text), negative: false } => Ok(text.value().into_bytes()),
            _ => Err(wrong(item)),
        };
        let data = match &data.kind {
            LiteralKind::Lit { lit: Lit::ByteStr(bytes), negative: false } => TensorData::Raw(bytes.value()),
            LiteralKind::List(items) => TensorData::Strings(items.iter().map(text).collect::<syn::Result<_>>()?),
            _ => return Err(wrong(data)),
        };
        let dims = sizes.iter().map(size).collect::<syn::Result<_>>()?;
        let tensor = Tensor { ty: ty.text.clone().into(), dims, data };
        tensor.check().map_err(|why| syn::Error::new(self.span, format!("this is {why}")))?;
        Ok(tensor)
    }

    /// The value of that type.
    pub(crate) fn value(&self, ty: AttrType) -> syn::Result<Value> {
        let fail = |message: String| Err(syn::Error::new(self.span, message));
        if ty.optional {
            return match &self.kind {
                LiteralKind::None => Ok(Value::Absent),
                _ => fail(format!(
                    "an optional attribute is absent by default: leave `default` out, or make its type `{}`",
                    ty.required()
                )),
            };
        }
        match (&self.kind, ty.element()) {
            (kind, None) if ty.scalar == ScalarType::Shape => {
                let sizes = match kind {
                    LiteralKind::Unknown => return Ok(Value::Shape(Shape::default())),
                    LiteralKind::List(sizes) => sizes,
                    _ => return fail(SHAPE.to_owned()),
                };
                sizes
                    .iter()
                    .map(Literal::size)
                    .collect::<syn::Result<Vec<_>>>()
                    .map(|dims| Value::Shape(Shape::of(dims)))
            }
            (LiteralKind::Pair(parts), None) if matches!(ty.scalar, ScalarType::Complex128 | ScalarType::Scalar) => {
                let part = |part: &Literal| match part.value(AttrType::of(ScalarType::F64))? {
                    Value::F64(x) => Ok(x),
                    _ => Err(syn::Error::new(part.span, PAIR)),
                };
                let number = Complex128 { re: part(&parts[0])?, im: part(&parts[1])? };
                let is_scalar = ty.scalar == ScalarType::Scalar;
                Ok(if is_scalar { Value::Scalar(Scalar::Complex128(number)) } else { Value::Complex128(number) })
            }
            (_, None) if ty.scalar == ScalarType::Complex128 => fail(PAIR.to_owned()),
            (LiteralKind::Pair(_), _) => fail(format!("a pair of numbers is not a value of type `{ty}`")),
            (LiteralKind::Tensor(parts), None) if ty.scalar == ScalarType::Tensor => {
                self.tensor(&parts.0, &parts.1).map(|tensor| Value::Tensor(Box::new(tensor)))
            }
            (_, None) if ty.scalar == ScalarType::Tensor => fail(TENSOR.to_owned()),
            (LiteralKind::Tensor(_), _) => fail(format!("a tensor is not a value of type `{ty}`")),
            (LiteralKind::Unknown, _) => fail(format!("`_` is not a value of type `{ty}`")),
            (LiteralKind::List(items), Some(element)) => {
                items.iter().map(|item| item.value(element)).collect::<syn::Result<Vec<_>>>().map(Value::list)
            }
            (LiteralKind::List(_), None) => fail(format!("a list is not a value of type `{ty}`")),
            (_, Some(_)) => fail(format!("expected a list of type `{ty}`, such as `[]`")),
            (LiteralKind::None, None) => {
                fail(format!("`None` is not a value of type `{ty}`; an optional field is `Option<…>`"))
            }
            (LiteralKind::Constant { ty: owner, name, negative }, None) => {
                constant(ty.scalar, owner, name, *negative).or_else(fail)
            }
            (LiteralKind::Lit { lit, negative }, None) => scalar(ty.scalar, lit, *negative).or_else(fail),
        }
    }
}

fn constant(ty: ScalarType, owner: &str, name: &str, negative: bool) -> Result<Value, String> {
    macro_rules! float {
        ($type:ident, $variant:ident) => {{
            let value = match name {
                "INFINITY" => $type::INFINITY,
                "NEG_INFINITY" => $type::NEG_INFINITY,
                "NAN" => $type::NAN,
                "MAX" => $type::MAX,
                "MIN" => $type::MIN,
                "MIN_POSITIVE" => $type::MIN_POSITIVE,
                "EPSILON" => $type::EPSILON,
                _ => return Err(format!("`{owner}::{name}` is not a constant that a default may be: INFINITY, NEG_INFINITY, NAN, MAX, MIN, MIN_POSITIVE, EPSILON")),
            };
            Ok(Value::$variant(if negative { -value } else { value }))
        }};
    }
    macro_rules! integer {
        ($type:ident, $variant:ident) => {{
            let value = match name {
                "MAX" => $type::MAX,
                "MIN" => $type::MIN,
                _ => return Err(format!("`{owner}::{name}` is not a constant that a default may be: MAX, MIN")),
            };
            let value = if negative { $type::checked_neg(value) } else { Some(value) };
            value.map(Value::$variant).ok_or_else(|| format!("-{owner}::{name} does not fit `{owner}`"))
        }};
    }
    // `usize` and `isize` are saved as `i64`, and how large they are depends on the platform.
    if matches!(ty, ScalarType::I64 | ScalarType::Size) && owner.ends_with("size") {
        return Err(match (owner, name) {
            ("usize", "MIN") => "`usize::MIN` is 0: write that".to_owned(),
            (_, "MAX" | "MIN") => {
                format!("how large `{owner}::{name}` is depends on the platform: say i64::{name} or write the number")
            }
            _ => format!("`{owner}::{name}` is not a constant that a default may be: write the number"),
        });
    }
    let saved = if ty == ScalarType::Size { ScalarType::I64 } else { ty };
    if owner != saved.name() {
        return Err(format!("`{owner}::{name}` is not a constant of type `{}`", ty.name()));
    }
    match ty {
        ScalarType::F32 => float!(f32, F32),
        ScalarType::F64 => float!(f64, F64),
        ScalarType::I32 => integer!(i32, I32),
        ScalarType::I64 => integer!(i64, I64),
        ScalarType::Size => integer!(i64, I64).and_then(|value| natural(value, &format!("{owner}::{name}"))),
        ScalarType::U32 => integer!(u32, U32),
        ScalarType::U64 => integer!(u64, U64),
        _ => Err(format!("a default of type `{}` is a literal", ty.name())),
    }
}

/// A value of type `usize`.
fn natural(value: Value, text: &str) -> Result<Value, String> {
    if value.fits(AttrType::of(ScalarType::Size)) { Ok(value) } else { Err(format!("`{text}` does not fit `usize`")) }
}

/// A finite number of type `f32` or `f64`.
fn floating(ty: ScalarType, text: &str) -> Option<Value> {
    if ty == ScalarType::F32 {
        text.parse().ok().filter(|x: &f32| x.is_finite()).map(Value::F32)
    } else {
        text.parse().ok().filter(|x: &f64| x.is_finite()).map(Value::F64)
    }
}

fn scalar(ty: ScalarType, lit: &Lit, negative: bool) -> Result<Value, String> {
    let signed = |digits: &str| if negative { format!("-{digits}") } else { digits.to_owned() };
    let wrong = |found: &str, hint: &str| Err(format!("expected a value of type `{}`, found {found}{hint}", ty.name()));
    let suffix_fits =
        |suffix: &str| suffix.is_empty() || suffix == ty.name() || (ty == ScalarType::I64 && suffix.ends_with("size"));
    if ty == ScalarType::SparseTensor {
        let why =
            "a sparse tensor cannot be written as a literal: an attribute of type `Option<…>` is absent by default";
        return Err(why.to_owned());
    }
    match lit {
        Lit::Int(int) => {
            if !suffix_fits(int.suffix()) && ty != ScalarType::Scalar {
                return wrong(&format!("`{int}`"), "");
            }
            let text = signed(int.base10_digits());
            let range = || format!("`{text}` does not fit `{}`", ty.name());
            match ty {
                ScalarType::I32 => text.parse().ok().map(Value::I32).ok_or_else(range),
                ScalarType::I64 => text.parse().ok().map(Value::I64).ok_or_else(range),
                ScalarType::Size => {
                    text.parse().ok().map(Value::I64).ok_or_else(range).and_then(|value| natural(value, &text))
                }
                ScalarType::U32 => text.parse().ok().map(Value::U32).ok_or_else(range),
                ScalarType::U64 => text.parse().ok().map(Value::U64).ok_or_else(range),
                ScalarType::Scalar => text.parse().ok().map(|x| Value::Scalar(Scalar::I64(x))).ok_or_else(range),
                // `1f32` is a float to Rust, too.
                ScalarType::F32 | ScalarType::F64 if !int.suffix().is_empty() => floating(ty, &text).ok_or_else(range),
                ScalarType::F32 | ScalarType::F64 => wrong("an integer", &format!(": write `{text}.0`")),
                ScalarType::Block => Err("a sub-graph has no default".to_owned()),
                _ => wrong("an integer", ""),
            }
        }
        Lit::Float(float) => {
            if !suffix_fits(float.suffix()) && ty != ScalarType::Scalar {
                return wrong(&format!("`{float}`"), "");
            }
            let text = signed(float.base10_digits());
            let range = || format!("`{text}` does not fit `{}`", ty.name());
            match ty {
                ScalarType::F32 | ScalarType::F64 => floating(ty, &text).ok_or_else(range),
                ScalarType::Scalar => {
                    let value = text.parse().ok().filter(|x: &f64| x.is_finite());
                    value.map(|x| Value::Scalar(Scalar::F64(x))).ok_or_else(range)
                }
                _ => wrong("a float", ""),
            }
        }
        _ if negative => Err("only a number can be negative".to_owned()),
        Lit::Bool(value) => match ty {
            ScalarType::Bool => Ok(Value::Bool(value.value)),
            ScalarType::Scalar => Ok(Value::Scalar(Scalar::Bool(value.value))),
            _ => wrong("a boolean", ""),
        },
        Lit::Str(text) => {
            let value = text.value().into();
            match ty {
                ScalarType::String => Ok(Value::String(value)),
                ScalarType::DType => Ok(Value::DType(value)),
                ScalarType::Var => Ok(Value::Var(value)),
                ScalarType::TypeProto => Ok(Value::TypeProto(value)),
                ScalarType::Func => Ok(Value::Func(Box::new(Func::new(value)))),
                ScalarType::Bytes => wrong("a string", ": write b\"…\""),
                _ => wrong("a string", ""),
            }
        }
        Lit::ByteStr(bytes) if ty == ScalarType::Bytes => Ok(Value::Bytes(bytes.value().into())),
        Lit::ByteStr(_) => wrong("a byte string", ""),
        Lit::Char(_) => wrong("a character", ": write \"…\""),
        _ => wrong("a literal of another type", ""),
    }
}
