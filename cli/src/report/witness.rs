//! What is shown of a break: a graph that it harms, and what becomes of it.

use std::collections::BTreeMap;

use oplock_core::{COMMON, OpDef};
use oplock_graph::Refused;
use oplock_graph::witness::{Outcome, Releases, Witness, Writer, witness};
use serde_json::{Value, json};

use super::Item;

/// Whether a graph was sought that a break harms.
#[derive(Default)]
pub(crate) enum Sought {
    /// Nobody asked for it, or the change is no break of a signature.
    #[default]
    Not,
    /// Loading shows nothing of the break.
    InVain,
    /// There is one.
    Found(Box<Witness>),
}

impl Item {
    /// Seeks a graph that the change harms, where it is a break between these sets of operators.
    pub(crate) fn seek_witness(
        &mut self,
        releases: &Releases,
        olds: &BTreeMap<String, OpDef>,
        news: &BTreeMap<String, OpDef>,
    ) {
        let mut finding = self.finding().clone();
        if !finding.is_break() || !finding.is_of_signature() {
            return;
        }
        let finding = &mut finding;
        if finding.op == COMMON {
            // Any operator shows what harms all.
            let shown = olds.keys().find(|op| *op != COMMON && news.contains_key(*op));
            finding.op = shown.cloned().unwrap_or_default();
        }
        let whole = |ops: &BTreeMap<String, OpDef>, op: &str| {
            let mut def = ops.get(op)?.clone();
            ops.get(COMMON).into_iter().for_each(|common| def.add_common(common));
            Some(def)
        };
        // Of an operator that was renamed it is the new name that older releases do not know.
        let is_renamed = finding.item.is_none() && finding.rule.name == "op_deleted" && finding.backward();
        let now = finding.to.as_deref().filter(|_| is_renamed).unwrap_or(&finding.op);
        let (old, new) = (whole(olds, &finding.op), whole(news, now));
        let (old, new) = (old.as_ref(), new.as_ref());
        let found = old.and_then(|old| witness(releases, old, new, finding));
        self.witness = found.map_or(Sought::InVain, |found| Sought::Found(Box::new(found)));
    }
}

impl Sought {
    /// The lines of a person's report.
    pub(crate) fn lines(&self) -> Vec<String> {
        match self {
            Sought::Not => Vec::new(),
            Sought::InVain => vec!["  witness: none was found whose loading shows this change".to_owned()],
            Sought::Found(witness) => lines(witness),
        }
    }

    /// The object of a program's report.
    pub(crate) fn object(&self) -> Option<Value> {
        match self {
            Sought::Found(witness) => Some(object(witness)),
            Sought::Not | Sought::InVain => None,
        }
    }
}

fn lines(witness: &Witness) -> Vec<String> {
    let [writer, reader] = sides(witness.writer);
    let mut lines = vec![format!("  witness: {}", short(&graph(witness)))];
    match &witness.outcome {
        Outcome::Fails(refused) => {
            lines.push(format!("    as the {writer} release saves it, it does not load in the {reader} one:"));
            lines.extend(problems(refused).lines().map(|line| format!("    {line}")));
        }
        Outcome::ChangesMeaning { item, was, is } => lines.push(format!(
            "    as the {writer} release saves it, `{item}` is {was}, and where the {reader} one loads it, {is}"
        )),
    }
    lines
}

fn object(witness: &Witness) -> Value {
    let mut object = json!({ "graph": graph(witness), "writer": sides(witness.writer)[0] });
    match &witness.outcome {
        Outcome::Fails(refused) => {
            object["outcome"] = "fails".into();
            object["message"] = problems(refused).into();
        }
        Outcome::ChangesMeaning { item, was, is } => {
            object["outcome"] = "changes_meaning".into();
            object["item"] = item.as_str().into();
            object["was"] = was.to_string().into();
            object["is"] = is.to_string().into();
        }
    }
    object
}

/// What is wrong, without what who loads the graph could do about it: here the break is what is to be helped.
fn problems(refused: &Refused) -> String {
    let text = refused.to_string();
    let lines: Vec<_> = text.lines().filter(|line| !line.trim_start().starts_with("help: ")).collect();
    lines.join("\n")
}

/// Who saves it, and who loads it.
const fn sides(writer: Writer) -> [&'static str; 2] {
    match writer {
        Writer::Older => ["older", "newer"],
        Writer::Newer => ["newer", "older"],
    }
}

fn graph(witness: &Witness) -> Value {
    let text = witness.graph.to_json().unwrap_or_default();
    serde_json::from_str(&text).unwrap_or_default() // what was loaded can be written
}

/// The blocks of a graph without its records, on one line.
fn short(graph: &Value) -> String {
    graph.get("blocks").unwrap_or(graph).to_string()
}
