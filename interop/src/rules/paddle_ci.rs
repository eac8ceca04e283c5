//! What `PaddlePaddle`'s own check prints of two op descriptions.
//!
//! It is stricter and odder than the rules that `PaddlePaddle` publishes, and it is followed to the letter:
//!
//! - Extra items are held like any other, but for an addition. An operator that is deleted or new is not looked at.
//! - Only the keys that the older file has are compared. A key that only the newer one has makes the check print its
//!   report, and nothing in it says why.
//! - An operator is named also where nothing is said of it: in the first part when only Extra items were added, in the
//!   second when an Extra operand was.
//! - A change of any attribute that is not announced accuses all changed attributes of the operator that were not Extra.
//! - Values are compared and printed as Python does it: a default that went from `1` to `1.0` did not change, and one that
//!   stays `NaN` did where anything else of the attribute has.
//!
//! The order of what is said of one operator's items is that of the files; the check itself leaves it open.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use oplock_core::Kind;

use super::{Judgement, PeerFinding};
use crate::json::{Node, Tree};
use crate::paddle::desc::{Item, Items, OpDescs};
use crate::paddle::opver::{OpVersions, UpdateKind};
use crate::paddle::python;

const FRAME: &str = "------------------------------\n";
const RULE: &str = "\n======================= \n";

/// Judges the newer op description by the older one, and by what the newer release has announced.
pub fn judge(old: &OpDescs, new: &OpDescs, announced: &OpVersions) -> Judgement {
    let newer: BTreeMap<_, _> = new.ops.iter().map(|(name, op)| (name.as_str(), op)).collect();
    let (mut fails, mut findings) = (false, Vec::new());
    let (mut descriptions, mut registrations) = (String::new(), String::new());
    for (name, was) in &old.ops {
        let Some(is) = newer.get(name.as_str()) else { continue };
        let mut op = Op::new(name, announced);
        op.operands(Kind::Input, &was.inputs, &is.inputs);
        op.operands(Kind::Output, &was.outputs, &is.outputs);
        op.attrs(&was.attrs, &is.attrs);
        fails |= op.fails;
        section(&mut descriptions, name, op.is_named, &op.descriptions);
        section(&mut registrations, name, op.is_named_as_unregistered, &op.registrations);
        findings.append(&mut op.descriptions);
        findings.append(&mut op.registrations);
    }
    let report = format!(
        "{FRAME}{RULE}Op desc error for the changes of Inputs/Outputs/Attrs of OPs:\n\n{descriptions}\
         {RULE}Operator registration error for the changes of Inputs/Outputs/Attrs of OPs:\n\n{registrations}{FRAME}"
    );
    Judgement { findings, report: fails.then_some(report) }
}

/// The part of a report that names one operator.
fn section(text: &mut String, op: &str, is_named: bool, findings: &[PeerFinding]) {
    if is_named {
        let _ = writeln!(text, "For OP '{op}':");
    }
    for finding in findings {
        let _ = writeln!(text, " * {}", finding.text);
    }
}

/// What is said of one operator.
struct Op<'a> {
    name: &'a str,
    announced: &'a OpVersions,
    /// Whether it is enough to print the report.
    fails: bool,
    /// Whether the first part names the operator, with or without a word on it.
    is_named: bool,
    descriptions: Vec<PeerFinding>,
    /// Whether the second part does.
    is_named_as_unregistered: bool,
    registrations: Vec<PeerFinding>,
}

/// The items of one kind: those that came, those that went, and what changed in those that stayed.
struct Difference<'a> {
    added: Vec<&'a (String, Item)>,
    deleted: Vec<&'a str>,
    /// The older item, and each of its keys that has another value now.
    changed: Vec<(&'a (String, Item), Vec<Changed<'a>>)>,
    /// Whether any item that stayed is not the same, be it in a key that only the newer has.
    is_any_other: bool,
}

/// A key, and its values in the older file and in the newer, which may lack it.
type Changed<'a> = (&'a str, &'a Node, Option<&'a Node>);

impl<'a> Difference<'a> {
    fn of(old: &'a Items, new: &'a Items) -> Self {
        let find = |items: &'a Items, name: &str| items.iter().find(|(other, _)| other == name);
        let mut difference = Difference {
            added: new.iter().filter(|(name, _)| find(old, name).is_none()).collect(),
            deleted: Vec::new(),
            changed: Vec::new(),
            is_any_other: false,
        };
        for item in old {
            let Some((_, is)) = find(new, &item.0) else {
                difference.deleted.push(&item.0);
                continue;
            };
            if python::same_members(&item.1, is) {
                continue;
            }
            difference.is_any_other = true;
            let keys = item.1.iter().map(|(key, value)| (key.as_str(), value, get(is, key)));
            let keys: Vec<_> = keys.filter(|(_, was, is)| !equal(was, *is)).collect();
            if !keys.is_empty() {
                difference.changed.push((item, keys));
            }
        }
        difference
    }

