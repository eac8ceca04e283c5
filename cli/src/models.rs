//! Saved models on the command line: what they are held against, and what is said of them.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use oplock_core::Digest;
use oplock_graph::{Limits, Note, Report};
use oplock_interop::import::Source;
use oplock_interop::models::{AnyModel, Cause, Held, ModelProblem, Reader, Writer};
use serde_json::{Value, json};

use crate::args::Against;
use crate::definitions::{self, Definitions};
use crate::error::Error;
use crate::named::{Wanted, read_bytes};
use crate::report::count;

/// The version of the JSON form; it rises when a key goes or changes its meaning.
pub(crate) const SCHEMA: u32 = 1;

/// What models are held against.
pub(crate) struct Side {
    pub(crate) reader: Reader,
    /// The file.
    pub(crate) name: String,
    /// By what two runs tell whether they ask the same: digests of all definitions that are named.
    pub(crate) digest: String,
}

impl Side {
    /// Reads what the arguments name.
    ///
    /// # Errors
    ///
    /// When a file is not there or is none of the kinds.
    pub(crate) fn read(args: &Against) -> Result<Self, Error> {
        let name = stem(&args.definitions);
        let mut definitions = Definitions::read(&args.definitions)?;
        let system = definitions.system();
        refuse_op_versions("--op-versions", args.op_versions.as_deref(), system)?;
        let mut written_by = None;
        if let Some(path) = &args.written_by {
            let mut writer = Definitions::read(path)?;
            let of = writer.system();
            if let (Some(of), Some(system)) = (of, system.filter(|system| of != Some(*system))) {
                return Err(Error::OtherWriter { written_by: of.framework(), against: system.framework() });
            }
            refuse_op_versions("--writer-op-versions", args.writer_op_versions.as_deref(), of)?;
            // What one of two old files does not say of its items, the other may.
            oplock_interop::paddle::settle(
                (&mut writer.ops, &writer.unstated),
                (&mut definitions.ops, &definitions.unstated),
            );
            let op_versions = args.writer_op_versions.as_deref().map(definitions::read_op_versions).transpose()?;
            written_by = Some(Writer { ops: writer.ops, system: of, op_versions });
        }
        let mut reader = match definitions.lock {
            Some(lock) => Reader::of_lock(lock),
            None => Reader::of_definitions(&name, definitions.ops).with_system(system),
        };
        if let Some(writer) = written_by {
            reader = reader.with_writer(writer);
        }
        if let Some(path) = &args.op_versions {
            reader = reader.with_op_versions(definitions::read_op_versions(path)?);
        }
        Ok(Side { reader, name: args.definitions.display().to_string(), digest: digest(args)? })
    }
}

/// Only `PaddlePaddle` has a registry of op versions; what a lock's operators are of is not known.
fn refuse_op_versions(option: &'static str, path: Option<&Path>, system: Option<Source>) -> Result<(), Error> {
    match system.filter(|system| path.is_some() && *system != Source::Paddle) {
        Some(system) => Err(Error::NoOpVersions { option, of: format!("definitions of {}", system.framework()) }),
        None => Ok(()),
    }
}

