//! `cargo oplock audit`: which of many models load by some definitions, and why the others do not.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead as _, BufReader, BufWriter, Seek as _, SeekFrom, Write as _};
use std::num::NonZero;
use std::path::Path;
use std::thread;

use oplock_core::lock::FileError;
use oplock_graph::Limits;
use oplock_interop::models::Verdict;
use oplock_interop::models::audit::{self, Job, Outcome};
use serde_json::{Value, json};

use crate::args::Audit;
use crate::error::Error;
use crate::exit::Exit;
use crate::models::{SCHEMA, Side, to_json};
use crate::progress::Progress;
use crate::report::count;
use crate::shell::Shell;

/// Exits with 100 where a model does not load, with 101 where a file could not be read.
pub(super) fn run(args: &Audit, shell: &Shell) -> Result<Exit, Error> {
    let mut side = Side::read(&args.against)?;
    if let Some(version) = args.if_min_producer {
        side.reader = side.reader.with_min_producer(version);
    }
    let head = head(args, &side);
    let mut tally = Tally::default();
    let mut sink = Sink::open(args, &head, &mut tally)?;
    let mut jobs = audit::walk(&args.models, args.shard).map_err(Error::Walk)?;
    jobs.retain(|job| !tally.seen.contains(&audit::key_of(&job.name)));
    let threads = args.jobs.or_else(|| thread::available_parallelism().ok()).unwrap_or(NonZero::<usize>::MIN);
    // A small file costs its opening, a large one its bytes.
    let cost = |job: &Job| job.size + 4096;
    let mut progress = Progress::new(jobs.iter().map(cost).sum(), shell.is_quiet());
    let (mut done, mut failed) = (0, None);
    let tell = |job: &Job, told: Option<Told>| {
        done += cost(job);
        tally.add(told.as_ref());
        progress.at(done, || format!("{} of {}", count(tally.models, "model"), count(jobs.len(), "file")));
        match told.map_or(Ok(()), |told| sink.text(&told.text)) {
            Ok(()) => true,
            Err(error) => {
                failed = Some(error);
                false
            }
        }
    };
    let make = |job: &Job, outcome| line(&job.name, outcome).as_ref().map(Told::of);
    audit::run(&jobs, &side.reader, threads, Limits::default(), make, tell);
    progress.clear();
    if let Some(error) = failed {
        // A reader that has gone away, such as `head`, is no error.
        return if error.kind() == io::ErrorKind::BrokenPipe { Ok(tally.exit()) } else { Err(sink.error(error)) };
    }
    let summary = tally.summary();
    sink.line(&summary).and_then(|()| sink.flush()).map_err(|error| sink.error(error))?;
    tally.tell(shell, &side.name);
    // A part of few files may have none.
    if tally.models == 0 && args.shard.is_none() {
        return Err(Error::NoModels(args.models.clone()));
    }
    Ok(tally.exit())
}

/// What the lines are an answer to.
fn head(args: &Audit, side: &Side) -> Value {
    let models: BTreeSet<_> = args.models.iter().map(|path| audit::name_of(path)).collect();
    json!({
        "schema": SCHEMA,
        "reason": "audit",
        "models": models,
        "against": side.name,
        "digest": side.digest,
        "min_producer": args.if_min_producer,
        "shard": args.shard.map(|shard| format!("{}/{}", shard.index, shard.count)),
    })
}

/// The line of a file; none of one that is no model.
fn line(name: &str, outcome: Outcome) -> Option<Value> {
    match outcome {
        Outcome::Held(held) => Some(to_json(name, &held)),
        Outcome::Unreadable(error) => Some(json!({
            "schema": SCHEMA, "reason": "model", "path": name, "verdict": "unreadable", "error": error,
        })),
        Outcome::NoModel => None,
    }
}

/// By rule, operator and item.
type Cause = (String, String, String);

/// What is told of a model, made on the thread that looked at it.
struct Told {
    text: String,
    verdict: String,
    /// Whether loading asks for upgrade functions.
    has_functions: bool,
    causes: BTreeSet<Cause>,
}

