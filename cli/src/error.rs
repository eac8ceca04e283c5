//! Why a command could not do what it was asked, and what helps.

use std::path::PathBuf;

use oplock_core::approvals::ApprovalsError;
use oplock_core::judge::TakeOverError;
use oplock_core::lock::FileError;
use oplock_core::manifest::ManifestError;
use oplock_core::{LOCK_FILE, LockError};
use oplock_interop::models::audit::WalkError;
use oplock_interop::models::{ExportError, ModelError};
use semver::Version;
use thiserror::Error;

use crate::collect::MergeError;
use crate::exit::Exit;
use crate::git;
use crate::named::Wanted;
use oplock_interop::JsonError;
use oplock_interop::onnx::UnfitError;
use oplock_interop::paddle::{SpecError, UnwritableError};
use oplock_interop::tensorflow::op_list::{self, OpListError};

/// Each has all that its message needs.
#[derive(Debug, Error)]
pub(crate) enum Error {
    #[error(transparent)]
    File(#[from] FileError),
    #[error("{}: there is no such file", path.display())]
    NoFile { path: PathBuf, wanted: Wanted },
    #[error("{error}")]
    Unreadable { error: FileError, wanted: Wanted },
    #[error("{}:{line}: {why}", path.display())]
    NotWanted { path: PathBuf, line: u32, why: String, wanted: Wanted },
    #[error("{}: {format} is no file of definitions", path.display())]
    IsModel { path: PathBuf, format: oplock_interop::models::Format },
    #[error("{}:{}: {}", path.display(), error.line, error.kind)]
    Lock { path: PathBuf, error: LockError },
    #[error(transparent)]
    TakeOver(#[from] TakeOverError),
    #[error("{}: {error}", path.display())]
    Graph { path: PathBuf, error: oplock_graph::ReadError, wanted: Wanted },
    #[error("{}: {refused}", path.display())]
    GraphRecords { path: PathBuf, refused: oplock_graph::Refused },
    #[error("{}: {refused}", path.display())]
    NotGolden { path: PathBuf, refused: oplock_graph::Refused },
    #[error("{}: the graph cannot be written: {error}", path.display())]
    GraphWrite { path: PathBuf, error: oplock_graph::WriteError },
    #[error("{}: this is a lock, and no graph", .0.display())]
    NoGraph(PathBuf),
    #[error("{}: nothing is promised of this graph, since {reason}", path.display())]
    Unpromised { path: PathBuf, reason: String },
    #[error("{}: the release has another golden graph of this name", .0.display())]
    GoldenThere(PathBuf),
    #[error("{}: a lock is no graph, so no other lock tells more of it", .0.display())]
    LockOfLock(PathBuf),
    #[error("{}:{}: {}", path.display(), error.line, error.reason)]
    Manifest { path: PathBuf, error: ManifestError },
    #[error("{}:{error}", path.display())]
    Spec { path: PathBuf, error: SpecError },
    #[error("{}:{error}", path.display())]
    Definitions { path: PathBuf, what: &'static str, error: JsonError },
    #[error("{}:{error}", path.display())]
    OpList { path: PathBuf, error: Box<OpListError> },
    #[error("{}: under `--rules {rules}` it must be one of that system's files, or one that can be written so: {why}", path.display())]
    NotOfPeer { path: PathBuf, rules: &'static str, why: String },
    #[error("`{option}` says nothing under `--rules {rules}`")]
    NotOfRules { option: &'static str, rules: &'static str, help: &'static str },
    #[error("findings under `--rules {rules}` are not printed as `{format}`")]
    NotPrinted { format: String, rules: &'static str },
    #[error("`{option}` says nothing of {of}")]
    NoOpVersions { option: &'static str, of: String },
    #[error("`--written-by` has definitions of {written_by}, and `--against` those of {against}")]
    OtherWriter { written_by: &'static str, against: &'static str },
    #[error("these operators cannot be written as a .spec: {0}")]
    UnwritableSpec(#[from] UnwritableError),
    #[error("these operators cannot be written as ONNX's schemas: {0}")]
    UnwritableSchemas(#[from] UnfitError),
    #[error("these operators cannot be written as TensorFlow's definitions: {0}")]
    UnwritableOpList(Box<op_list::UnwritableError>),
    #[error("these operators cannot be written as a lock: {}", .0.kind)]
    UnwritableLock(LockError),
    #[error("cannot run `{program}`: {error}")]
    NoCargo { program: String, error: std::io::Error },
    #[error("cargo cannot read the workspace")]
    Workspace { output: String },
    #[error("what cargo says of the workspace cannot be understood: {0}")]
    Metadata(cargo_metadata::Error),
    #[error("no package of the workspace is named `{spec}`{hint}")]
    NoPackage { spec: String, hint: String },
    #[error("no package is selected")]
    NothingSelected,
    #[error("{}: package `{package}` has no {LOCK_FILE}", .path.display())]
    NoLock { package: String, path: PathBuf, uses_oplock: bool, moved_from: Option<PathBuf> },
    #[error("no package of the workspace has an {LOCK_FILE}")]
    NoLocks,
    #[error("{}: git has this lock, and it is missing here", .0.display())]
    LostLock(PathBuf),
    #[error("{}: this is the lock of package `{found}`, and not of `{old}`", path.display())]
    OtherLock { path: PathBuf, found: String, old: String },
    #[error("{}: the lock is there already", .0.display())]
    LockExists(PathBuf),
    #[error("no package of the workspace depends on `oplock`")]
    NoUsers,
    #[error("several packages are selected, and this command is about one: {}", .0.join(", "))]
    SeveralPackages(Vec<String>),
    #[error("package `{package}` has neither a library nor a binary, so nothing declares its operators")]
    NoTarget { package: String },
    #[error(
        "package `{package}` does not build{with}, so its operators are not known; nothing was compared or written"
    )]
    DoesNotBuild { package: String, with: String, output: String },
    #[error("package `{package}` was built, and nothing told of its operators: {} does not call `oplock::lock!();`", roots.join(" and "))]
    NotExpanded { package: String, roots: Vec<String> },
    #[error("several binaries of package `{package}` call `oplock::lock!();`, and one lock cannot hold each to the operators of all: {}", bins.join(", "))]
    SeveralRoots { package: String, bins: Vec<String> },
    #[error("{}: what a macro wrote here cannot be read: {}", path.display(), error.kind)]
    Record { path: PathBuf, error: LockError },
    #[error(transparent)]
    Merge(#[from] MergeError),
    #[error("cannot {action} {}: {error}", path.display())]
    Folder { path: PathBuf, action: &'static str, error: std::io::Error },
    #[error("no selected package has the feature `{0}`")]
    NoFeature(String),
    #[error("package `{package}` is at {version}, which is below the release {released}")]
    ReleasedAhead { package: String, version: Version, released: Version },
    #[error("package `{0}` has no release yet, so nothing is there that a major version would break")]
    NothingReleased(String),
    #[error("{planned} is not above the last release of `{package}`, {last}")]
    PlanBehind { package: String, planned: Version, last: Version },
    #[error("{planned} is below the version of package `{package}`, {version}")]
    PlanBelowPackage { package: String, planned: Version, version: Version },
    #[error("no operator is named `{name}`{hint}")]
    NoOp { name: String, hint: String, file: Option<PathBuf> },
    #[error("`{name}` is what several operators are called: {}", candidates.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", "))]
    SeveralOps { name: String, candidates: Vec<String> },
    #[error("no rule is named `{name}`{hint}")]
    NoRule { name: String, hint: String },
    #[error("{}:{}: {}", path.display(), error.line, error.reason)]
    Approvals { path: PathBuf, error: ApprovalsError },
    #[error("nobody is named who allows the break")]
    NoApprover,
    #[error("git has no revision `{revision}`{}", if *is_shallow { ": this is a shallow clone" } else { "" })]
    NoRevision { revision: String, is_shallow: bool },
    #[error("{} is in no git repository, and there is no file `{spec}`", folder.display())]
    NoRepository { folder: PathBuf, spec: String },
    #[error("{place}:{}: {}", error.line, error.kind)]
    BaseLock { place: String, error: LockError },
    #[error("no package of the selection has a lock like `{0}`: that is the lock of another package")]
    OtherBase(String),
    #[error("{place} has no lock of package `{package}`")]
    NoOther { package: String, place: String },
    #[error("{}:{}: git holds no sides of this conflict: the file was added or committed with its markers", path.display(), error.line)]
    NoSides { path: PathBuf, error: LockError },
    #[error("{}: two lines of releases promise one thing differently, and no lock keeps both promises\n  {}", path.display(), found.join("\n  "))]
    Parted { path: PathBuf, found: Vec<String>, is_merge: bool },
    #[error("{}: one side has deleted the lock", .0.display())]
    DeletedBySide(PathBuf),
    #[error("{}: {side} cannot be merged: line {}: {}", path.display(), error.line, error.kind)]
    Unmergeable { path: PathBuf, side: &'static str, error: LockError },
    #[error("{}: the merged lock would say what no lock says: {} (line {})", path.display(), error.kind, error.line)]
    BadMerge { path: PathBuf, error: LockError },
    #[error("{}: {reason}", path.display())]
    BadCollection { path: PathBuf, reason: String },
    #[error("{}: there is something already, and nothing is overwritten", .0.display())]
    ThereAlready(PathBuf),
    #[error("{}: these are no definitions of {framework}", path.display())]
    NotOfFramework { path: PathBuf, framework: &'static str },
    #[error("`{0}` cannot be declared as it is")]
    NotDeclarable(String),
    #[error("{name:?} is no name of a package{of}", name = .0, of = of_operators(.0))]
    NoPackageName(String),
    #[error("{}: {error}", path.display())]
    Model { path: PathBuf, error: ModelError },
    #[error("{}: {error}", path.display())]
    ModelExport { path: PathBuf, error: ExportError },
    #[error(transparent)]
    Walk(WalkError),
    #[error("no file is a model in {}", .0.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", "))]
    NoModels(Vec<PathBuf>),
    #[error("{}: {why}", path.display())]
    Resume { path: PathBuf, why: String },
    #[error("cannot write to standard output: {0}")]
    Stdout(std::io::Error),
}

/// A package cannot depend on another of its own name.
fn of_operators(name: &str) -> &'static str {
    if name == "oplock" { " of operators: it depends on `oplock`" } else { "" }
}

impl Error {
    /// How the command ends.
    pub(crate) fn exit(&self) -> Exit {
        match self {
            Error::NotOfRules { .. }
            | Error::NotPrinted { .. }
            | Error::NoOpVersions { .. }
            | Error::OtherWriter { .. }
            | Error::LockOfLock(_)
            | Error::NoPackageName(_)
            | Error::NotOfFramework { .. }
            | Error::NoOp { .. }
            | Error::SeveralOps { .. }
            | Error::NoRule { .. }
            | Error::OtherLock { .. } => Exit::Usage,
            _ => Exit::CouldNotRun,
        }
    }

    /// What another program said, which is shown first.
    pub(crate) fn output(&self) -> Option<&str> {
        match self {
            Error::Workspace { output } | Error::DoesNotBuild { output, .. } => Some(output),
            _ => None,
        }
    }

    /// What to do, the likeliest first.
    pub(crate) fn help(&self) -> Vec<String> {
        let one = |text: &str| vec![text.to_owned()];
        match self {
            Error::Lock { path, error } => vec![error.remedy_in(&git::argument(path))],
            Error::TakeOver(error) => vec![error.remedy()],
            Error::File(error) if error.action != "read" => one("may the file and its folder be written?"),
            Error::File(error) if error.path.ends_with(LOCK_FILE) => {
                let file = git::argument(&error.path);
                vec![format!("the lock is a generated text file: restore it (`git checkout {file}`)")]
            }
            Error::File(_) => one("it must be a text file that may be read"),
            Error::Folder { .. } => one("may the folder be written, and is the disk full?"),
            Error::Manifest { .. } => one(
                "the keys are `relaxations = \"minor\"`, `features = [[\"cuda\"], [\"rocm\"]]` and `min-producer-window = \"180 days\"`",
            ),
            Error::Spec { .. } => one("a .spec is the JSON that PaddlePaddle's `print_op_desc.py` writes; a lock is no JSON"),
            Error::Definitions { what, .. } => vec![format!("this was read as {what}, which is what it looks like")],
            Error::OpList { .. } => one(
                "this was read as TensorFlow's definitions: JSON with a list of `ops`, or an `OpList` as protobuf text or binary; \
                 a lock is text, and a .spec a JSON object of operators",
            ),
            Error::NotOfRules { help, .. } => one(help),
            Error::NotPrinted { .. } => one("give `--message-format` as `human`, `short` or `json`"),
            Error::NoOpVersions { .. } => one("leave it out: the registry of op versions is PaddlePaddle's"),
            Error::OtherWriter { .. } => one("name the definitions of two releases of one system"),
            Error::Graph { error: oplock_graph::ReadError::NewerFormat { .. }, .. } => Vec::new(),
            Error::NoFile { wanted, .. }
            | Error::Unreadable { wanted, .. }
            | Error::NotWanted { wanted, .. }
            | Error::Graph { wanted, .. } => vec![format!("name {wanted}")],
            Error::IsModel { path, .. } => vec![format!(
                "`cargo oplock model show {0}` prints it, `cargo oplock model check {0} --against LOCK|DEFS` says whether it loads",
                git::argument(path)
            )],
            Error::NotOfPeer { .. } => one("compare two files of that system, or leave out `--rules`"),
            Error::GraphRecords { .. } => one("save the graph with `Program::save`, which says who wrote it"),
            Error::NotGolden { .. } => one("a golden graph is one that the release itself saves: make it with this build"),
            Error::GraphWrite { .. } | Error::NoGraph(_) => one("name a graph that `Program::save` made"),
            Error::Unpromised { .. } => one("a golden graph holds later releases to it: use what the release promises"),
            Error::GoldenThere(_) => one("give the graph another name; what a release recorded stays as it is"),
            Error::LockOfLock(_) => one("name the graph first: `cargo oplock reads GRAPH --lock LOCK`"),
            Error::Workspace { .. } => one("mend what cargo reports above, or name the manifest: `--manifest-path PATH`"),
            Error::NoTarget { .. } => one("add src/lib.rs with `oplock::lock!();`"),
            Error::NoPackage { .. } => one("`cargo metadata --no-deps` lists the packages of the workspace"),
            Error::NoLock { uses_oplock: true, moved_from: Some(lock), .. } => {
                vec![format!("`cargo oplock init --moved-from {}` creates it", git::argument(lock))]
            }
            Error::NoLock { uses_oplock: true, .. } => one("`cargo oplock init` creates it"),
            Error::NoLock { uses_oplock: false, .. } => vec![
                "the package does not depend on `oplock`: say which one does with `-p NAME` or `--manifest-path PATH`".to_owned(),
                "or add oplock to it: `cargo add oplock`, `oplock::lock!();` in the crate root, then `cargo oplock init`".to_owned(),
            ],
            Error::NoLocks => one("`cargo oplock init -p NAME` creates the lock of a package"),
            Error::LostLock(path) => vec![format!(
                "bring it back: `git checkout HEAD -- {}`; a new one would forget what was promised",
                git::argument(path)
            )],
            Error::LockExists(_) => one("`cargo oplock update` brings it up to date"),
            Error::OtherLock { found, .. } => vec![format!("if that was the package's name before: `cargo oplock rename {found}`")],
            Error::NoUsers | Error::NothingSelected => {
                one("say which package declares operators: `-p NAME` or `--manifest-path PATH`")
            }
            Error::SeveralPackages(_) => one("say which: `-p NAME`"),
            Error::DoesNotBuild { .. } => one("mend what cargo reports above, then run this again"),
            Error::NotExpanded { .. } => vec![
                "add `oplock::lock!();` to the crate root".to_owned(),
                "if it is there, then `oplock` is older than `cargo-oplock`: `cargo update -p oplock`".to_owned(),
            ],
            Error::SeveralRoots { .. } => one("move the operators into a library, src/lib.rs, that the binaries use"),
            Error::Record { .. } => {
                one("`oplock` and `cargo-oplock` are of different versions: upgrade both (`cargo update -p oplock`, `cargo install cargo-oplock`)")
            }
            Error::Merge(error) => vec![error.remedy()],
            Error::NoFeature(_) => one("name a feature of the selected package, or `PACKAGE/FEATURE`"),
            Error::ReleasedAhead { .. } => one("say the version that was last published, or raise the package's version first"),
            Error::NothingReleased(_) => {
                one("take back what is in the lock by mistake: `cargo oplock withdraw OP[.ITEM]`, then `cargo oplock update`")
            }
            Error::PlanBehind { .. } => one("`cargo oplock plan major` announces the next major version"),
            Error::PlanBelowPackage { .. } => one("plan the package's own version or one above it"),
            Error::NoOp { file: Some(file), .. } => {
                vec![format!("`cargo oplock print {} --message-format short` lists the operators", git::argument(file))]
            }
            Error::NoOp { .. } => one("`cargo oplock print --message-format short` lists the operators"),
            Error::SeveralOps { .. } => one("name one of them in full"),
            Error::NoRule { .. } => one("`cargo oplock explain` lists the rules"),
            Error::Approvals { error, .. } if error.reason.contains("merge conflict") => {
                one("`cargo oplock resolve` merges it by what it says")
            }
            Error::Approvals { .. } => one("`cargo oplock approve RULE OP[.ITEM] --reason TEXT` writes it"),
            Error::NoApprover => one("say who: `--by \"A. Person\"`, or `git config user.name \"A. Person\"`"),
            Error::NoRevision { is_shallow: true, .. } => vec![
                "deepen it: `git fetch --unshallow`".to_owned(),
                "in a GitHub workflow: `fetch-depth: 0` for actions/checkout".to_owned(),
            ],
            Error::NoRevision { .. } => one("is the branch fetched? a remote one is named `origin/main`"),
            Error::NoRepository { .. } => one("name a lock file, or run this in a git repository"),
            Error::BaseLock { .. } => one("name a revision whose lock is whole"),
            Error::OtherBase(_) => one("say which package: `-p NAME`"),
            Error::NoOther { .. } => one("name a revision that has it, or a lock file"),
            Error::Parted { path, is_merge: true, .. } => vec![
                format!("keep the releases of one line: `git checkout --ours {0}` (or `--theirs`), then `cargo oplock update`", git::argument(path)),
                "data that the other line saved is read where it uses nothing that its releases added".to_owned(),
            ],
            Error::Parted { .. } => vec![
                "leave the other line's releases out: data that they saved is read here where it uses nothing that they added".to_owned(),
                "what no release of this line has yet can still be made what the other line has".to_owned(),
            ],
            Error::NoSides { path, .. } => {
                let file = git::argument(path);
                vec![
                    format!("if the file was only added: `git checkout -m -- {file}` brings the conflict back; then run this again"),
                    format!("if it was committed: take the lock of one side (`git checkout REV -- {file}`), then run `cargo oplock update`"),
                ]
            }
            Error::DeletedBySide(path) => {
                let file = git::argument(path);
                vec![format!("keep it (`git checkout --ours {file}`, or `--theirs`), or delete it (`git rm {file}`)")]
            }
            Error::Unmergeable { path, .. } => {
                vec![format!("take a side that is whole: `git checkout --ours {}`, or `--theirs`", git::argument(path))]
            }
            Error::BadMerge { path, .. } => vec![format!(
                "take one side whole (`git checkout --ours {}`), then run `cargo oplock update`",
                git::argument(path)
            )],
            Error::BadCollection { .. } => one("`cargo oplock collect --out DIR` writes such a folder"),
            Error::UnwritableSpec(_) | Error::UnwritableSchemas(_) | Error::UnwritableOpList(_) => one("leave it out with `--op NAME` for each of the others, or print `--message-format json`"),
            Error::UnwritableLock(_) => one("print the others by name: `--op NAME`"),
            Error::ThereAlready(_) => one("name a new place, or move away what is there"),
            Error::NotOfFramework { .. } => one("say whose they are: `--from paddle`, `--from tensorflow` or `--from onnx`"),
            Error::NotDeclarable(_) => one("declare it by hand as what comes nearest, and give the graphs an upgrade where it differs"),
            Error::NoPackageName(_) => one("say it: `--name paddle-ops`, letters, digits, `-` and `_`"),
            // What it is is known, and that is what was named.
            Error::Model { error: ModelError::Damaged { .. } | ModelError::Content { .. }, .. } => {
                one("take a whole copy of the file, or save the model again")
            }
            Error::Model { .. } => vec![format!("name {}", Wanted::Model)],
            Error::ModelExport { error: ExportError::OwnOps(_), .. } => {
                one("save the model without functions of its own: inline them with the tools of its system")
            }
            Error::ModelExport { error: ExportError::Function { .. }, .. } => {
                one("load it in a program that links the package, and export it there: `Program::export`")
            }
            Error::Walk(_) | Error::NoModels(_) => one("name models, or folders of them"),
            Error::Resume { .. } => one("go on with the same definitions and options by `--resume`, or name another `--output`"),
            Error::NoCargo { .. } => one("is cargo installed and on the PATH?"),
            _ => Vec::new(),
        }
    }
}
