//! ONNX's rule for its schemas: what was published under a version stays as it is.
//!
//! ONNX changes an operator by a new schema under a new version of the domain (`docs/Versioning.md` of ONNX, "Operator
//! versioning"). So any difference under one domain, name and version is an error, and so is a schema that is gone, or a new one
//! under a version that an earlier release had published already.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;

use oplock_core::{Kind, Value};

use super::{Judgement, PeerFinding};
use crate::onnx::{Attribute, Constraint, Occurrence, Operand, Schema, SchemaKey};

/// Judges the schemas of a newer release by those of an older one.
pub fn judge(old: &BTreeMap<SchemaKey, Schema>, new: &BTreeMap<SchemaKey, Schema>) -> Judgement {
    let mut newest: BTreeMap<&str, u32> = BTreeMap::new();
    for key in old.keys() {
        let version = newest.entry(&key.domain).or_default();
        *version = key.since_version.max(*version);
    }
    let mut findings = Vec::new();
    for (key, was) in old {
        match new.get(key) {
            None => findings.push(PeerFinding::of_op("deleted", key.to_string(), "the schema is gone")),
            Some(is) => Difference { op: key.to_string(), findings: &mut findings }.schema(was, is),
        }
    }
    for key in new.keys().filter(|key| !old.contains_key(key)) {
        let Some(published) = newest.get(key.domain.as_str()) else { continue };
        if key.since_version <= *published {
            let text =
                format!("the schema is new, and version {} of its domain was published without it", key.since_version);
            findings.push(PeerFinding::of_op("added_to_published_version", key.to_string(), text));
        }
    }
    findings.sort_by(|a, b| a.op.cmp(&b.op));
    Judgement { findings, report: None }
}

/// What differs of one schema.
struct Difference<'a> {
    op: String,
    findings: &'a mut Vec<PeerFinding>,
}

