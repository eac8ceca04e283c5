//! What an operator's declaration leaves in the program: one text, since one literal costs a compiler less than a table.
//!
//! The macro writes it ([`Declared::to_text`]) and the program reads it ([`Declared::from_text`]); nobody else sees it, and both
//! sides are of one version, so its form may change with any release. Each field is a letter and what belongs to it, a text
//! with its length before it: whatever an author writes, it is never taken for something else.

use std::fmt::Write as _;

use super::{
    ArgDef, AttrDef, AttrType, Complex128, Deprecated, ElementType, Func, List, OpDef, Part, Revision, Scalar,
    SparseTensor, Str, Tensor, TensorData, TypeVar, Value,
};

/// An operator's declaration.
#[derive(Clone, Debug, PartialEq)]
pub struct Declared {
    /// The signature, its items in the order of the declaration.
    pub def: OpDef,
    /// The source file.
    pub file: Str,
    /// The line in it.
    pub line: u32,
    /// Why the lock is stale because of it; empty when it is not.
    pub stale: Str,
}

impl Declared {
    /// The text that [`Declared::from_text`] reads.
    pub fn to_text(&self) -> String {
        let mut out = Encoder(String::with_capacity(256));
        out.text(&self.file);
        out.number(self.line);
        out.text(&self.stale);
        let def = &self.def;
        out.text(&def.name);
        if def.experimental {
            out.0.push('E');
        }
        out.maybe('C', def.cfg.as_ref());
        out.maybe('M', def.moved_from.as_ref());
        for Revision { version, note } in def.revisions.iter() {
            out.note('R', *version, note);
        }
        out.history(&def.aliases, def.deprecated.as_ref());
        for (name, _) in def.flags.each().into_iter().filter(|(_, set)| *set) {
            out.field('F', name);
        }
        for TypeVar { name, allowed } in def.types.iter() {
            out.field('T', name);
            allowed.iter().for_each(|ty| out.field('W', ty));
        }
        for (letter, args) in [('I', &def.inputs), ('O', &def.outputs)] {
            args.iter().for_each(|arg| out.arg(letter, arg));
        }
        def.attrs.iter().for_each(|attr| out.attr(attr));
        out.0
    }

    /// Reads the text; `None` where it is none that [`Declared::to_text`] wrote.
    pub fn from_text(text: &'static str) -> Option<Self> {
        let mut rest = Decoder(text);
        let (file, line, stale) = (rest.text()?, rest.number()?, rest.text()?);
        let mut def = OpDef::new(rest.text()?);
        // What follows an item belongs to it, what comes before all items to the operator.
        let mut item = ' ';
        while let Some(letter) = rest.letter() {
            match letter {
                'E' => def.experimental = true,
                'C' => def.cfg = Some(rest.text()?.into()),
                'M' => def.moved_from = Some(rest.text()?.into()),
                'R' => def.revisions.to_mut().push(Revision { version: rest.number()?, note: rest.text()?.into() }),
                'F' => *def.flags.get_mut(rest.text()?)? = true,
                'T' => def.types.to_mut().push(TypeVar { name: rest.text()?.into(), allowed: List::default() }),
                'W' => def.types.to_mut().last_mut()?.allowed.to_mut().push(rest.text()?.into()),
                'K' => operand(&mut def, item)?.count = Some(rest.text()?.into()),
                'H' => operand(&mut def, item)?.min = Some(rest.number()?),
                'Y' => operand(&mut def, item)?.ty = Some(ElementType::Fixed(rest.text()?.into())),
                'Z' => operand(&mut def, item)?.ty = Some(ElementType::Var(rest.text()?.into())),
                'I' => def.inputs.to_mut().push(rest.arg()?),
                'O' => def.outputs.to_mut().push(rest.arg()?),
                'A' => def.attrs.to_mut().push(rest.attr()?),
                'D' => def.attrs.to_mut().last_mut()?.default = Some(rest.value()?),
                'B' => def.attrs.to_mut().last_mut()?.min = Some(rest.number()?),
                'V' => def.attrs.to_mut().last_mut()?.values.to_mut().push(rest.text()?.into()),
                'P' => {
                    let args = if item == 'I' { &mut def.inputs } else { &mut def.outputs };
                    args.to_mut().last_mut()?.at = Some(rest.number()?);
                }
                'L' => history(&mut def, item)?.0.to_mut().push(rest.text()?.into()),
                'N' => {
                    let deprecated = Deprecated { version: rest.number()?, note: rest.text()?.into() };
                    *history(&mut def, item)?.1 = Some(deprecated);
                }
                _ => return None,
            }
            if matches!(letter, 'I' | 'O' | 'A') {
                item = letter;
            }
        }
        Some(Declared { def, file: file.into(), line, stale: stale.into() })
    }
}