impl Told {
    fn of(line: &Value) -> Self {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let problems = ["problems", "more_causes"].into_iter().filter_map(|key| line[key].as_array()).flatten();
        let causes = problems.map(|p| (text(&p["code"]), text(&p["op"]), text(&p["item"]))).collect();
        let has_functions = line["functions"].as_array().is_some_and(|functions| !functions.is_empty());
        Told { text: format!("{line}\n"), verdict: text(&line["verdict"]), has_functions, causes }
    }
}

/// Why models do not load, over all of them.
#[derive(Default)]
struct Tally {
    models: usize,
    /// Files that are no models.
    others: usize,
    verdicts: BTreeMap<String, usize>,
    /// Models that load if the upgrade functions do their part, which is not known here.
    by_functions: usize,
    /// By rule, operator and item: how many models.
    causes: BTreeMap<Cause, usize>,
    /// How many of those are undecided.
    undecided: BTreeMap<Cause, usize>,
    /// What an earlier run told of, by the keys of the paths.
    seen: BTreeSet<String>,
}

impl Tally {
    fn add(&mut self, told: Option<&Told>) {
        let Some(told) = told else {
            self.others += 1;
            return;
        };
        self.models += 1;
        *self.verdicts.entry(told.verdict.clone()).or_default() += 1;
        self.by_functions += usize::from(told.has_functions && told.verdict == Verdict::Loads.key());
        for cause in &told.causes {
            *self.causes.entry(cause.clone()).or_default() += 1;
            if told.verdict == Verdict::Undecided.key() {
                *self.undecided.entry(cause.clone()).or_default() += 1;
            }
        }
    }

    fn of(&self, verdict: &str) -> usize {
        self.verdicts.get(verdict).copied().unwrap_or_default()
    }

    /// The causes, those of the most models first.
    fn sorted(&self) -> Vec<(&Cause, usize)> {
        let mut causes: Vec<_> = self.causes.iter().map(|(cause, models)| (cause, *models)).collect();
        causes.sort_by_key(|(_, models)| Reverse(*models));
        causes
    }

    fn summary(&self) -> Value {
        let or_null = |text: &str| if text.is_empty() { Value::Null } else { text.into() };
        let cause = |((code, op, item), models): (&Cause, usize)| json!({ "code": code, "op": or_null(op), "item": or_null(item), "models": models });
        json!({
            "schema": SCHEMA,
            "reason": "audit_summary",
            "models": self.models,
            "loads": self.of("loads"),
            "loads_by_functions": self.by_functions,
            "refused": self.of("refused"),
            "undecided": self.of("undecided"),
            "unreadable": self.of("unreadable"),
            "other_files": self.others,
            "causes": self.sorted().into_iter().map(cause).collect::<Vec<_>>(),
        })
    }

    fn tell(&self, shell: &Shell, by: &str) {
        for (cause, models) in self.sorted().into_iter().take(10) {
            let (code, op, item) = cause;
            let path = [op.as_str(), item.as_str()].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>();
            let what = if path.is_empty() { code.clone() } else { format!("{code} {}", path.join(".")) };
            let undecided = self.undecided.get(cause).copied().unwrap_or_default();
            for (word, models) in [("Refused", models - undecided), ("Undecided", undecided)] {
                if models > 0 {
                    shell.attention(word, format_args!("{} for {what}", count(models, "model")));
                }
            }
        }
        let unreadable = match self.of("unreadable") {
            0 => String::new(),
            n => format!(", {n} unreadable"),
        };
        let undecided = match self.of("undecided") {
            0 => String::new(),
            n => format!(", {n} undecided"),
        };
        let others = match self.others {
            0 => String::new(),
            n => format!("; {} passed over", count(n, "other file")),
        };
        let by_functions = match self.by_functions {
            0 => String::new(),
            n => format!(
                " ({n} of them if the upgrade functions do their part, which only the package's own build shows)"
            ),
        };
        let (models, loads, refused) = (count(self.models, "model"), self.of("loads"), self.of("refused"));
        shell.status(
            "Finished",
            format_args!(
                "{models} by {by}: {loads} load{by_functions}, {refused} do not{undecided}{unreadable}{others}"
            ),
        );
    }

    fn exit(&self) -> Exit {
        if self.of("unreadable") > 0 {
            Exit::CouldNotRun
        } else if self.of("loads") < self.models {
            Exit::Break
        } else {
            Exit::Clean
        }
    }
}

/// Where the lines go.
enum Sink {
    Stdout(BufWriter<io::Stdout>),
    File(std::path::PathBuf, BufWriter<File>),
}

