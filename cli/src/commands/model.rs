//! `cargo oplock model`: one saved model, whoever saved it.

use std::fmt::Write as _;

use oplock_core::lock::FileError;
use oplock_graph::{Export, ExportOptions, Graph};
use oplock_interop::models::{AnyModel, ExportError, ExportedModel, Foreign, Format, Reader, Verdict};
use oplock_registry::{Map, Node};

use crate::args::{Against, ExplainFormat, ExportKind, Model, ModelCheck, ModelCommand, ModelExport, ModelShow};
use crate::error::Error;
use crate::exit::Exit;
use crate::models::{self, Side, notes, to_json, to_text};
use crate::report::count;
use crate::shell::{self, Shell};

pub(super) fn run(args: &Model, shell: &Shell) -> Result<Exit, Error> {
    match &args.command {
        ModelCommand::Check(args) => check(args, shell),
        ModelCommand::Show(args) => show(args),
        ModelCommand::Export(args) => export(args, shell),
    }
}

/// Exits with 100 where the model does not load.
fn check(args: &ModelCheck, shell: &Shell) -> Result<Exit, Error> {
    let side = Side::read(&args.against)?;
    let model = models::read(&args.model)?;
    let option = args.against.op_versions.as_ref().map(|_| "--op-versions");
    if let Some(option) = option.filter(|_| model.format() != Format::Paddle) {
        return Err(Error::NoOpVersions { option, of: model.format().to_string() });
    }
    let held = side.reader.hold(&model).map_err(|error| Error::Model { path: args.model.clone(), error })?;
    let path = args.model.display().to_string();
    if args.message_format == ExplainFormat::Human {
        let mut text = to_text(&held.problems, held.more);
        for note in notes(&held.report) {
            let note = if note.starts_with("warning: ") { note } else { format!("note: {note}") };
            let _ = writeln!(text, "{note}");
        }
        shell::print(&text)?;
    } else {
        shell::print(&format!("{}\n", to_json(&path, &held)))?;
    }
    let nodes = count(held.nodes, "node");
    let of = match held.writer.as_str() {
        "" => format!("{nodes}, without a record of who wrote it"),
        writer => format!("{nodes}, written by {writer}"),
    };
    let by = &side.name;
    let functions: Vec<_> = held.functions.iter().map(|(op, before)| format!("`{op}` before {before}")).collect();
    match held.verdict {
        Verdict::Loads if functions.is_empty() => shell.status("Loads", format_args!("{path} by {by} ({of})")),
        Verdict::Loads => shell.attention(
            "Loads",
            format_args!("{path} by {by} ({of}), if the upgrade functions do their part: {}", functions.join(", ")),
        ),
        Verdict::Undecided => shell.attention(
            "Undecided",
            format_args!(
                "{path} ({of}): upgrade functions decide, which a lock does not have: {}",
                functions.join(", ")
            ),
        ),
        Verdict::Refused => shell.attention("Refused", format_args!("{path} by {by} ({of})")),
    }
    Ok(if held.verdict == Verdict::Loads { Exit::Clean } else { Exit::Break })
}

fn show(args: &ModelShow) -> Result<Exit, Error> {
    let reader = match &args.against {
        Some(path) => {
            let against =
                Against { definitions: path.clone(), written_by: None, op_versions: None, writer_op_versions: None };
            Side::read(&against)?.reader
        }
        None => Reader::of_definitions("no definitions", std::collections::BTreeMap::new()),
    };
    let model = models::read(&args.model)?;
    let wrong = |error| Error::Model { path: args.model.clone(), error };
    let foreign = reader.graph(&model).map_err(wrong)?;
    let text = if args.message_format == ExplainFormat::Human {
        human(&model, &foreign)
    } else {
        foreign.graph.to_json().map_err(|error| Error::GraphWrite { path: args.model.clone(), error })?
    };
    shell::print(&text)?;
    Ok(Exit::Clean)
}

/// A block a paragraph, a node a line.
fn human(model: &AnyModel, foreign: &Foreign) -> String {
    let mut text = format!("{}", model.format()).replacen("the ", "", 1);
    for (of, version) in &foreign.versions {
        let _ = write!(text, ", {of} {version}");
    }
    text.push('\n');
    let Graph { blocks, .. } = &foreign.graph;
    for (index, block) in blocks.iter().enumerate() {
        let name = foreign.blocks.get(index).map_or("", String::as_str);
        let _ = writeln!(text, "\nblock {index}: {name}");
        if !block.inputs.is_empty() {
            let _ = writeln!(text, "  given: {}", block.inputs.join(", "));
        }
        for (at, node) in block.nodes.iter().enumerate() {
            let _ = writeln!(text, "  {at:>3} {}", node_text(node));
        }
        if !block.outputs.is_empty() {
            let _ = writeln!(text, "  results: {}", block.outputs.join(", "));
        }
    }
    for fault in &foreign.faults {
        let _ = writeln!(text, "\nwarning: `{}` ({}): {}", fault.op, fault.at, fault.what);
    }
    text
}