impl Difference<'_> {
    fn schema(&mut self, was: &Schema, is: &Schema) {
        self.field(None, "mark `deprecated`", &was.deprecated, &is.deprecated);
        self.field(None, "mark `experimental`", &was.experimental, &is.experimental);
        self.operands(Kind::Input, &was.inputs, &is.inputs);
        self.operands(Kind::Output, &was.outputs, &is.outputs);
        let attributes = both(&was.attributes, &is.attributes, |attribute| &attribute.name);
        self.came_or_went(Kind::Attr, &attributes);
        for (was, is) in attributes.into_iter().filter_map(in_both) {
            self.attribute(was, is);
        }
        for (was, is) in both(&was.type_constraints, &is.type_constraints, |constraint| &constraint.name) {
            self.constraint(was, is);
        }
    }

    fn operands(&mut self, kind: Kind, was: &[Operand], is: &[Operand]) {
        let operands = both(was, is, |operand| &operand.name);
        self.came_or_went(kind, &operands);
        let stayed: Vec<_> = operands.into_iter().filter_map(in_both).collect();
        let position = |operands: &[Operand], operand: &Operand| operands.iter().position(|it| it.name == operand.name);
        if stayed.iter().any(|(old, new)| position(was, old) != position(is, new)) {
            let names =
                |operands: &[Operand]| operands.iter().map(|it| it.name.as_str()).collect::<Vec<_>>().join(", ");
            self.find(None, format!("the {kind}s were `{}` in this order and are `{}`", names(was), names(is)));
        }
        for (was, is) in stayed {
            let at = Some((kind, was.name.as_str()));
            self.field(at, "option", &option(was.occurrence), &option(is.occurrence));
            self.field(at, "mark `homogeneous`", &was.homogeneous, &is.homogeneous);
            self.field(at, "type", &was.ty, &is.ty);
        }
    }

    fn attribute(&mut self, was: &Attribute, is: &Attribute) {
        let at = Some((Kind::Attr, was.name.as_str()));
        let default = |default: &Option<Value>| default.as_ref().map_or_else(|| "none".to_owned(), Value::to_string);
        self.field(at, "type", &was.ty, &is.ty);
        self.field(at, "mark `required`", &was.required, &is.required);
        if was.default != is.default {
            self.field(at, "default", &default(&was.default), &default(&is.default));
        }
    }

    fn constraint(&mut self, was: Option<&Constraint>, is: Option<&Constraint>) {
        let (was, is) = match (was, is) {
            (Some(was), Some(is)) => (was, is),
            (Some(gone), None) => return self.find(None, format!("the type constraint `{}` is gone", gone.name)),
            (None, Some(new)) => return self.find(None, format!("the type constraint `{}` is new", new.name)),
            (None, None) => return,
        };
        let number = |constraint: &Constraint, ty: &String| constraint.allowed.iter().filter(|it| *it == ty).count();
        let types: BTreeSet<_> = was.allowed.iter().chain(&is.allowed).collect();
        for ty in types {
            let text = match (number(was, ty), number(is, ty)) {
                (before, now) if before == now => continue,
                (0, _) => format!("the type constraint `{}` allows `{ty}`, which it did not", was.name),
                (_, 0) => format!("the type constraint `{}` no longer allows `{ty}`", was.name),
                (before, now) => {
                    format!(
                        "the type constraint `{}` names `{ty}` {}, and named it {}",
                        was.name,
                        often(now),
                        often(before)
                    )
                }
            };
            self.find(None, text);
        }
    }

    fn came_or_went<T: Named>(&mut self, kind: Kind, items: &[(Option<&T>, Option<&T>)]) {
        for (was, is) in items {
            let (name, what) = match (was, is) {
                (Some(gone), None) => (gone.name(), "gone"),
                (None, Some(new)) => (new.name(), "new"),
                _ => continue,
            };
            self.find(Some((kind, name)), format!("the {kind} `{name}` is {what}"));
        }
    }

    fn field<T: Display + PartialEq>(&mut self, at: Option<(Kind, &str)>, field: &str, was: &T, is: &T) {
        if was != is {
            let of = at.map(|(kind, item)| format!(" of {kind} `{item}`")).unwrap_or_default();
            self.find(at, format!("the {field}{of} changed from `{was}` to `{is}`"));
        }
    }

    fn find(&mut self, at: Option<(Kind, &str)>, text: String) {
        let finding = PeerFinding::of_op("changed_in_place", self.op.clone(), text);
        self.findings.push(match at {
            Some((kind, item)) => finding.at(kind, item),
            None => finding,
        });
    }
}

/// The items of both sides by name: the older side's in their order, then what is only in the newer.
fn both<'a, T>(was: &'a [T], is: &'a [T], name: fn(&T) -> &String) -> Vec<(Option<&'a T>, Option<&'a T>)> {
    let of = |items: &'a [T], item: &T| items.iter().find(|other| name(other) == name(item));
    let new = is.iter().filter(|item| of(was, item).is_none()).map(|item| (None, Some(item)));
    was.iter().map(|item| (Some(item), of(is, item))).chain(new).collect()
}

fn in_both<'a, T>((was, is): (Option<&'a T>, Option<&'a T>)) -> Option<(&'a T, &'a T)> {
    was.zip(is)
}

fn often(times: usize) -> String {
    match times {
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        times => format!("{times} times"),
    }
}

fn option(occurrence: Occurrence) -> String {
    match occurrence {
        Occurrence::Single => "Single".to_owned(),
        Occurrence::Optional => "Optional".to_owned(),
        Occurrence::Variadic(least) => format!("Variadic, at least {least}"),
    }
}

trait Named {
    fn name(&self) -> &str;
}

impl Named for Operand {
    fn name(&self) -> &str {
        &self.name
    }
}

impl Named for Attribute {
    fn name(&self) -> &str {
        &self.name
    }
}
