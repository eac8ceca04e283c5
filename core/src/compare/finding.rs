//! One change, with what the rules say of it.

use std::fmt::{Display, Write as _};

use super::rules::{Case, FEATURE, Forward, Rule, SWAPPED, rule};
use crate::model::{COMMON, Kind, SavedKind, Value};
use crate::version::Bump;

/// One change of a signature and what it means.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// The rule by which the change is judged.
    pub rule: &'static Rule,
    /// The case of that rule.
    pub case: &'static Case,
    /// The operator; empty when the change is of data versions.
    pub op: String,
    /// The item; `None` when the change is of the operator itself.
    pub item: Option<(Kind, String)>,
    /// The kind of data whose versions changed.
    pub data: Option<SavedKind>,
    /// Which of its fields changed; `None` when the whole of it came or went.
    pub field: Option<&'static str>,
    /// What it was, as the lock writes it.
    pub from: Option<String>,
    /// What it is.
    pub to: Option<String>,
    /// The typed defaults, where those changed.
    pub defaults: Option<(Option<Value>, Option<Value>)>,
    /// The feature that the manifest lacks, where that is why.
    pub feature: Option<String>,
    /// The operand with which the item changed places.
    pub other: Option<String>,
    /// The least bump of the version.
    pub bump: Bump,
}

impl Finding {
    pub(super) fn op(name: &'static str, op: &str) -> Self {
        let rule = rule(name).unwrap_or_else(|| unreachable!("`{name}` is in the table of rules"));
        let case = &rule.cases[0];
        let bump = case.bump;
        let (item, data, field, from, to, defaults, feature) = (None, None, None, None, None, None, None);
        Finding { rule, case, op: op.to_owned(), item, data, field, from, to, defaults, feature, other: None, bump }
    }

    pub(super) fn item(name: &'static str, op: &str, kind: Kind, item: &str) -> Self {
        Finding { item: Some((kind, item.to_owned())), ..Finding::op(name, op) }
    }

    /// The whole of it came or went, or changed where nothing is promised.
    pub(super) fn between(self, from: impl Display, to: impl Display) -> Self {
        Finding { from: Some(from.to_string()), to: Some(to.to_string()), ..self }
    }

    /// One field of it changed.
    pub(super) fn field(self, field: &'static str, from: impl Display, to: impl Display) -> Self {
        self.field_between(field, from.to_string(), to.to_string())
    }

    fn field_between(mut self, field: &'static str, from: String, to: String) -> Self {
        if let Some((general, special)) = self.rule.cases.split_first() {
            self.case = special.iter().find(|case| case.is_for(field, &from, &to)).unwrap_or(general);
        }
        self.bump = self.case.bump;
        self.field = Some(field);
        (self.from, self.to) = (Some(from), Some(to));
        self
    }

    /// An item that was Extra carries a promise now. That is an addition of the whole item, with words of its own.
    pub(super) fn promoted(self, from: impl Display, to: impl Display) -> Self {
        Finding { field: None, ..self.field("extra", true, false) }.between(from, to)
    }

    /// It changed places with that operand.
    pub(super) fn swapped(&mut self, other: &str) {
        self.case = self.rule.cases.iter().find(|case| case.field == SWAPPED).unwrap_or(self.case);
        self.other = Some(other.to_owned());
    }

    /// The same, told as what a feature does that the manifest does not define.
    pub(crate) fn without_feature(mut self, feature: &str) -> Self {
        self.case = self.rule.cases.iter().find(|case| case.field == FEATURE).unwrap_or(self.case);
        self.feature = Some(feature.to_owned());
        self
    }

    /// What is deleted is read under another name: what its alias stands for.
    pub(crate) fn renamed(self, from: impl Display, to: &str) -> Self {
        Finding { field: None, ..self.field("alias", &from, to) }
    }

    /// What a declaration must not say, given what was released.
    pub(crate) fn declared(
        rule: &'static str,
        op: &str,
        item: Option<&(Kind, String)>,
        field: &'static str,
        from: impl Display,
        to: impl Display,
    ) -> Self {
        Finding { item: item.cloned(), ..Finding::op(rule, op) }.field(field, from, to)
    }

    /// What a release has sealed by that rule.
    pub(crate) fn of_row(
        rule: &'static Rule,
        op: &str,
        item: Option<&(Kind, String)>,
        from: impl Display,
        to: impl Display,
    ) -> Self {
        Finding { item: item.cloned(), ..Finding::op(rule.name, op) }.between(from, to)
    }

    /// A name that was deleted stands for something else now.
    pub(crate) fn name_reused(op: &str, item: Option<&(Kind, String)>, from: impl Display, to: impl Display) -> Self {
        Finding { item: item.cloned(), ..Finding::op("name_reused", op) }.between(from, to)
    }

    /// Something changed of the data versions of one kind.
    pub(crate) fn data(name: &'static str, kind: SavedKind, from: impl Display, to: impl Display) -> Self {
        Finding { data: Some(kind), ..Finding::op(name, "") }.between(from, to)
    }