/// The last operand of that letter.
fn operand(def: &mut OpDef, item: char) -> Option<&mut ArgDef> {
    match item {
        'I' => def.inputs.to_mut().last_mut(),
        'O' => def.outputs.to_mut().last_mut(),
        _ => None,
    }
}

/// The aliases and the deprecation of the last item of that letter, or of the operator.
fn history(def: &mut OpDef, item: char) -> Option<(&mut List<Str>, &mut Option<Deprecated>)> {
    match item {
        'A' => {
            let attr = def.attrs.to_mut().last_mut()?;
            Some((&mut attr.aliases, &mut attr.deprecated))
        }
        ' ' => Some((&mut def.aliases, &mut def.deprecated)),
        _ => {
            let arg = operand(def, item)?;
            Some((&mut arg.aliases, &mut arg.deprecated))
        }
    }
}

const DISPENSABLE: char = 'd';
const DUPLICABLE: char = 'u';
const INTERMEDIATE: char = 'm';
const HETEROGENEOUS: char = 'h';
const BY_REF: char = 'r';
const GENERATED: char = 'g';
const QUANT: char = 'q';
const EXTRA: char = 'x';

/// Writes fields at the end of a text.
struct Encoder(String);

impl Encoder {
    /// `5'slice`
    fn text(&mut self, text: &str) {
        let _ = write!(self.0, "{}'{text}", text.len());
    }

    /// `41;`
    fn number(&mut self, number: impl std::fmt::Display) {
        let _ = write!(self.0, "{number};");
    }

    fn field(&mut self, letter: char, text: &str) {
        self.0.push(letter);
        self.text(text);
    }

    fn maybe(&mut self, letter: char, text: Option<&Str>) {
        if let Some(text) = text {
            self.field(letter, text);
        }
    }

    fn note(&mut self, letter: char, version: u32, note: &str) {
        self.0.push(letter);
        self.number(version);
        self.text(note);
    }

    fn history(&mut self, aliases: &[Str], deprecated: Option<&Deprecated>) {
        for alias in aliases {
            self.maybe('L', Some(alias));
        }
        if let Some(Deprecated { version, note }) = deprecated {
            self.note('N', *version, note);
        }
    }

    fn marks(&mut self, marks: &[(bool, char)], part: Part) {
        self.0.extend(marks.iter().filter(|(set, _)| *set).map(|(_, letter)| letter));
        match part {
            Part::Def => {}
            Part::Quant => self.0.push(QUANT),
            Part::Extra => self.0.push(EXTRA),
        }
    }

    fn arg(&mut self, letter: char, arg: &ArgDef) {
        self.0.push(letter);
        let marks = [
            (arg.dispensable, DISPENSABLE),
            (arg.duplicable, DUPLICABLE),
            (arg.intermediate, INTERMEDIATE),
            (arg.heterogeneous, HETEROGENEOUS),
            (arg.by_ref, BY_REF),
        ];
        self.marks(&marks, arg.part);
        self.text(&arg.name);
        if let Some(at) = arg.at {
            self.0.push('P');
            self.number(at);
        }
        match &arg.ty {
            None => {}
            Some(ElementType::Fixed(ty)) => self.field('Y', ty),
            Some(ElementType::Var(ty)) => self.field('Z', ty),
        }
        self.maybe('K', arg.count.as_ref());
        if let Some(min) = arg.min {
            self.0.push('H');
            self.number(min);
        }
        self.history(&arg.aliases, arg.deprecated.as_ref());
    }