/// Of all that the arguments name, as it is in the files.
fn digest(args: &Against) -> Result<String, Error> {
    let named = [
        Some(&args.definitions),
        args.written_by.as_ref(),
        args.op_versions.as_ref(),
        args.writer_op_versions.as_ref(),
    ];
    let mut text = String::new();
    for path in named {
        let digest =
            path.map(|path| read_bytes(path, Wanted::Definitions)).transpose()?.map(|bytes| Digest::of(&bytes));
        let _ = writeln!(text, "{}", digest.map_or_else(String::new, |digest| digest.to_string()));
    }
    Ok(Digest::of(text.as_bytes()).to_string())
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// Reads a model.
///
/// # Errors
///
/// When there is no such file, or it is no model.
pub(crate) fn read(path: &Path) -> Result<AnyModel, Error> {
    let bytes = read_bytes(path, Wanted::Model)?;
    AnyModel::from_bytes(&bytes, Limits::default()).map_err(|error| Error::Model { path: path.to_owned(), error })
}

/// The line of a model.
pub(crate) fn to_json(path: &str, held: &Held) -> Value {
    let problem = |problem: &ModelProblem| {
        json!({
            "code": problem.code,
            "op": problem.op,
            "kind": problem.item.as_ref().map(|(kind, _)| kind.key()),
            "item": problem.item.as_ref().map(|(_, name)| name),
            "block": problem.block,
            "node": problem.at.map(|at| at.node),
            "model": problem.model,
            "definition": problem.definition,
            "message": problem.message,
        })
    };
    let cause = |cause: &Cause| json!({ "code": cause.code, "op": cause.op, "item": cause.item });
    let need = |need: &oplock_interop::models::Need| json!({ "of": need.of, "release": need.release, "version": need.version, "because": need.because });
    let function = |(op, before): &(String, u32)| json!({ "op": op, "before": before });
    json!({
        "schema": SCHEMA,
        "reason": "model",
        "path": path,
        "verdict": held.verdict.key(),
        "format": held.format.key(),
        "writer": held.writer,
        "nodes": held.nodes,
        "ops": held.ops.iter().map(|(op, version)| json!({ "op": op, "version": version })).collect::<Vec<_>>(),
        "needs": held.needs.iter().map(need).collect::<Vec<_>>(),
        "problems": held.problems.iter().map(problem).collect::<Vec<_>>(),
        "more": held.more,
        "more_causes": held.more_causes.iter().map(cause).collect::<Vec<_>>(),
        "functions": held.functions.iter().map(function).collect::<Vec<_>>(),
        "notes": notes(&held.report),
    })
}

/// What was noticed; that a default was filled in is no news.
pub(crate) fn notes(report: &Report) -> Vec<String> {
    let warnings = report.warnings.iter().map(|(warning, times)| format!("warning: {warning}{times}"));
    let told = report.notes.iter().filter(|(note, _)| !matches!(note, Note::Filled { .. }));
    warnings.chain(told.map(|(note, times)| format!("{note}{times}"))).collect()
}

/// Problems for people: what several nodes have in common is told once.
pub(crate) fn to_text(problems: &[ModelProblem], more: usize) -> String {
    type Key<'p> =
        (&'p str, &'p Option<String>, &'p Option<(oplock_core::Kind, String)>, &'p Option<String>, &'p Option<String>);
    let mut order: Vec<(&ModelProblem, usize)> = Vec::new();
    let mut known: BTreeMap<Key<'_>, usize> = BTreeMap::new();
    for problem in problems {
        let key = (problem.code, &problem.op, &problem.item, &problem.model, &problem.definition);
        if problem.op.is_some()
            && let Some(index) = known.get(&key)
        {
            order[*index].1 += 1;
            continue;
        }
        known.insert(key, order.len());
        order.push((problem, 1));
    }
    let mut text = String::new();
    for (problem, times) in order {
        let mut lines = problem.message.lines();
        let _ = writeln!(text, "{} [{}]", lines.next().unwrap_or_default(), problem.code);
        if let (Some(model), Some(definition)) = (&problem.model, &problem.definition) {
            let _ = writeln!(text, "  model: {model}\n  definition: {definition}");
        }
        if let (Some(at), Some(block)) = (problem.at, &problem.block)
            && !block.starts_with("blocks[")
        {
            let _ = writeln!(text, "  in: {block}, node {}", at.node);
        }
        if times > 1 {
            let _ = writeln!(text, "  and {} more like it", count(times - 1, "node"));
        }
        for line in lines {
            let _ = writeln!(text, "{line}");
        }
    }
    if more > 0 {
        let _ = writeln!(text, "and {more} more");
    }
    text
}