impl Sink {
    /// Opens it, after the lines of an earlier run where that is gone on with.
    fn open(args: &Audit, head: &Value, tally: &mut Tally) -> Result<Self, Error> {
        let Some(path) = &args.output else {
            let mut sink = Sink::Stdout(BufWriter::new(io::stdout()));
            sink.line(head).map_err(|error| sink.error(error))?;
            return Ok(sink);
        };
        let wrong = |action| move |error| FileError { path: path.clone(), action, error };
        if args.resume && path.exists() {
            let mut file = OpenOptions::new().read(true).write(true).open(path).map_err(wrong("open"))?;
            let end = earlier(path, &file, head, tally)?;
            file.set_len(end).map_err(wrong("write"))?;
            file.seek(SeekFrom::End(0)).map_err(wrong("write"))?;
            let mut sink = Sink::File(path.clone(), BufWriter::new(file));
            if end == 0 {
                sink.line(head).map_err(|error| sink.error(error))?;
            }
            return Ok(sink);
        }
        let file = OpenOptions::new().write(true).create_new(true).open(path);
        let file = match file {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                return Err(Error::Resume { path: path.clone(), why: "it is there already".to_owned() });
            }
            other => other.map_err(wrong("create"))?,
        };
        let mut sink = Sink::File(path.clone(), BufWriter::new(file));
        sink.line(head).map_err(|error| sink.error(error))?;
        Ok(sink)
    }

    /// A line is whole in the file before the next one begins.
    fn text(&mut self, line: &str) -> io::Result<()> {
        match self {
            Sink::Stdout(stdout) => stdout.write_all(line.as_bytes()).and_then(|()| stdout.flush()),
            Sink::File(_, file) => file.write_all(line.as_bytes()).and_then(|()| file.flush()),
        }
    }

    fn line(&mut self, line: &Value) -> io::Result<()> {
        self.text(&format!("{line}\n"))
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Sink::Stdout(stdout) => stdout.flush(),
            Sink::File(_, file) => file.flush().and_then(|()| file.get_ref().sync_all()),
        }
    }

    fn error(&self, error: io::Error) -> Error {
        match self {
            Sink::Stdout(_) => Error::Stdout(error),
            Sink::File(path, _) => FileError { path: path.clone(), action: "write", error }.into(),
        }
    }
}

/// Counts the lines of an earlier run; where the last whole one of a model ends.
fn earlier(path: &Path, file: &File, head: &Value, tally: &mut Tally) -> Result<u64, Error> {
    let wrong = |error| FileError { path: path.to_owned(), action: "read", error };
    let resume = |why: String| Error::Resume { path: path.to_owned(), why };
    let mut reader = BufReader::new(file);
    let (mut end, mut number) = (0, 0);
    let mut line = Vec::new();
    loop {
        line.clear();
        let length = reader.read_until(b'\n', &mut line).map_err(wrong)?;
        // The run was stopped in the middle of this one.
        if length == 0 || line.last() != Some(&b'\n') {
            return Ok(end);
        }
        number += 1;
        let value: Value =
            serde_json::from_slice(&line).map_err(|error| resume(format!("line {number} is no JSON: {error}")))?;
        match value["reason"].as_str() {
            Some("audit") if number == 1 => {
                if let Some(key) = first_difference(&value, head) {
                    return Err(resume(format!(
                        "it answers another question: `{key}` of its first line is {}, and here {}",
                        value[key], head[key]
                    )));
                }
            }
            Some("model") if number > 1 => {
                tally.add(Some(&Told::of(&value)));
                tally.seen.extend(value["path"].as_str().map(audit::key_of));
            }
            Some("audit_summary") if number > 1 => return Ok(end),
            _ => return Err(resume(format!("line {number} is none of an audit"))),
        }
        end += length as u64;
    }
}

/// The first key, by name, of which two objects say something else.
fn first_difference<'v>(one: &'v Value, other: &'v Value) -> Option<&'v str> {
    let keys = |value: &'v Value| value.as_object().into_iter().flat_map(|object| object.keys()).map(String::as_str);
    let keys: BTreeSet<_> = keys(one).chain(keys(other)).collect();
    keys.into_iter().find(|key| one[*key] != other[*key])
}