    fn attr(&mut self, attr: &AttrDef) {
        self.0.push('A');
        self.marks(&[(attr.generated, GENERATED)], attr.part);
        self.text(&attr.name);
        self.text(&attr.ty.to_string());
        if let Some(min) = attr.min {
            self.0.push('B');
            self.number(min);
        }
        if let Some(value) = &attr.default {
            self.0.push('D');
            self.value(value);
        }
        for value in attr.values.iter() {
            self.maybe('V', Some(value));
        }
        self.history(&attr.aliases, attr.deprecated.as_ref());
    }

    /// `1;2;.`
    fn numbers(&mut self, numbers: impl Iterator<Item = impl std::fmt::Display>) {
        numbers.for_each(|number| self.number(number));
        self.0.push('.');
    }

    fn tensor(&mut self, tensor: &Tensor) {
        self.text(&tensor.ty);
        self.numbers(tensor.dims.iter());
        match &tensor.data {
            TensorData::Raw(bytes) => {
                self.0.push('b');
                self.numbers(bytes.iter());
            }
            TensorData::Strings(items) => {
                self.0.push('[');
                for item in items {
                    self.numbers(item.iter());
                }
                self.0.push(']');
            }
        }
    }

    /// A value, each variant with a letter of its own; floats by their bits.
    fn value(&mut self, value: &Value) {
        let mut number = |letter: char, number: &dyn std::fmt::Display| {
            let _ = write!(self.0, "{letter}{number};");
        };
        match value {
            Value::Absent => self.0.push('_'),
            Value::Bool(x) => self.0.push(if *x { 't' } else { 'f' }),
            Value::I32(x) => number('i', x),
            Value::I64(x) => number('l', x),
            Value::U32(x) => number('u', x),
            Value::U64(x) => number('w', x),
            Value::Block(x) => number('k', x),
            Value::F32(x) => number('r', &x.to_bits()),
            Value::F64(x) => number('e', &x.to_bits()),
            Value::String(x) => {
                self.0.push('s');
                self.text(x);
            }
            Value::DType(x) => {
                self.0.push('y');
                self.text(x);
            }
            Value::Var(x) => {
                self.0.push('v');
                self.text(x);
            }
            Value::TypeProto(x) => {
                self.0.push('p');
                self.text(x);
            }
            Value::Bytes(bytes) => {
                self.0.push('b');
                self.numbers(bytes.iter());
            }
            Value::Complex128(x) => {
                self.0.push('z');
                self.number(x.re.to_bits());
                self.number(x.im.to_bits());
            }
            Value::Shape(shape) => {
                self.0.push('h');
                self.text(&shape.to_string());
            }
            Value::Tensor(x) => {
                self.0.push('n');
                self.tensor(x);
            }
            Value::SparseTensor(x) => {
                self.0.push('j');
                self.numbers(x.dims.iter());
                self.tensor(&x.indices);
                self.tensor(&x.values);
            }
            Value::Func(func) => {
                self.0.push('a');
                self.text(&func.name);
                for (name, value) in &func.attrs {
                    self.text(name);
                    self.value(value);
                }
                self.0.push('.');
            }
            Value::Scalar(scalar) => {
                self.0.push('c');
                self.value(&match scalar {
                    Scalar::Bool(x) => Value::Bool(*x),
                    Scalar::I64(x) => Value::I64(*x),
                    Scalar::F64(x) => Value::F64(*x),
                    Scalar::Complex128(x) => Value::Complex128(*x),
                });
            }
            Value::List(items) => {
                self.0.push('[');
                items.iter().for_each(|item| self.value(item));
                self.0.push(']');
            }
        }
    }
}

