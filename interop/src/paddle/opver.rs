//! `PaddlePaddle`'s registry of op versions (`.opver.json`): what each change of an operator announced.
//!
//! `{op: {"version": N, "checkpoints": [[{"type": "kNewAttr", "name": …, "default_value": …}]]}}`, the oldest checkpoint first.

use std::collections::BTreeMap;

use oplock_core::did_you_mean;

use crate::json::{self, Fault, JsonError, Node, Tree};

/// The registry of a release.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OpVersions {
    /// By the operator's name; an operator that is not here is at version 0.
    pub ops: BTreeMap<String, OpVersion>,
}

/// The versions of one operator.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OpVersion {
    /// The version now: how many checkpoints there are.
    pub version: u32,
    /// What each version brought, from version 1.
    pub checkpoints: Vec<Vec<Update>>,
}

/// One announced change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Update {
    /// What kind of change it is.
    pub kind: UpdateKind,
    /// The item; none where the behaviour changed.
    pub item: Option<String>,
    /// The default that the announcement states, as JSON; none where it states none or none that could be read.
    pub default: Option<String>,
}

/// The kinds of change that can be announced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum UpdateKind {
    /// `kNewAttr`
    NewAttr,
    /// `kModifyAttr`
    ModifyAttr,
    /// `kDeleteAttr`
    DeleteAttr,
    /// `kNewInput`
    NewInput,
    /// `kModifyInput`
    ModifyInput,
    /// `kDeleteInput`
    DeleteInput,
    /// `kNewOutput`
    NewOutput,
    /// `kModifyOutput`
    ModifyOutput,
    /// `kDeleteOutput`
    DeleteOutput,
    /// `kBugfixWithBehaviorChanged`: not of an item, but of what the operator computes.
    BehaviorChanged,
}

const KINDS: [(&str, UpdateKind); 10] = [
    ("kNewAttr", UpdateKind::NewAttr),
    ("kModifyAttr", UpdateKind::ModifyAttr),
    ("kDeleteAttr", UpdateKind::DeleteAttr),
    ("kNewInput", UpdateKind::NewInput),
    ("kModifyInput", UpdateKind::ModifyInput),
    ("kDeleteInput", UpdateKind::DeleteInput),
    ("kNewOutput", UpdateKind::NewOutput),
    ("kModifyOutput", UpdateKind::ModifyOutput),
    ("kDeleteOutput", UpdateKind::DeleteOutput),
    ("kBugfixWithBehaviorChanged", UpdateKind::BehaviorChanged),
];

impl OpVersions {
    /// Reads a `.opver.json`.
    ///
    /// # Errors
    ///
    /// When the text is not JSON, is of another shape, or gives a version that is not the number of its checkpoints.
    pub fn parse(text: &str) -> Result<Self, JsonError> {
        let read = || {
            let mut ops = BTreeMap::new();
            for (name, node) in json::parse(text)?.object()? {
                let version = op(node).map_err(|fault| fault.within(format!("operator `{name}`")))?;
                ops.insert(name.clone(), version);
            }
            Ok(OpVersions { ops })
        };
        read().map_err(|fault: Fault| fault.locate(text))
    }

    /// Whether the newest checkpoint of the operator announces that change of that item.
    pub fn last_announces(&self, op: &str, kind: UpdateKind, item: &str) -> bool {
        let last = self.ops.get(op).and_then(|op| op.checkpoints.last());
        last.is_some_and(|updates| {
            updates.iter().any(|update| update.kind == kind && update.item.as_deref() == Some(item))
        })
    }
}

fn op(node: &Node) -> Result<OpVersion, Fault> {
    let members = node.known(["version", "checkpoints"])?;
    let version: u32 = members.need("version")?.number("a version").map_err(|fault| fault.within("`version`"))?;
    let list = members.need("checkpoints")?;
    let mut checkpoints = Vec::new();
    for (i, node) in list.list().map_err(|fault| fault.within("`checkpoints`"))?.iter().enumerate() {
        let read = || node.list()?.iter().map(update).collect::<Result<Vec<_>, _>>();
        checkpoints.push(read().map_err(|fault| fault.within(format!("checkpoint {}", i + 1)))?);
    }
    if checkpoints.len() != version as usize {
        return Err(
            list.fault(format!("version {version} has {version} checkpoints, and here are {}", checkpoints.len()))
        );
    }
    Ok(OpVersion { version, checkpoints })
}

