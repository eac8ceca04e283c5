//! `cargo oplock print`: the operators of a lock, of another system's file or of the source, in its forms.

use std::borrow::Cow;
use std::path::Path;

use oplock_core::lock::{OpEntry, Since};
use oplock_core::{LOCK_FILE, Lock};

use crate::args::{Print, PrintFormat};
use crate::collect::Job;
use crate::definitions::Definitions;
use crate::error::Error;
use crate::exit::Exit;
use crate::listing;
use crate::package::select;
use crate::shell::{self, Shell};
use oplock_interop::tensorflow::op_list::{self, Document};
use oplock_interop::{Stated, onnx, paddle};

pub(super) fn run(args: &Print, shell: &Shell) -> Result<Exit, Error> {
    if let Some(file) = &args.file {
        let definitions = Definitions::read(file)?;
        let name = match (&args.package_name, &definitions.lock) {
            (Some(name), _) => name.clone(),
            (None, Some(lock)) => lock.package.clone(),
            (None, None) => stem(file),
        };
        return show(args, definitions, &name);
    }
    let selection = select(&args.packages.select)?;
    let package = selection.only()?;
    let definitions = if args.source {
        let manifest = package.read_manifest()?;
        let job = Job { selection: &selection, package, manifest: &manifest, packages: &args.packages, shell };
        Definitions::of_ops(job.collect()?.ops)
    } else {
        Definitions::of_lock(package.read_lock()?.1)
    };
    show(args, definitions, &package.name)
}

fn stem(file: &Path) -> String {
    file.file_stem().map_or_else(|| LOCK_FILE.to_owned(), |stem| stem.to_string_lossy().into_owned())
}

fn show(args: &Print, definitions: Definitions, package: &str) -> Result<Exit, Error> {
    let mut definitions = definitions.only(&args.op, args.file.as_deref())?;
    let is_ours =
        matches!(args.message_format, PrintFormat::Human | PrintFormat::Short | PrintFormat::Json | PrintFormat::Lock);
    if !is_ours {
        // Other systems know of nothing that all operators have.
        definitions = definitions.expanded();
    }
    match args.message_format {
        PrintFormat::Onnx | PrintFormat::TensorFlow | PrintFormat::TensorFlowText => {
            definitions = definitions.in_order(args.file.as_deref());
        }
        PrintFormat::Lock => definitions = definitions.numbered(),
        _ => {}
    }
    let lock = definitions.lock.as_ref().filter(|_| args.op.is_empty());
    let text = match args.message_format {
        PrintFormat::Human => lock.map(listing::data).unwrap_or_default() + &listing::human(&definitions),
        PrintFormat::Short => listing::short(&definitions),
        PrintFormat::Json => lock.map(listing::json_data).unwrap_or_default() + &listing::json(&definitions),
        PrintFormat::Paddle => paddle::to_text(&definitions.ops)?,
        PrintFormat::Onnx => onnx::to_text(&onnx::schemas_of(&definitions.ops)?),
        PrintFormat::TensorFlow => op_list(&definitions)?.to_json(),
        PrintFormat::TensorFlowText => op_list::to_text(&op_list(&definitions)?.list),
        PrintFormat::Lock => lock_text(args, &definitions, package)?,
    };
    shell::print(&text)?;
    Ok(Exit::Clean)
}

/// The list itself where the file is one, with all that it says; else one of these operators.
fn op_list(definitions: &Definitions) -> Result<Cow<'_, Document>, Error> {
    match &definitions.stated {
        Some(Stated::OpList(document)) => Ok(Cow::Borrowed(document)),
        _ => match Document::of(definitions.ops.values()) {
            Ok(document) => Ok(Cow::Owned(document)),
            Err(error) => Err(Error::UnwritableOpList(Box::new(error))),
        },
    }
}

/// The text of the lock itself, or of one in which nothing is released yet.
fn lock_text(args: &Print, definitions: &Definitions, package: &str) -> Result<String, Error> {
    let mut lock = definitions.lock.clone().unwrap_or_else(|| {
        let mut lock = Lock::new(package);
        lock.positional = definitions.has_places();
        let entry = |def: &oplock_core::OpDef| OpEntry::new(def.clone(), &Since::Unreleased);
        lock.ops = definitions.ops.iter().map(|(name, def)| (name.clone(), entry(def))).collect();
        lock
    });
    if let Some(name) = &args.package_name {
        lock.package.clone_from(name);
    }
    if !args.op.is_empty() {
        lock.ops.retain(|name, _| definitions.ops.contains_key(name));
        lock.ledger.retain(|key, _| definitions.ops.contains_key(&key.op));
        lock.upgrades.retain(|(op, _), _| definitions.ops.contains_key(op));
        lock.gone_upgrades.retain(|(op, _)| definitions.ops.contains_key(op));
    }
    let text = lock.to_string();
    // Another system's names can be such as no lock takes.
    match Lock::parse(&text, None) {
        Ok(_) => Ok(text),
        Err(error) => Err(Error::UnwritableLock(error)),
    }
}