/// Reads fields at the beginning of a text.
struct Decoder(&'static str);

impl Decoder {
    fn letter(&mut self) -> Option<char> {
        let letter = self.0.chars().next()?;
        self.0 = &self.0[letter.len_utf8()..];
        Some(letter)
    }

    /// Takes the letter if it is the next.
    fn takes(&mut self, letter: char) -> bool {
        let rest = self.0.strip_prefix(letter);
        self.0 = rest.unwrap_or(self.0);
        rest.is_some()
    }

    fn until(&mut self, end: char) -> Option<&'static str> {
        let (text, rest) = self.0.split_once(end)?;
        self.0 = rest;
        Some(text)
    }

    fn text(&mut self) -> Option<&'static str> {
        let length = self.until('\'')?.parse().ok()?;
        let (text, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(text)
    }

    fn number<T: std::str::FromStr>(&mut self) -> Option<T> {
        self.until(';')?.parse().ok()
    }

    fn numbers<T: std::str::FromStr>(&mut self) -> Option<Vec<T>> {
        let mut numbers = Vec::new();
        while !self.takes('.') {
            numbers.push(self.number()?);
        }
        Some(numbers)
    }

    fn complex(&mut self) -> Option<Complex128> {
        Some(Complex128 { re: f64::from_bits(self.number()?), im: f64::from_bits(self.number()?) })
    }

    fn tensor(&mut self) -> Option<Tensor> {
        let (ty, dims) = (self.text()?.into(), self.numbers()?);
        let data = match self.letter()? {
            'b' => TensorData::Raw(self.numbers()?),
            '[' => {
                let mut items = Vec::new();
                while !self.takes(']') {
                    items.push(self.numbers()?);
                }
                TensorData::Strings(items)
            }
            _ => return None,
        };
        Some(Tensor { ty, dims, data })
    }

    fn part(&mut self) -> Part {
        if self.takes(QUANT) {
            Part::Quant
        } else if self.takes(EXTRA) {
            Part::Extra
        } else {
            Part::Def
        }
    }

    fn arg(&mut self) -> Option<ArgDef> {
        let (dispensable, duplicable) = (self.takes(DISPENSABLE), self.takes(DUPLICABLE));
        let (intermediate, heterogeneous) = (self.takes(INTERMEDIATE), self.takes(HETEROGENEOUS));
        let (by_ref, part) = (self.takes(BY_REF), self.part());
        let arg = ArgDef::new(self.text()?);
        Some(ArgDef { dispensable, duplicable, intermediate, part, heterogeneous, by_ref, ..arg })
    }

    fn attr(&mut self) -> Option<AttrDef> {
        let (generated, part) = (self.takes(GENERATED), self.part());
        let (name, ty) = (self.text()?, self.text()?.parse::<AttrType>().ok()?);
        Some(AttrDef { generated, part, default: None, ..AttrDef::new(name, ty) })
    }

    fn value(&mut self) -> Option<Value> {
        Some(match self.letter()? {
            '_' => Value::Absent,
            't' => Value::Bool(true),
            'f' => Value::Bool(false),
            'i' => Value::I32(self.number()?),
            'l' => Value::I64(self.number()?),
            'u' => Value::U32(self.number()?),
            'w' => Value::U64(self.number()?),
            'k' => Value::Block(self.number()?),
            'r' => Value::F32(f32::from_bits(self.number()?)),
            'e' => Value::F64(f64::from_bits(self.number()?)),
            's' => Value::String(self.text()?.into()),
            'y' => Value::DType(self.text()?.into()),
            'v' => Value::Var(self.text()?.into()),
            'p' => Value::TypeProto(self.text()?.into()),
            'b' => Value::Bytes(List::Owned(self.numbers()?)),
            'z' => Value::Complex128(self.complex()?),
            'h' => Value::Shape(self.text()?.parse().ok()?),
            'n' => Value::Tensor(Box::new(self.tensor()?)),
            'j' => {
                let (dims, indices, values) = (self.numbers()?, self.tensor()?, self.tensor()?);
                Value::SparseTensor(Box::new(SparseTensor { dims, indices, values }))
            }
            'a' => {
                let mut func = Func::new(self.text()?);
                while !self.takes('.') {
                    func.attrs.insert(self.text()?.to_owned(), self.value()?);
                }
                Value::Func(Box::new(func))
            }
            'c' => Value::Scalar(match self.value()? {
                Value::Bool(x) => Scalar::Bool(x),
                Value::I64(x) => Scalar::I64(x),
                Value::F64(x) => Scalar::F64(x),
                Value::Complex128(x) => Scalar::Complex128(x),
                _ => return None,
            }),
            '[' => {
                let mut items = Vec::new();
                while !self.takes(']') {
                    items.push(self.value()?);
                }
                Value::list(items)
            }
            _ => return None,
        })
    }
}