    fn is_named(&self) -> bool {
        !(self.added.is_empty() && self.deleted.is_empty() && self.changed.is_empty())
    }
}

fn get<'a>(item: &'a Item, key: &str) -> Option<&'a Node> {
    item.iter().find(|(known, _)| known == key).map(|(_, value)| value)
}

/// What is missing is Python's `None`.
fn equal(was: &Node, is: Option<&Node>) -> bool {
    is.map_or_else(|| matches!(was.tree, Tree::Null), |is| python::equal(was, is))
}

fn has(item: &Item, key: &str) -> bool {
    get(item, key).is_some_and(python::is_true)
}

impl<'a> Op<'a> {
    const fn new(name: &'a str, announced: &'a OpVersions) -> Self {
        Op {
            name,
            announced,
            fails: false,
            is_named: false,
            descriptions: Vec::new(),
            is_named_as_unregistered: false,
            registrations: Vec::new(),
        }
    }

    fn operands(&mut self, kind: Kind, old: &'a Items, new: &'a Items) {
        let (noun, announcement) = match kind {
            Kind::Input => ("Input", UpdateKind::NewInput),
            _ => ("Output", UpdateKind::NewOutput),
        };
        let difference = Difference::of(old, new);
        for (name, _) in difference.added.iter().filter(|(_, item)| !has(item, "dispensable")) {
            let text = format!("The added {noun} '{name}' is not dispensable.");
            self.describe("added_not_dispensable", kind, name, text);
        }
        self.gone_or_changed(kind, noun, &difference);
        let added = difference.added.iter().filter(|(_, item)| !has(item, "extra"));
        let (quant, def): (Vec<_>, Vec<_>) = added.partition(|(_, item)| has(item, "quant"));
        self.needs_review(kind, noun, &quant, &def);
        for (name, item) in &difference.added {
            if self.is_announced(announcement, name) {
                continue;
            }
            self.is_named_as_unregistered = true;
            if !has(item, "extra") {
                let text = format!("The added {} '{name}' is not yet registered.", noun.to_lowercase());
                self.registrations.push(self.finding("addition_not_registered", kind, name, text));
            }
        }
    }

    fn attrs(&mut self, old: &'a Items, new: &'a Items) {
        let difference = Difference::of(old, new);
        let kind = Kind::Attr;
        for (name, item) in &difference.added {
            if equal(&Node::NULL, get(item, "default_value")) {
                let text = format!("The added attr '{name}' doesn't set default value.");
                self.describe("added_without_default", kind, name, text);
            }
        }
        self.gone_or_changed(kind, "attr", &difference);
        let added = difference.added.iter();
        let quant: Vec<_> = added.clone().filter(|(_, item)| has(item, "quant")).collect();
        let def: Vec<_> = added.filter(|(_, item)| !has(item, "extra") && !has(item, "quant")).collect();
        self.needs_review(kind, "attr", &quant, &def);
        for (name, item) in &difference.added {
            let must_be_announced = !has(item, "extra") || has(item, "quant");
            if must_be_announced && !self.is_announced(UpdateKind::NewAttr, name) {
                let text = format!("The added attribute '{name}' is not yet registered.");
                self.registrations.push(self.finding("addition_not_registered", kind, name, text));
            }
        }
        let mut changed = difference.changed.iter().map(|(item, _)| item);
        if changed.clone().any(|(name, _)| !self.is_announced(UpdateKind::ModifyAttr, name)) {
            for (name, _) in changed.by_ref().filter(|(_, item)| !has(item, "extra")) {
                let text = format!("The change of attribute '{name}' is not yet registered.");
                self.registrations.push(self.finding("change_not_registered", kind, name, text));
            }
        }
        self.is_named_as_unregistered |=
            self.registrations.iter().any(|finding| matches!(finding.item, Some((Kind::Attr, _))));
    }

    /// What is said of an operand and of an attribute alike.
    fn gone_or_changed(&mut self, kind: Kind, noun: &str, difference: &Difference<'_>) {
        self.is_named |= difference.is_named();
        self.fails |= difference.is_any_other;
        for name in &difference.deleted {
            self.describe("deleted", kind, name, format!("The {noun} '{name}' is deleted."));
        }
        for ((name, _), keys) in &difference.changed {
            for (key, was, is) in keys {
                let (was, is) = (python::str(was), is.map_or_else(|| "None".to_owned(), python::str));
                let text = format!("The arg '{key}' of {noun} '{name}' is changed: from '{was}' to '{is}'.");
                self.describe("changed", kind, name, text);
            }
        }
    }