fn update(node: &Node) -> Result<Update, Fault> {
    let members = node.known(["type", "name", "default_value", "default_value_unreadable"])?;
    let ty = members.need("type")?;
    let name = ty.text()?;
    let kind = KINDS.iter().find(|(known, _)| *known == name).map(|(_, kind)| *kind).ok_or_else(|| {
        let hint = did_you_mean(name, KINDS.map(|(known, _)| known));
        ty.fault(format!("{name:?} is not a kind of change{hint}"))
    })?;
    let item = match (kind, members.get("name")) {
        (UpdateKind::BehaviorChanged, None) => None,
        (UpdateKind::BehaviorChanged, Some(node)) => return Err(node.fault(format!("`{name}` is of no item"))),
        (_, _) => Some(members.need("name")?.text()?.to_owned()),
    };
    if let Some(unreadable) = members.get("default_value_unreadable") {
        unreadable.flag()?;
    }
    let default = members.get("default_value").map(as_json);
    Ok(Update { kind, item, default })
}

/// The value as JSON again.
fn as_json(node: &Node) -> String {
    match &node.tree {
        Tree::Null => "null".to_owned(),
        Tree::Bool(x) => x.to_string(),
        Tree::Number(text) => text.clone(),
        Tree::String(text) => serde_json::Value::from(text.as_str()).to_string(),
        Tree::List(items) => format!("[{}]", items.iter().map(as_json).collect::<Vec<_>>().join(", ")),
        Tree::Object(members) => {
            let member =
                |(key, node): &(String, Node)| format!("{}: {}", serde_json::Value::from(key.as_str()), as_json(node));
            format!("{{{}}}", members.iter().map(member).collect::<Vec<_>>().join(", "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_registry_is_read() {
        let text = "{\"adam\": {\"version\": 2, \"checkpoints\": [\n\
            [{\"type\": \"kNewAttr\", \"name\": \"lazy\", \"default_value\": false}, {\"type\": \"kBugfixWithBehaviorChanged\"}],\n\
            [{\"type\": \"kNewInput\", \"name\": \"X\"}, {\"type\": \"kDeleteAttr\", \"name\": \"y\", \"default_value_unreadable\": true}]]}}";
        let versions = OpVersions::parse(text).unwrap();
        let update = |kind, item: Option<&str>, default: Option<&str>| Update {
            kind,
            item: item.map(str::to_owned),
            default: default.map(str::to_owned),
        };
        assert_eq!(
            versions.ops["adam"].checkpoints,
            [
                vec![
                    update(UpdateKind::NewAttr, Some("lazy"), Some("false")),
                    update(UpdateKind::BehaviorChanged, None, None)
                ],
                vec![update(UpdateKind::NewInput, Some("X"), None), update(UpdateKind::DeleteAttr, Some("y"), None)],
            ]
        );
        assert!(versions.last_announces("adam", UpdateKind::NewInput, "X"));
        assert!(!versions.last_announces("adam", UpdateKind::NewOutput, "X"));
        assert!(!versions.last_announces("adam", UpdateKind::NewAttr, "lazy"), "only the last checkpoint counts");
        assert!(!versions.last_announces("sgd", UpdateKind::NewInput, "X"));
    }

    #[test]
    fn other_shapes_are_refused_where_they_stand() {
        for (text, expected) in [
            ("[]", "1:1: this must be an object, not a list"),
            ("{\"a\": {\"version\": 1}}", "1:7: operator `a`: `checkpoints` is missing"),
            (
                "{\"a\":\n{\"version\": 2, \"checkpoints\": [[]]}}",
                "2:31: operator `a`: version 2 has 2 checkpoints, and here are 1",
            ),
            (
                "{\"a\": {\"version\": 1, \"checkpoints\": [[{\"type\": \"kNewAtr\", \"name\": \"x\"}]]}}",
                "1:48: operator `a`, checkpoint 1: \"kNewAtr\" is not a kind of change; did you mean `kNewAttr`?",
            ),
            (
                "{\"a\": {\"version\": 1, \"checkpoints\": [[{\"type\": \"kNewAttr\"}]]}}",
                "1:39: operator `a`, checkpoint 1: `name` is missing",
            ),
            (
                "{\"a\": {\"version\": \"1\", \"checkpoints\": []}}",
                "1:19: operator `a`, `version`: this must be a version, not the string \"1\"",
            ),
        ] {
            assert_eq!(OpVersions::parse(text).unwrap_err().to_string(), expected);
        }
    }
}