/// `Out: y = relu(X: x) { axis = 1 }`
fn node_text(node: &Node) -> String {
    let args = |args: &Map<String, Vec<String>>| {
        let connected = args.iter().filter(|(_, variables)| !variables.is_empty());
        connected.map(|(name, variables)| format!("{name}: {}", variables.join(" "))).collect::<Vec<_>>().join(", ")
    };
    let outputs = args(&node.outputs);
    let mut text = if outputs.is_empty() { String::new() } else { format!("{outputs} = ") };
    let _ = write!(text, "{}({})", node.op, args(&node.inputs));
    let attrs = node.attrs.iter().chain(&node.extra).map(|(name, value)| {
        let value = value.to_string();
        let value = if value.chars().count() <= 60 { value } else { value.chars().take(60).chain(['…']).collect() };
        format!("{name} = {value}")
    });
    let attrs: Vec<_> = attrs.collect();
    if !attrs.is_empty() {
        let _ = write!(text, " {{ {} }}", attrs.join(", "));
    }
    text
}

/// Exits with 100 where the model may not be exported so, and writes nothing then.
fn export(args: &ModelExport, shell: &Shell) -> Result<Exit, Error> {
    if std::fs::symlink_metadata(&args.output).is_ok() {
        return Err(Error::ThereAlready(args.output.clone()));
    }
    let side = Side::read(&args.against)?;
    let model = models::read(&args.model)?;
    let kind = match args.kind {
        ExportKind::Float => Export::Float,
        ExportKind::Quantised => Export::Quantised,
    };
    let options = ExportOptions { drop_quant: args.drop_quant };
    let exported = match side.reader.export(&model, kind, options) {
        Ok(exported) => exported,
        Err(ExportError::Refused(problems)) => {
            // The option of `Program::export` as the command line writes it.
            shell::print(&to_text(&problems, 0).replace("`drop_quant`", "`--drop-quant`"))?;
            shell.attention("Refused", format_args!("{} by {}", args.model.display(), side.name));
            return Ok(Exit::Break);
        }
        Err(error) => return Err(Error::ModelExport { path: args.model.clone(), error }),
    };
    for note in notes(&exported.report) {
        shell::print(&format!("note: {note}\n"))?;
    }
    let wrong = |error| Error::GraphWrite { path: args.output.clone(), error };
    // As JSON where the file is to be called so; both are read again.
    let is_json = args.output.extension().is_some_and(|extension| extension == "json");
    let (bytes, is_graph) = match exported.model {
        ExportedModel::Paddle(bytes) => (bytes, false),
        ExportedModel::Graph(graph) if is_json => (graph.to_json().map_err(wrong)?.into_bytes(), true),
        ExportedModel::Graph(graph) => (graph.to_bytes().map_err(wrong)?, true),
    };
    write(args, &bytes)?;
    let removed = exported.removed.map_or_else(String::new, |removed| format!(", without {}", count(removed, "item")));
    shell.status("Exported", format_args!("{} for a {kind} model{removed}", args.output.display()));
    if is_json && !is_graph {
        shell.attention(
            "Note",
            format_args!("it is protobuf, whatever its name says: only a graph of oplock is written as JSON"),
        );
    }
    if is_graph && !matches!(model, AnyModel::Oplock(_)) {
        shell.attention(
            "Note",
            format_args!(
                "it is a graph of oplock, without what a model has beside its nodes, such as weights: {} is read and not \
                 written; graphs of oplock and PaddlePaddle programs are",
                model.format()
            ),
        );
    }
    Ok(Exit::Clean)
}

/// Writes a file whole or not at all, and none in the place of another.
fn write(args: &ModelExport, bytes: &[u8]) -> Result<(), Error> {
    let path = &args.output;
    let wrong = |error| FileError { path: path.clone(), action: "write", error: without_path(error) };
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(std::path::Path::new("."));
    let mut temporary = tempfile::Builder::new();
    // As the user's mask has it for new files; a temporary file is for its writer alone.
    #[cfg(unix)]
    temporary.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = temporary.tempfile_in(folder).map_err(wrong)?;
    std::io::Write::write_all(&mut file, bytes).map_err(wrong)?;
    match file.persist_noclobber(path) {
        Err(error) if error.error.kind() == std::io::ErrorKind::AlreadyExists => Err(Error::ThereAlready(path.clone())),
        Err(error) => Err(wrong(error.error).into()),
        Ok(_) => Ok(()),
    }
}

/// An error of a temporary file, without the name that it had.
fn without_path(error: std::io::Error) -> std::io::Error {
    let text = error.to_string();
    let what = text.split_once(" at path ").map(|(what, _)| what.to_owned());
    match what {
        Some(what) => std::io::Error::new(error.kind(), what),
        None => error,
    }
}
