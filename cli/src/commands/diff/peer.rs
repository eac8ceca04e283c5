//! `cargo oplock diff --rules …`: what another system would say of the change.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::Path;

use clap::ValueEnum as _;
use oplock_interop::Stated;
use oplock_interop::onnx::{self, Schema, SchemaKey};
use oplock_interop::paddle;
use oplock_interop::paddle::desc::OpDescs;
use oplock_interop::paddle::opver::OpVersions;
use oplock_interop::rules::tensorflow::Histories;
use oplock_interop::rules::{self, Judgement};

use crate::args::{Diff, Format, Relaxations, Rules};
use crate::definitions::{Definitions, read_op_versions, wrong, wrong_op_list};
use crate::error::Error;
use crate::exit::Exit;
use crate::report::{count, peer};
use crate::shell::{self, Shell};

/// Exits with 100 where the peer objects to anything.
pub(super) fn run(args: &Diff, shell: &Shell) -> Result<Exit, Error> {
    let name = name(args.rules);
    refuse_what_says_nothing(args, name)?;
    let read = |path: &Path| {
        let definitions = Definitions::read(path)?.expanded();
        // PaddlePaddle's operands go by their names.
        Ok::<_, Error>(if args.rules == Rules::PaddleCi { definitions } else { definitions.in_order(Some(path)) })
    };
    let (old, new) = (read(&args.old)?, read(&args.new)?);
    let judgement = match args.rules {
        Rules::TensorFlow => {
            rules::tensorflow::judge_histories(&histories(&args.old, &old)?, &histories(&args.new, &new)?)
        }
        Rules::Onnx => rules::onnx::judge(schemas(&args.old, &old)?.as_ref(), schemas(&args.new, &new)?.as_ref()),
        // `run` of the module above takes what is oplock's own.
        Rules::PaddleCi | Rules::Oplock => paddle_ci(args, &old, &new)?,
    };
    shell::print(&peer::to_text(&judgement, name, args.message_format))?;
    if judgement.findings.is_empty() && !judgement.is_clean() {
        let what = "the check prints its report without a word on what differs: keys that only the newer file has";
        shell.attention("Report", what);
    }
    let found = count(judgement.findings.len(), "finding");
    shell.status("Finished", format!("{found} under the rules of {name}"));
    Ok(if judgement.is_clean() { Exit::Clean } else { Exit::Break })
}

/// The check needs the texts themselves; what is no `.spec` is written as one.
fn paddle_ci(args: &Diff, old: &Definitions, new: &Definitions) -> Result<Judgement, Error> {
    let descs = |path: &Path, definitions: &Definitions| {
        let text = if let Some(Stated::Spec(text)) = &definitions.stated {
            Cow::Borrowed(text.as_str())
        } else {
            let text = paddle::to_text(&definitions.ops);
            Cow::Owned(text.map_err(|error| unwritable(path, Rules::PaddleCi, &error.into()))?)
        };
        OpDescs::parse(&text).map_err(|error| wrong(path, "an op description", error))
    };
    let announced = match &args.op_versions {
        None => {
            shell::warning(
                "nothing counts as announced in the registry of op versions",
                "name that of NEW: `--op-versions NEW.opver.json`",
            );
            OpVersions::default()
        }
        Some(path) => read_op_versions(path)?,
    };
    Ok(rules::paddle_ci::judge(&descs(&args.old, old)?, &descs(&args.new, new)?, &announced))
}

/// What is no file of schemas is taken for what it would be as one.
fn schemas<'d>(path: &Path, definitions: &'d Definitions) -> Result<Cow<'d, BTreeMap<SchemaKey, Schema>>, Error> {
    if let Some(Stated::Schemas(schemas)) = &definitions.stated {
        return Ok(Cow::Borrowed(schemas));
    }
    let schemas = onnx::schemas_of(&definitions.ops);
    Ok(Cow::Owned(schemas.map_err(|error| unwritable(path, Rules::Onnx, &error.into()))?))
}

/// Which file it is, which the error of writing it does not know.
fn unwritable(path: &Path, rules: Rules, error: &Error) -> Error {
    Error::NotOfPeer { path: path.to_owned(), rules: name(rules), why: error.to_string() }
}

/// What holds one definition of each operator is a history of that length.
fn histories(path: &Path, definitions: &Definitions) -> Result<Histories, Error> {
    match &definitions.stated {
        Some(Stated::OpList(document)) => document.histories().map_err(|error| wrong_op_list(path, error)),
        _ => Ok(definitions.ops.iter().map(|(name, op)| (name.clone(), vec![op.clone()])).collect()),
    }
}

/// As it is written on the command line.
fn name(rules: Rules) -> &'static str {
    match rules {
        Rules::Oplock => "oplock",
        Rules::PaddleCi => "paddle-ci",
        Rules::TensorFlow => "tensorflow",
        Rules::Onnx => "onnx",
    }
}

/// A peer knows neither our levels of change nor our graphs.
fn refuse_what_says_nothing(args: &Diff, rules: &'static str) -> Result<(), Error> {
    let refuse = |option, help| Err(Error::NotOfRules { option, rules, help });
    if args.witness {
        return refuse("--witness", "graphs that break are shown under oplock's own rules: leave out `--rules`");
    }
    if args.breaks {
        return refuse("--breaks", "a peer reports only what it objects to: leave out `--breaks`");
    }
    if args.relaxations != Relaxations::default() {
        return refuse("--relaxations", "a peer has no setting for that: leave it out");
    }
    if args.op_versions.is_some() && args.rules != Rules::PaddleCi {
        return refuse("--op-versions", "the registry of op versions is for `--rules paddle-ci`");
    }
    if !matches!(args.message_format, Format::Human | Format::Short | Format::Json) {
        let format = args.message_format.to_possible_value().map(|value| value.get_name().to_owned());
        return Err(Error::NotPrinted { format: format.unwrap_or_default(), rules });
    }
    Ok(())
}