    fn needs_review(&mut self, kind: Kind, noun: &str, quant: &[&&(String, Item)], def: &[&&(String, Item)]) {
        for (name, _) in quant {
            let text = format!("The added {noun} '{name}' is `quant`, need slim to review.");
            self.describe("added_quant", kind, name, text);
        }
        for (name, _) in def {
            let text = format!("The added {noun} '{name}' is `def`, need inference to review.");
            self.describe("added_def", kind, name, text);
        }
    }

    fn describe(&mut self, rule: &'static str, kind: Kind, item: &str, text: String) {
        self.fails = true;
        self.descriptions.push(self.finding(rule, kind, item, text));
    }

    fn finding(&self, rule: &'static str, kind: Kind, item: &str, text: String) -> PeerFinding {
        PeerFinding::of_op(rule, self.name, text).at(kind, item)
    }

    fn is_announced(&self, kind: UpdateKind, item: &str) -> bool {
        self.announced.last_announces(self.name, kind, item)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FLAGS: &str = "\"duplicable\": false, \"dispensable\": true, \"intermediate\": false";

    /// A file of the operator `o` with the input `X` and the attribute `a`, and what is added to each list.
    fn descs(input: &str, attr: &str) -> OpDescs {
        let text = format!(
            "{{\"o\": {{\"Inputs\": {{\"X\": {{{FLAGS}}}{input}}}, \"Outputs\": {{}}, \"Attrs\": {{{attr}}}}}}}"
        );
        OpDescs::parse(&text).unwrap()
    }

    fn attr(name: &str, default: &str, extra: bool, quant: bool) -> String {
        format!("\"{name}\": {{\"type\": 1, \"default_value\": {default}, \"extra\": {extra}, \"quant\": {quant}}}")
    }

    /// The two parts of the report, without the frame; empty where nothing is printed.
    fn parts(old: &OpDescs, new: &OpDescs, announced: &str) -> [String; 2] {
        let Some(report) = judge(old, new, &OpVersions::parse(announced).unwrap()).report else {
            return Default::default();
        };
        let (first, second) = report.split_once("Operator registration error").unwrap();
        let part = |text: &str| {
            let lines = text.split_inclusive('\n');
            lines.filter(|line| line.starts_with(" *") || line.starts_with("For")).collect()
        };
        [part(first), part(second)]
    }

    #[test]
    fn an_operand_that_is_added() {
        let add = |flags: &str| parts(&descs("", ""), &descs(&format!(", \"Y\": {{{flags}}}"), ""), "{}");
        let heading = "For OP 'o':\n";
        let review = " * The added Input 'Y' is `def`, need inference to review.\n";
        let unannounced = format!("{heading} * The added input 'Y' is not yet registered.\n");
        assert_eq!(add(FLAGS), [format!("{heading}{review}"), unannounced.clone()]);
        let required = " * The added Input 'Y' is not dispensable.\n";
        assert_eq!(add("\"dispensable\": false"), [format!("{heading}{required}{review}"), unannounced.clone()]);
        let quant = " * The added Input 'Y' is `quant`, need slim to review.\n";
        assert_eq!(add(&format!("{FLAGS}, \"quant\": true")), [format!("{heading}{quant}"), unannounced]);
        // It is all the same whether an Extra one is there; but where something else fails, it makes a heading.
        assert_eq!(add(&format!("{FLAGS}, \"extra\": true")), [String::new(), String::new()]);
        assert_eq!(
            add("\"dispensable\": false, \"extra\": true"),
            [format!("{heading}{required}"), heading.to_owned()]
        );
    }

    #[test]
    fn an_attribute_that_is_added() {
        let add = |new: &str, announced: &str| parts(&descs("", ""), &descs("", new), announced);
        let heading = "For OP 'o':\n";
        let review = " * The added attr 'a' is `def`, need inference to review.\n";
        let unannounced = format!("{heading} * The added attribute 'a' is not yet registered.\n");
        let def = attr("a", "1.0", false, false);
        assert_eq!(add(&def, "{}"), [format!("{heading}{review}"), unannounced.clone()]);
        let announced = "{\"o\": {\"version\": 1, \"checkpoints\": [[{\"type\": \"kNewAttr\", \"name\": \"a\"}]]}}";
        assert_eq!(add(&def, announced), [format!("{heading}{review}"), String::new()]);
        let since = announced.replace("]]}}", "], []]}}").replace("\"version\": 1", "\"version\": 2");
        assert_eq!(add(&def, &since)[1], unannounced, "only the last checkpoint counts");
        let none = " * The added attr 'a' doesn't set default value.\n";
        assert_eq!(add(&attr("a", "null", true, false), "{}"), [format!("{heading}{none}"), String::new()]);
        assert_eq!(add(&attr("a", "1.0", true, false), "{}"), [String::new(), String::new()]);
        // What is both is held like what is Quant.
        let quant = " * The added attr 'a' is `quant`, need slim to review.\n";
        assert_eq!(add(&attr("a", "1.0", true, true), "{}"), [format!("{heading}{quant}"), unannounced]);
    }

    #[test]
    fn a_default_that_changes() {
        let change = |was: &str, is: &str| {
            let [old, new] = [was, is].map(|default| descs("", &attr("a", default, false, false)));
            parts(&old, &new, "{}")[0].clone()
        };
        assert_eq!(change("1", "1.0"), "");
        assert_eq!(change("0", "false"), "");
        assert_eq!(change("0.0", "-0.0"), "");
        let changed = |was, is| {
            format!("For OP 'o':\n * The arg 'default_value' of attr 'a' is changed: from '{was}' to '{is}'.\n")
        };
        assert_eq!(change("NaN", "NaN"), "");
        assert_eq!(change("[\"a\", 1e-05]", "null"), changed("['a', 1e-05]", "None"));
        assert_eq!(change("\"a\"", "true"), changed("a", "True"));
    }

    #[test]
    fn a_default_that_stays_nan_is_said_to_change_with_anything_else() {
        let [old, new] = [false, true].map(|extra| descs("", &attr("a", "NaN", extra, false)));
        let expected = "For OP 'o':\n * The arg 'default_value' of attr 'a' is changed: from 'nan' to 'nan'.\n \
                        * The arg 'extra' of attr 'a' is changed: from 'False' to 'True'.\n";
        assert_eq!(parts(&old, &new, "{}")[0], expected);
        let [old, new] = [false, true].map(|extra| descs("", &attr("a", "[NaN]", extra, false)));
        assert!(!parts(&old, &new, "{}")[0].contains("nan"));
    }

    #[test]
    fn one_change_that_is_not_announced_accuses_all() {
        let attrs = |a: &str, b: &str, extra: &str| {
            let attrs = [attr("a", a, false, false), attr("b", b, false, false), attr("c", extra, true, false)];
            descs("", &attrs.join(", "))
        };
        let announced = "{\"o\": {\"version\": 1, \"checkpoints\": [[{\"type\": \"kModifyAttr\", \"name\": \"a\"}]]}}";
        let line = |name: &str| format!(" * The change of attribute '{name}' is not yet registered.\n");
        let registrations = |new: &OpDescs| parts(&attrs("1", "1", "1"), new, announced)[1].clone();
        assert_eq!(registrations(&attrs("2", "1", "1")), "");
        assert_eq!(registrations(&attrs("2", "2", "1")), format!("For OP 'o':\n{}{}", line("a"), line("b")));
        assert_eq!(registrations(&attrs("2", "1", "2")), format!("For OP 'o':\n{}", line("a")));
        assert_eq!(registrations(&attrs("1", "1", "2")), "");
    }

    #[test]
    fn a_key_that_one_side_lacks() {
        let with = OpDescs::parse("{\"o\": {\"Inputs\": {\"X\": {\"extra\": false}}, \"Outputs\": {}, \"Attrs\": {}}}")
            .unwrap();
        let without = OpDescs::parse("{\"o\": {\"Inputs\": {\"X\": {}}, \"Outputs\": {}, \"Attrs\": {}}}").unwrap();
        let none = OpVersions::default();
        let judged = judge(&without, &with, &none);
        assert!(judged.findings.is_empty() && judged.report.is_some() && !judged.is_clean(), "{judged:?}");
        let text = "The arg 'extra' of Input 'X' is changed: from 'False' to 'None'.";
        assert_eq!(judge(&with, &without, &none).findings[0].text, text);
    }

    #[test]
    fn operators_that_come_or_go_are_not_looked_at() {
        let none = OpDescs::parse("{}").unwrap();
        for (old, new) in [(&descs("", ""), &none), (&none, &descs("", ""))] {
            assert!(judge(old, new, &OpVersions::default()).is_clean());
        }
    }
}