    /// Something of a break: that it takes no data version, that nothing covers it.
    pub(crate) fn of_break(
        name: &'static str,
        (op, item): (&str, Option<&(Kind, String)>),
        from: impl Display,
        to: impl Display,
    ) -> Self {
        Finding { item: item.cloned(), ..Finding::op(name, op) }.between(from, to)
    }

    /// Whether it is of an operator's signature, and not of data versions and upgrades.
    pub fn is_of_signature(&self) -> bool {
        !super::data_rules::DATA_RULES.iter().any(|rule| rule.name == self.rule.name)
    }

    /// The same finding as the case of that field has it.
    pub(crate) fn with_case_of(self, field: &'static str) -> Self {
        let (from, to) = (self.from.clone().unwrap_or_default(), self.to.clone().unwrap_or_default());
        self.field(field, from, to)
    }

    /// The same finding where no release could have been broken by it.
    pub(crate) fn with_bump_of_nothing(self) -> Self {
        Finding { bump: Bump::Patch, ..self }
    }

    /// Whether an item that nothing promised before is promised now.
    pub fn is_addition(&self) -> bool {
        let is_of_something_there = matches!(self.rule.name, "extra_added" | "attr_value_added" | "alias_added");
        self.item.is_some() && self.rule.name.contains("_added") && !is_of_something_there
    }

    pub(super) fn defaults(mut self, from: Option<Value>, to: Option<Value>) -> Self {
        self.defaults = Some((from, to));
        self
    }

    pub(super) fn lift_relaxation(&mut self) {
        if self.case.relaxation {
            self.bump = Bump::Minor;
        }
    }

    /// Whether the change is a break: only a major version may make it.
    pub fn is_break(&self) -> bool {
        self.bump == Bump::Major
    }

    /// Do graphs of older releases load, with the meaning that they had?
    pub fn backward(&self) -> bool {
        self.case.backward
    }

    /// Do graphs of the new release load in older ones?
    pub fn forward(&self) -> Forward {
        self.case.forward
    }

    /// What changed, in one sentence without a full stop.
    pub fn message(&self) -> String {
        self.fill(self.case.message, "")
    }

    /// Which graph no longer loads or changes its meaning; empty where none does. `saved` says which graphs are
    /// meant: "saved since 1.2.0".
    pub fn breaks(&self, saved: &str) -> String {
        if self.op == COMMON {
            return self.fill(&self.case.breaks.replace("of `{op}`", "of any operator"), saved);
        }
        self.fill(self.case.breaks, saved)
    }

    /// The smallest way back to what was promised.
    pub fn remedy(&self) -> String {
        self.fill(self.case.remedy, "")
    }

    /// `slice`, `slice.starts` or `saved.graph`: what a command takes as its argument.
    pub fn path(&self) -> String {
        match &self.item {
            None => self.data.map_or_else(|| self.op.clone(), |kind| format!("saved.{kind}")),
            Some((_, item)) => format!("{}.{item}", self.op),
        }
    }

    fn fill(&self, template: &str, saved: &str) -> String {
        if self.op == COMMON {
            // What is said of an operator is said of all.
            let template = template
                .replace("operator `{op}` is added", "attributes of all operators are added")
                .replace("`{op}` node", "node")
                .replace("uses `{op}`", "uses any operator")
                .replace("of `{op}`", "of all operators")
                .replace("`{op}`", "every operator");
            return self.fill_in(&template, saved);
        }
        self.fill_in(template, saved)
    }

    fn fill_in(&self, template: &str, saved: &str) -> String {
        let (kind, item) = match &self.item {
            Some((kind, item)) => (kind.noun(), item.as_str()),
            None => ("operator", self.op.as_str()),
        };
        let mut text = String::with_capacity(template.len() + 64);
        let mut rest = template;
        while let Some((before, after)) = rest.split_once('{') {
            text.push_str(before);
            let Some((name, after)) = after.split_once('}') else {
                rest = after;
                break;
            };
            match name {
                "op" => text.push_str(&self.op),
                "saved" => text.push_str(saved),
                "other" => text.push_str(self.other.as_deref().unwrap_or_default()),
                "kind" => text.push_str(kind),
                "subject" if self.op == COMMON => {
                    let _ = write!(text, "{kind} `{item}` of all operators");
                }
                "subject" if self.item.is_none() => {
                    let _ = write!(text, "operator `{item}`");
                }
                "subject" => {
                    let _ = write!(text, "{kind} `{item}` of `{}`", self.op);
                }
                "item" => text.push_str(item),
                "data" => text.push_str(self.data.map(SavedKind::key).unwrap_or_default()),
                "field" => text.push_str(self.field.unwrap_or_default()),
                "from" => text.push_str(self.from.as_deref().unwrap_or_default()),
                "feature" => text.push_str(self.feature.as_deref().unwrap_or_default()),
                "to" => text.push_str(self.to.as_deref().unwrap_or_default()),
                other => {
                    text.push('{');
                    text.push_str(other);
                    text.push('}');
                }
            }
            rest = after;
        }
        text.push_str(rest);
        text
    }
}
