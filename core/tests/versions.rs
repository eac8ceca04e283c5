//! Data versions, the versions that breaks take, upgrades that breaks need, and their lives through releases.

mod common;

use std::collections::BTreeMap;

use common::{context, op_named, v};
use oplock_core::judge::{
    BaseFinding, Remedy, Source, Verdict, check_base, judge_source, least_bump, parted, seal, take_over, updated,
    withdraw,
};
use oplock_core::lock::{absorb, merge};
use oplock_core::upgrade::{Step, derived, needs};
use oplock_core::{Bump, Context, DataVersions, Lock, Map, Options, SavedKind, Set, Value};

/// A package with all that it declares.
#[derive(Clone)]
struct Life {
    lock: Lock,
    context: Context,
    source: Source,
    today: &'static str,
}

const SLICE: &str = "input.X = {}\nattr.starts = { type = \"[i32]\", default = [] }\nattr.mode = { type = \"string\", default = \"a\" }";

/// What is changed of a package.
type Edit<'a> = &'a dyn Fn(&mut Life);

impl Life {
    /// 1.0.0 with `slice`, and these data versions of graphs, sealed on 2026-01-01.
    fn released(versions: &[u32]) -> Self {
        let mut life =
            Life { lock: Lock::new("p"), context: context("1.0.0"), source: Source::default(), today: "2026-01-01" };
        life.op("slice", SLICE).versions(versions).update().seal();
        life
    }

    fn op(&mut self, name: &str, signature: &str) -> &mut Self {
        self.source.ops.insert(name.to_owned(), op_named(name, signature));
        self
    }

    fn delete(&mut self, name: &str) -> &mut Self {
        self.source.ops.remove(name).unwrap();
        self
    }

    /// Declares these versions of graphs, each with the text `vN`; none is a plain `lock!()`.
    fn versions(&mut self, versions: &[u32]) -> &mut Self {
        let history: Map<_, _> = versions.iter().map(|version| (*version, format!("v{version}"))).collect();
        if history.is_empty() {
            self.source.saved.remove(&SavedKind::Graph);
        } else {
            self.graph().history = history;
        }
        self
    }

    fn graph(&mut self) -> &mut DataVersions {
        self.source.saved.get_or_default(SavedKind::Graph)
    }

    fn min_producer(&mut self, version: u32) -> &mut Self {
        self.graph().min_producer = version;
        self
    }

    fn upgrade(&mut self, op: &str, before: u32) -> &mut Self {
        self.source.upgrades.insert((op.to_owned(), before));
        self
    }

    fn version(&mut self, version: &str) -> &mut Self {
        self.context.version = v(version);
        self
    }

    fn said(&self) -> Vec<String> {
        let (judgement, _) = judge_source(&self.lock, &self.context, &self.source, &|_| false);
        let say = |judged: &oplock_core::Judged| {
            let verdict = match &judged.verdict {
                Verdict::Compatible => "compatible".to_owned(),
                Verdict::Accepted(version) => format!("accepted for {version}"),
                Verdict::Approved(approved) => format!("approved by {}", approved.by),
                Verdict::Refused(Remedy::Withdraw { path }) => format!("withdraw {path}"),
                Verdict::Refused(Remedy::Major { version }) => format!("needs {version}"),
                Verdict::Refused(Remedy::Mend) => "never".to_owned(),
            };
            let finding = &judged.finding;
            let (from, to) = (finding.from.clone().unwrap_or_default(), finding.to.clone().unwrap_or_default());
            match finding.rule.name {
                "break_not_covered" => format!("break_not_covered {} {to}: {verdict}", finding.path()),
                _ if finding.data.is_some() => format!("{} {from} -> {to}: {verdict}", finding.rule.name),
                rule => format!("{rule} {}: {verdict}", finding.path()),
            }
        };
        judgement.findings.iter().map(say).collect()
    }

    #[track_caller]
    fn says(&mut self, expected: &[&str]) -> &mut Self {
        assert_eq!(self.said(), expected, "\n{}", self.lock);
        self
    }

    /// `cargo oplock update`, which nothing refuses, after which nothing is left to say, and which reads back as written.
    #[track_caller]
    fn update(&mut self) -> &mut Self {
        let (judgement, lock) = judge_source(&self.lock, &self.context, &self.source, &|_| false);
        assert_eq!(judgement.refused().map(|judged| judged.finding.message()).collect::<Vec<_>>(), [""; 0]);
        self.lock = lock;
        let text = self.lock.to_string();
        assert_eq!(Lock::parse(&text, None).unwrap_or_else(|e| panic!("{e}\n{text}")), self.lock, "{text}");
        let (judgement, again) = judge_source(&self.lock, &self.context, &self.source, &|_| false);
        assert_eq!((judgement.findings.len(), judgement.stale), (0, false), "{:?}\n{text}", self.said());
        assert_eq!(again.to_string(), text, "a second update changes nothing");
        self
    }

    #[track_caller]
    fn seal(&mut self) -> &mut Self {
        self.lock = seal(&self.lock, &self.context, self.today).unwrap_or_else(|e| panic!("{e}\n{}", self.lock));
        let text = self.lock.to_string();
        assert_eq!(Lock::parse(&text, None).unwrap_or_else(|e| panic!("{e}\n{text}")), self.lock, "{text}");
        self
    }

    #[track_caller]
    fn cannot_seal(&mut self, expected: &str) -> &mut Self {
        let error = seal(&self.lock, &self.context, self.today).expect_err("it can be sealed").to_string();
        assert!(error.contains(expected), "{error}");
        self
    }

    #[track_caller]
    fn withdraw(&mut self, path: &str) -> &mut Self {
        self.lock = withdraw(&self.lock, path).unwrap_or_else(|e| panic!("{e}\n{}", self.lock));
        self
    }

    /// The lines of the lock that contain that.
    fn lines(&self, part: &str) -> Vec<String> {
        self.lock.to_string().lines().filter(|line| line.contains(part)).map(str::to_owned).collect()
    }

    fn bump(&self) -> Bump {
        least_bump(&self.lock, Options::default()).bump
    }
}

#[test]
fn a_plain_lock_is_at_version_1_and_writes_nothing() {
    let mut life = Life::released(&[]);
    assert_eq!(life.lines("saved"), [""; 0]);
    assert_eq!(life.lines("graph"), [""; 0]);
    life.says(&[]);
    // Version 1 may be given its words later, and is as old as the release that wrote it.
    life.versions(&[1, 2]).version("1.1.0").says(&["data_version_added nothing -> 2: compatible"]).update();
    assert_eq!(
        life.lines("graph."),
        [
            "graph.version.1 = { text = \"v1\", since = \"1.0.0\" }",
            "graph.version.2 = { text = \"v2\", unreleased = true }"
        ]
    );
    life.seal();
    assert_eq!(life.lock.releases[&v("1.1.0")].version_of(SavedKind::Graph), 2);
    assert_eq!(life.lock.releases[&v("1.0.0")].version_of(SavedKind::Graph), 1);
}

#[test]
fn what_a_release_has_written_never_changes() {
    let life = || Life::released(&[4, 8]);
    life().versions(&[4, 8]).says(&[]);
    life().versions(&[8]).version("2.0.0").says(&["data_version_removed 4 -> nothing: never"]);
    life().versions(&[4, 7, 8]).version("2.0.0").says(&["data_version_not_above 8 -> 7: never"]);
    let mut other = life();
    other.graph().history.insert(8, "other words".to_owned());
    other.version("2.0.0").says(&["data_version_changed \"v8\" -> 8: never"]);
    // What was implicit is none either.
    Life::released(&[]).versions(&[1]).says(&[]);
    let mut no_version = Life::released(&[4]);
    no_version.versions(&[]).says(&["data_version_removed 4 -> nothing: never"]);
}

#[test]
fn what_no_release_carries_is_withdrawn_on_purpose() {
    let mut life = Life::released(&[4]);
    life.versions(&[4, 8]).update();
    // Its words may still change.
    life.graph().history.insert(8, "better words".to_owned());
    life.says(&[]).update();
    assert_eq!(life.lines("version.8"), ["graph.version.8 = { text = \"better words\", unreleased = true }"]);
    life.versions(&[4]).says(&["data_version_removed 8 -> nothing: withdraw saved.graph.8"]);
    life.withdraw("saved.graph.8").says(&[]).update();
    let error = withdraw(&life.lock, "saved.graph.4").unwrap_err().to_string();
    assert!(error.contains("promised since release 1.0.0"), "{error}");
    life.graph().bad_consumers = Set::from([3]);
    life.update().graph().bad_consumers.clear();
    life.says(&["bad_consumer_removed 3 -> nothing: withdraw saved.graph.bad_consumer.3"]);
    life.withdraw("saved.graph.bad_consumer.3").says(&[]);
    assert!(withdraw(&life.lock, "saved.graph.bad_consumer.3").unwrap_err().to_string().contains("nothing named"));
}

#[test]
fn numbers_that_never_fall() {
    let mut life = Life::released(&[4, 8]);
    life.context.options.min_producer_window = Some(0);
    life.graph().min_consumer = 8;
    life.says(&["min_consumer_raised 1 -> 8: compatible"]).update();
    assert_eq!(life.lines("min_consumer"), ["graph.min_consumer = { value = 8, was = 1, unreleased = true }"]);
    assert_eq!(life.bump(), Bump::Minor);
    life.graph().min_consumer = 4;
    life.says(&["min_consumer_lowered 8 -> 4: withdraw saved.graph.min_consumer"]);
    // What the last release had is always allowed.
    life.graph().min_consumer = 1;
    life.says(&[]).update();
    assert_eq!(life.lines("min_consumer"), [""; 0]);
    life.graph().min_consumer = 8;
    life.version("1.1.0").update().seal();
    assert_eq!(life.lines("min_consumer"), ["graph.min_consumer = 8"]);
    life.graph().min_consumer = 4;
    life.version("2.0.0").says(&["min_consumer_lowered 8 -> 4: never"]);
    life.graph().min_consumer = 8;
    life.min_producer(4).says(&["min_producer_raised 1 -> 4: accepted for 2.0.0"]).update();
    assert_eq!(life.bump(), Bump::Major);
    life.seal().version("3.0.0").min_producer(1).says(&["min_producer_lowered 4 -> 1: never"]);
}

#[test]
fn min_producer_rises_only_in_a_major_release() {
    let mut life = Life::released(&[4, 8]);
    life.min_producer(8).version("1.1.0").says(&["min_producer_raised 1 -> 8: needs 2.0.0"]);
    life.version("2.0.0").says(&["min_producer_raised 1 -> 8: accepted for 2.0.0"]).update().says(&[]);
    // Lowering the version brings the error back, though lock and source agree.
    life.version("1.1.0").says(&["min_producer_raised 1 -> 8: needs 2.0.0"]);
    life.withdraw("saved.graph.min_producer");
    assert_eq!(life.lines("min_producer"), [""; 0]);
}

#[test]
fn min_producer_rises_only_to_what_was_released_long_enough_ago() {
    let mut life = Life::released(&[4]);
    life.versions(&[4, 8]).version("1.1.0").update();
    life.today = "2026-03-01";
    life.seal();
    life.min_producer(8).version("2.0.0").update();
    life.today = "2026-08-27";
    life.cannot_seal(
        "1.1.0, the first release that writes such graphs, was sealed on 2026-03-01: less than 180 days ago",
    );
    life.cannot_seal("from 2026-08-28 on it may rise");
    life.today = "2026-08-28";
    life.clone().seal();
    life.today = "2026-03-02";
    life.context.options.min_producer_window = Some(2);
    life.cannot_seal("from 2026-03-03 on");
    life.context.options.min_producer_window = Some(0);
    life.clone().seal();
    // A version that this release is the first to write: only where the window is zero.
    life.versions(&[4, 8, 9])
        .min_producer(9)
        .says(&["data_version_added nothing -> 9: compatible", "min_producer_raised 1 -> 9: accepted for 2.0.0"]);
    life.context.options.min_producer_window = None;
    assert!(life.said().contains(&"min_producer_too_early 1 -> 9: never".to_owned()), "{:?}", life.said());
    // Below 1.0 there is no window.
    let mut young =
        Life { lock: Lock::new("p"), context: context("0.3.0"), source: Source::default(), today: "2026-01-01" };
    young.op("slice", SLICE).update().seal();
    young.version("0.4.0").versions(&[2]).min_producer(2).update().seal();
    assert_eq!(young.lines("min_producer"), ["graph.min_producer = 2"]);
}

/// What another line wrote is taken as of where the two parted: who has data of this line cannot write it anew with that.
#[test]
fn min_producer_does_not_rise_by_what_another_line_released() {
    let mut trunk = Life::released(&[4]);
    let mut other = trunk.clone();
    other.versions(&[4, 8]).version("1.1.0").update();
    other.today = "2026-02-01";
    other.seal();
    trunk.op("added", "").version("2.0.0").update();
    trunk.today = "2026-03-01";
    trunk.seal();
    trunk.lock = absorb(&trunk.lock, &other.lock).lock;
    trunk.versions(&[4, 8]);
    let mut early = trunk.clone();
    early.min_producer(8).version("3.0.0").update();
    early.today = "2027-01-01";
    early.cannot_seal("no release writes such graphs yet");
    trunk.version("2.1.0").update();
    trunk.today = "2026-04-01";
    trunk.seal();
    trunk.min_producer(8).version("3.0.0").update();
    trunk.today = "2026-09-27";
    trunk.cannot_seal("2.1.0, the first release that writes such graphs, was sealed on 2026-04-01");
    trunk.today = "2026-09-28";
    trunk.seal();
}

/// Of what one line saved at its version 8 the row of the other line at 9 would say that the old default is meant.
#[test]
fn a_break_that_each_line_made_under_a_data_version_of_its_own_joins_no_lock() {
    let base = Life::released(&[4]);
    let line = |versions: &[u32], version| {
        let mut line = base.clone();
        line.op("slice", &SLICE.replace("[]", "[1]")).versions(versions).version(version).update();
        line.today = "2026-02-01";
        line.seal();
        line.lock
    };
    let (ours, theirs, alike) = (line(&[4, 8], "2.0.0"), line(&[4, 8, 9], "3.0.0"), line(&[4, 8], "3.0.0"));
    let told = |choices: Vec<oplock_core::lock::Choice>| {
        let lines = choices.into_iter().map(|choice| format!("{}: {} | {}", choice.path, choice.ours, choice.theirs));
        lines.filter(|line| line.contains("changed at")).collect::<Vec<_>>()
    };
    let expected = "slice.attr.starts: changed at data version 8 | changed at data version 9";
    assert_eq!(told(absorb(&ours, &theirs).choices), [expected]);
    assert_eq!(told(merge(&base.lock, &ours, &theirs).choices), [expected]);
    let expected = "slice.attr.starts: changed at data version 9 | changed at data version 8";
    assert_eq!(told(absorb(&theirs, &ours).choices), [expected]);
    assert_eq!(told(absorb(&ours, &alike).choices), [""; 0], "under one version it is one break");
}

#[test]
fn a_version_that_only_names_a_bad_consumer_is_a_patch() {
    let mut life = Life::released(&[4, 6]);
    life.versions(&[4, 6, 7]).graph().bad_consumers = Set::from([6]);
    life.says(&["data_version_added nothing -> 7: compatible", "bad_consumer_added nothing -> 6: compatible"]).update();
    assert_eq!(life.bump(), Bump::Patch);
    life.clone().version("1.0.1").seal();
    // It takes more than that once something moves with it.
    life.graph().min_consumer = 7;
    life.update();
    assert_eq!(life.bump(), Bump::Minor);
    life.version("1.0.1").cannot_seal("1.0.1 is too low");
    life.version("1.1.0").seal().graph().bad_consumers.clear();
    life.version("2.0.0").says(&["bad_consumer_removed 6 -> nothing: never"]);
}

/// A version of which a graph can depend on more than who may read it: each such use alone makes the release a minor one.
#[test]
fn a_version_that_something_takes_is_more_than_a_patch() {
    let note = "version = 7, note = \"n\"";
    for (what, slice) in [
        ("an attribute", SLICE.replace("\"a\" }", &format!("\"a\", deprecated = {{ {note} }} }}"))),
        ("the operator", format!("deprecated = {{ {note}, unreleased = true }}\n{SLICE}")),
    ] {
        let mut life = Life::released(&[4, 6]);
        life.versions(&[4, 6, 7]).graph().bad_consumers = Set::from([6]);
        assert_eq!(life.clone().update().bump(), Bump::Patch, "{what}");
        life.op("slice", &slice).update();
        assert_eq!(life.bump(), Bump::Minor, "{what}");
    }
}

/// What leaves a deprecated attribute out means the default of its time: a deletion is covered for one of them only.
#[test]
fn a_deletion_of_what_was_deprecated_is_covered_where_its_default_stayed() {
    let mode = |default: &str, mark: &str| SLICE.replace("default = \"a\"", &format!("default = \"{default}\"{mark}"));
    let mark = ", deprecated = { version = 8, note = \"n\" }";
    let without = SLICE.lines().filter(|line| !line.contains("mode")).collect::<Vec<_>>().join("\n");
    let deleted = |change: Edit<'_>| {
        let mut life = Life::released(&[4]);
        life.versions(&[4, 8]).op("slice", &mode("a", mark)).version("1.1.0").update().seal();
        change(&mut life);
        life.context.options.min_producer_window = Some(0);
        let next = v(&format!("{}.0.0", life.lock.last_release().unwrap().major + 1));
        let versions: Vec<u32> = [4, 8, 9, 10].into();
        life.versions(&versions).min_producer(8).op("slice", &without).version(&next.to_string());
        life.said().into_iter().filter(|line| line.contains("break_not_covered")).collect::<Vec<_>>()
    };
    assert_eq!(deleted(&|_| {}), [""; 0]);
    let told = deleted(&|life| {
        life.versions(&[4, 8, 9]).op("slice", &mode("b", mark)).version("2.0.0").update().seal();
    });
    assert_eq!(told.len(), 1, "{told:?}");
}

#[test]
fn a_break_takes_a_data_version() {
    let mut life = Life::released(&[4]);
    life.op("slice", &SLICE.replace("default = \"a\"", "default = \"b\"")).version("2.0.0");
    life.says(&["attr_changed slice.mode: accepted for 2.0.0", "break_without_version slice.mode: never"]);
    let (_, lock) = judge_source(&life.lock, &life.context, &life.source, &|_| false);
    assert!(lock.pending().all(|(_, row)| row.version.is_none()), "{lock}");
    // A version that a release has written tells nothing.
    life.versions(&[4, 9])
        .says(&["attr_changed slice.mode: accepted for 2.0.0", "data_version_added nothing -> 9: compatible"]);
    life.update();
    assert_eq!(
        life.lines("rule ="),
        [
            "slice.unreleased.attr.mode = { rule = \"attr_changed\", version = 9, from = { type = \"string\", default = \"a\", since = \"1.0.0\" }, to = { type = \"string\", default = \"b\" }, for = \"2.0.0\" }"
        ]
    );
    // A later version in the same release is that of a later break; the earlier one keeps its own.
    life.op("slice", &SLICE.replace("default = \"a\"", "default = \"b\"").replace("default = []", "default = [1]"));
    life.versions(&[4, 9, 10]).update();
    assert_eq!(life.lines("version = 9").len(), 1);
    assert_eq!(life.lines("version = 10").len(), 1);
    life.seal();
    assert_eq!(life.lines("slice.\"2.0.0\"").len(), 2);
    assert_eq!(life.lock.releases[&v("2.0.0")].version_of(SavedKind::Graph), 10);
    // An approved break takes one, too; what is no break takes none.
    life.version("2.1.0").op(
        "slice",
        &format!(
            "{}\nattr.new = {{ type = \"i32\", default = 0 }}",
            &SLICE.replace("default = \"a\"", "default = \"b\"").replace("default = []", "default = [1]")
        ),
    );
    life.says(&["attr_added slice.new: compatible"]).update();
}

#[test]
fn a_row_without_a_version_is_refused_although_lock_and_source_agree() {
    let mut life = Life::released(&[4]);
    life.op("slice", &SLICE.replace("default = \"a\"", "default = \"b\"")).version("2.0.0");
    life.lock = updated(&life.lock, &life.context, &life.source.ops, &|_| false);
    life.says(&["break_without_version slice.mode: never"]);
}

#[test]
fn what_the_ledger_covers_by_itself_needs_no_function() {
    let widened = SLICE.replace("\"[i32]\"", "\"[i64]\"");
    for (change, steps) in [
        (SLICE.replace("default = \"a\"", "default = \"b\""), 1),
        (SLICE.replace(", default = \"a\"", ""), 1),
        (SLICE.replace("\"[i32]\", default = []", "\"[i64]\", default = []"), 1),
        (SLICE.replace("\"[i32]\", default = []", "\"[f64]\", default = [0.5]"), 2),
        (SLICE.replace("input.X = {}", "input.X = { dispensable = true }"), 0),
        (SLICE.replace("input.X = {}", "input.X = { duplicable = true }"), 0),
        (widened, 1),
        // The type of a list has a minimum of its own, which may be said.
        (SLICE.replace("\"[i32]\", default = []", "\"[i64]\", default = [], min = 0"), 1),
    ] {
        let mut life = Life::released(&[4]);
        life.op("slice", &change).versions(&[4, 9]).version("2.0.0").update();
        let (key, row) = life.lock.pending().next().unwrap_or_else(|| panic!("{change}"));
        assert_eq!(derived(&life.lock, key, row).map(|steps| steps.len()), Some(steps), "{change}");
    }
    let mut life = Life::released(&[4]);
    life.op("slice", &SLICE.replace("\"[i32]\", default = []", "\"[f64]\", default = [0.5]"));
    life.versions(&[4, 9]).version("2.0.0").update();
    let (key, row) = life.lock.pending().next().unwrap();
    let starts = || "starts".to_owned();
    assert_eq!(
        derived(&life.lock, key, row),
        Some(vec![
            Step::Fill { attr: starts(), value: Value::list(Vec::new()) },
            Step::Widen { attr: starts(), to: "[f64]".parse().unwrap() },
        ])
    );
}

/// What was legal must still be: the minimum and the allowed values change with the type.
#[test]
fn a_wider_type_that_takes_all_that_the_narrower_one_did_needs_no_function() {
    for (from, to, is_covered) in [
        ("type = \"i32\"", "type = \"i64\"", true),
        ("type = \"i32\", min = 2", "type = \"i64\", min = 1", true),
        ("type = \"i32\", min = 2", "type = \"i64\", min = 2", true),
        ("type = \"i32\", min = 2", "type = \"i64\"", true),
        ("type = \"i32\", min = 2", "type = \"i64\", min = 3", false),
        ("type = \"i32\"", "type = \"i64\", min = 0", false),
        ("type = \"i32\"", "type = \"i64\", min = -5", false),
        // What has no sign is never below 0, nor is the length of a list.
        ("type = \"u32\"", "type = \"u64\", min = 0", true),
        ("type = \"u32\"", "type = \"i64\", min = 0", true),
        ("type = \"usize\"", "type = \"i64?\", min = 0", true),
        ("type = \"[i32]\"", "type = \"[i64]\", min = 0", true),
        ("type = \"u32\"", "type = \"u64\", min = 1", false),
        ("type = \"[i32]\"", "type = \"[i64]\", min = 1", false),
        ("type = \"[i32; 2]\"", "type = \"[i32]\", min = 0", true),
        ("type = \"string\"", "type = \"string?\"", true),
        ("type = \"string\", values = [\"a\"]", "type = \"string?\"", true),
        ("type = \"string\", values = [\"a\"]", "type = \"string?\", values = [\"a\", \"b\"]", true),
        ("type = \"string\", values = [\"a\", \"b\"]", "type = \"string?\", values = [\"a\"]", false),
        ("type = \"string\"", "type = \"string?\", values = [\"a\"]", false),
    ] {
        let mut life = Life::released(&[4]);
        life.op("f", &format!("attr.a = {{ {from} }}")).version("1.1.0").update().seal();
        life.op("f", &format!("attr.a = {{ {to} }}")).versions(&[4, 9]).version("2.0.0");
        let needs_function = life.said().contains(&"break_not_covered f.a 9: never".to_owned());
        assert_eq!(needs_function, !is_covered, "{from} -> {to}: {:?}", life.said());
    }
}

/// Of what was `extra` nothing was promised, its default neither.
#[test]
fn what_was_extra_leaves_no_default_behind() {
    let lock = common::lock(
        r#"
[release]
"1.0.0" = { date = "2026-01-01" }
"2.0.0" = { date = "2026-02-01", graph = 8 }
[saved]
graph.version.8 = { text = "", since = "2.0.0" }
[op]
f.since = "1.0.0"
f.attr.a = { type = "i32", default = 2, since = "2.0.0" }
[ledger]
f."2.0.0".attr.a = { rule = "name_reused", version = 8, from = { type = "i32", default = 1, extra = true }, to = { type = "i32", default = 2 } }
"#,
    );
    let steps: Vec<_> = lock.ledger.iter().map(|(key, row)| derived(&lock, key, row)).collect();
    assert_eq!(steps, [Some(vec![])]);
}

#[test]
fn everything_else_needs_a_function_or_min_producer() {
    for (change, path) in [
        (SLICE.replace("input.X = {}", ""), "slice.X"),
        (SLICE.replace("\nattr.mode = { type = \"string\", default = \"a\" }", ""), "slice.mode"),
        (format!("{SLICE}\ninput.Y = {{}}"), "slice.Y"),
        (format!("{SLICE}\nattr.n = {{ type = \"i32\" }}"), "slice.n"),
        (SLICE.replace("\"[i32]\", default = []", "\"[u32]\", default = []"), "slice.starts"),
        // A wider type that takes less is no widening.
        (SLICE.replace("\"[i32]\", default = []", "\"[i64]\", default = [1], min = 1"), "slice.starts"),
        (SLICE.replace("default = \"a\"", "default = \"a\", values = [\"a\"]"), "slice.mode"),
        (SLICE.replace("default = \"a\"", "default = \"a\", quant = true"), "slice.mode"),
        (SLICE.replace("default = \"a\"", "default = \"a\", extra = true"), "slice.mode"),
        (format!("cfg = \"unix\"\n{SLICE}"), "slice"),
    ] {
        let mut life = Life::released(&[4]);
        life.op("slice", &change).versions(&[4, 9]).version("2.0.0");
        let uncovered = format!("break_not_covered {path} 9: never");
        assert!(life.said().contains(&uncovered), "{change}: {:?}", life.said());
        // A function of another version, or of another operator, is none of it.
        let mut other = life.clone();
        other.upgrade("slice", 8).upgrade("pad", 9);
        assert!(other.said().contains(&uncovered), "{change}: {:?}", other.said());
        life.clone().upgrade("slice", 9).update().seal().version("2.1.0").says(&[]);
        life.context.options.min_producer_window = Some(0);
        life.min_producer(9).update().seal().version("2.1.0").says(&[]);
    }
}

#[test]
fn a_deleted_operator_is_one_need_whatever_items_it_had() {
    let mut life = Life::released(&[4]);
    life.delete("slice").versions(&[4, 9]).version("2.0.0").says(&[
        "op_deleted slice: accepted for 2.0.0",
        "data_version_added nothing -> 9: compatible",
        "break_not_covered slice 9: never",
    ]);
    life.upgrade("slice", 9).update().seal();
    assert_eq!(life.lines("[upgrade]").len(), 1);
    assert_eq!(life.lines("slice.9"), ["slice.9 = { since = \"2.0.0\" }"]);
    // It is covered for good, not only while the break is new.
    life.source.upgrades.clear();
    life.version("2.0.1").says(&["upgrade_removed slice: needs 3.0.0"]);
    life.version("3.0.0").says(&["upgrade_removed slice: accepted for 3.0.0", "break_not_covered slice 9: never"]);
    life.context.options.min_producer_window = Some(0);
    life.min_producer(9).says(&["min_producer_raised 1 -> 9: accepted for 3.0.0", "upgrade_removed slice: compatible"]);
    life.update();
    assert_eq!(life.lines("slice.9"), ["slice.9 = { since = \"2.0.0\", gone = true }"]);
    life.seal();
    assert_eq!(life.lines("slice.9"), [""; 0]);
    // The tombstone has fallen: no graph that is still read knew the name.
    life.version("3.1.0").op("slice", "input.Other = {}").says(&["op_added slice: compatible"]);
}

#[test]
fn what_is_renamed_with_an_alias_needs_no_function() {
    let renamed = SLICE.replace("input.X = {}", "input.In = { alias = [\"X\"] }").replace(
        "attr.mode = { type = \"string\", default = \"a\" }",
        "attr.how = { type = \"string\", default = \"a\", alias = [\"mode\"] }",
    );
    let mut life = Life::released(&[4]);
    life.op("slice", &renamed).versions(&[4, 9]).version("2.0.0").says(&[
        "input_added slice.In: compatible",
        "input_deleted slice.X: accepted for 2.0.0",
        "attr_added slice.how: compatible",
        "attr_deleted slice.mode: accepted for 2.0.0",
        "data_version_added nothing -> 9: compatible",
    ]);
    life.update().seal();
    // Renamed again, each name is read as the next one.
    let again = renamed.replace("input.In = { alias = [\"X\"] }", "input.Data = { alias = [\"In\", \"X\"] }");
    life.op("slice", &again).versions(&[4, 9, 10]).version("3.0.0").update().seal();
    assert_eq!(life.lines("slice.\"3.0.0\".input.In").len(), 1);
    // Without the alias both renamings are open.
    let lost = again.replace("[\"In\", \"X\"]", "[\"In\"]");
    let mut other = life.clone();
    other.op("slice", &lost).versions(&[4, 9, 10, 11]).version("4.0.0");
    other.says(&[
        "alias_removed slice.Data: accepted for 4.0.0",
        "data_version_added nothing -> 11: compatible",
        "break_not_covered slice.Data 11: never",
    ]);
    // The operator too, and all that its items were.
    life.delete("slice").op("cut", &format!("alias.slice = {{ unreleased = true }}\n{again}"));
    life.versions(&[4, 9, 10, 11]).version("4.0.0").says(&[
        "op_added cut: compatible",
        "op_deleted slice: accepted for 4.0.0",
        "data_version_added nothing -> 11: compatible",
    ]);
    life.update().seal().version("4.0.1").says(&[]);
}

/// Between the releases there was one that knew neither name, and what that made of older graphs only the function says.
#[test]
fn a_name_that_comes_back_as_an_alias_later_does_not_cover_its_deletion() {
    let without = SLICE.replace("attr.mode = { type = \"string\", default = \"a\" }", "");
    let how = format!("{without}; attr.how = {{ type = \"string\", default = \"a\", alias = [\"mode\"] }}");
    let mut life = Life::released(&[4]);
    life.op("slice", &without).versions(&[4, 9]).version("2.0.0").upgrade("slice", 9).update().seal();
    life.version("2.1.0").op("slice", &how).says(&["attr_added slice.how: compatible"]).update().seal();
    let mut other = life.clone();
    other.source.upgrades.clear();
    other.version("3.0.0");
    other.says(&["upgrade_removed slice: accepted for 3.0.0", "break_not_covered slice.mode 9: never"]);
    // What came with the deletion covers it, also when an item that was there before took the name over.
    let mut own = Life::released(&[4]);
    own.op("slice", &how).versions(&[4, 9]).version("2.0.0").says(&[
        "attr_added slice.how: compatible",
        "attr_deleted slice.mode: accepted for 2.0.0",
        "data_version_added nothing -> 9: compatible",
    ]);
}

#[test]
fn a_revision_needs_a_function_of_the_version_that_it_names() {
    let mut life = Life::released(&[4]);
    let revised = format!("revised.9 = {{ note = \"ties go to even\", unreleased = true }}\n{SLICE}");
    life.op("slice", &revised)
        .version("2.0.0")
        .versions(&[4])
        .says(&["op_revised slice: accepted for 2.0.0", "version_undeclared slice: never"]);
    // It takes the version that it names, whichever is the greatest.
    life.versions(&[4, 9, 10]).says(&[
        "op_revised slice: accepted for 2.0.0",
        "data_version_added nothing -> 9: compatible",
        "data_version_added nothing -> 10: compatible",
        "break_not_covered slice 9: never",
    ]);
    life.upgrade("slice", 9).update().seal();
    assert_eq!(life.lines("slice.revised"), ["slice.revised.9 = { note = \"ties go to even\", since = \"2.0.0\" }"]);
    // Graphs from before are read while `min_producer` is below that version.
    assert_eq!([8, 9, 10].map(|min_producer| needs(&life.lock, min_producer).len()), [1, 0, 0]);
    // What is gone was revised all the same.
    life.delete("slice").versions(&[4, 9, 10, 11]).version("3.0.0").upgrade("slice", 11).update().seal();
    life.source.upgrades.remove(&("slice".to_owned(), 9));
    life.version("4.0.0").says(&["upgrade_removed slice: accepted for 4.0.0", "break_not_covered slice 9: never"]);
}

#[test]
fn an_operator_that_comes_back_with_a_revision_has_no_nodes_from_before() {
    let mut life = Life::released(&[4]);
    life.delete("slice").versions(&[4, 8]).version("2.0.0").upgrade("slice", 8).update().seal();
    life.today = "2026-12-01";
    life.version("3.0.0").min_producer(8).update().seal();
    let revised =
        |mark: &str| format!("{mark}revised.9 = {{ note = \"ties go to even\", unreleased = true }}\n{SLICE}");
    life.op("slice", &revised("")).versions(&[4, 8, 9]).version("3.1.0");
    life.says(&["op_added slice: compatible", "data_version_added nothing -> 9: compatible"]).update().seal();
    // Nor once that is released.
    life.version("3.2.0").says(&[]);
    life.op("slice", &revised("revised.10 = { note = \"so do zeros\", unreleased = true }\n"));
    life.versions(&[4, 8, 9, 10]).version("4.0.0").says(&[
        "op_revised slice: accepted for 4.0.0",
        "data_version_added nothing -> 10: compatible",
        "break_not_covered slice 10: never",
    ]);
}

#[test]
fn a_deprecation_names_a_new_version_and_is_lifted_by_promising_anew() {
    let deprecated = |version: u32| {
        let mark = format!(", deprecated = {{ version = {version}, note = \"use starts\" }}");
        SLICE.replace("default = \"a\"", &format!("default = \"a\"{mark}"))
    };
    let mut life = Life::released(&[4]);
    life.op("slice", &deprecated(4))
        .version("1.1.0")
        .says(&["item_deprecated slice.mode: compatible", "version_released slice.mode: never"]);
    life.op("slice", &deprecated(8))
        .says(&["item_deprecated slice.mode: compatible", "version_undeclared slice.mode: never"]);
    life.versions(&[4, 8]).update();
    assert_eq!(life.lines("slice.unreleased").len(), 1, "no data version is taken by what is no break");
    assert!(!life.lines("slice.unreleased")[0].contains("version = 8, from"), "{}", life.lock);
    life.seal();
    // Later releases keep it, and its note may be put otherwise.
    let noted = deprecated(8).replace("use starts", "use `starts`");
    life.op("slice", &noted).version("1.1.1").says(&["note_changed slice.mode: compatible"]).update().seal();
    // Un-deprecating: older releases refuse it in new graphs, so it is promised anew.
    let mut lifted = life.clone();
    lifted.op("slice", SLICE).version("1.2.0").says(&["deprecation_removed slice.mode: compatible"]).update();
    assert!(lifted.lines("slice.attr.mode")[0].contains("unreleased = true"), "{}", lifted.lock);
    lifted.seal();
    assert!(lifted.lines("slice.attr.mode")[0].contains("since = \"1.2.0\""), "{}", lifted.lock);
    assert_eq!(check_base(&life.lock, &lifted.lock, Options::default()), []);
    lifted
        .op("slice", &deprecated(8))
        .version("1.3.0")
        .says(&["item_deprecated slice.mode: compatible", "version_released slice.mode: never"]);
    lifted.op("slice", &deprecated(9)).versions(&[4, 8, 9]).update().seal();
    // Deleted once `min_producer` has reached it, it needs nothing more.
    let without = SLICE.replace("\nattr.mode = { type = \"string\", default = \"a\" }", "");
    life.context.options.min_producer_window = Some(0);
    life.op("slice", &without).versions(&[4, 8, 9]).version("2.0.0").says(&[
        "attr_deleted slice.mode: accepted for 2.0.0",
        "data_version_added nothing -> 9: compatible",
        "break_not_covered slice.mode 9: never",
    ]);
    life.min_producer(8).update().seal().version("2.0.1").says(&[]);
}

#[test]
fn an_operator_is_deprecated_and_promised_anew_with_its_items_as_old_as_they_were() {
    let mut life = Life::released(&[4]);
    let deprecated = format!("deprecated = {{ version = 8, note = \"use cut\", unreleased = true }}\n{SLICE}");
    life.op("slice", &deprecated)
        .versions(&[4, 8])
        .version("1.1.0")
        .says(&["op_deprecated slice: compatible", "data_version_added nothing -> 8: compatible"]);
    life.update().seal();
    assert_eq!(life.lines("slice.deprecated").len(), 1);
    life.op("slice", SLICE).version("1.2.0").says(&["deprecation_removed slice: compatible"]).update();
    assert_eq!(life.lines("slice.unreleased = true").len(), 1);
    life.clone().delete("slice").says(&["op_deleted slice: withdraw slice"]);
    life.seal();
    assert_eq!(life.lines("slice.since"), ["slice.since = \"1.2.0\""]);
    assert_eq!(life.lines("slice.input.X"), ["slice.input.X = { since = \"1.0.0\" }"]);
    life.version("1.2.1").says(&[]);
}

#[test]
fn an_operator_may_have_moved_here() {
    let mut life = Life::released(&[4]);
    let moved = format!("moved_from = \"vision-ops\"\n{SLICE}");
    life.op("slice", &moved).version("1.1.0");
    life.says(&["moved_from_added slice: compatible", "moved_unknown slice: never"]);
    let mut owner = Life::released(&[4]).lock;
    owner.package = "vision-ops".to_owned();
    life.lock = take_over(&life.lock, &owner, life.source.ops.values()).unwrap();
    life.says(&["moved_from_added slice: compatible"]).update().seal();
    life.op("slice", SLICE).version("1.1.1").says(&["moved_from_changed slice: needs 2.0.0"]);
    life.op("slice", &moved.replace("vision-ops", "image-ops"))
        .says(&["moved_from_changed slice: needs 2.0.0", "moved_unknown slice: never"]);
}

#[test]
fn a_tombstone_stands_while_graphs_that_knew_the_name_are_read() {
    let mut life = Life::released(&[4]);
    life.delete("slice").versions(&[4, 9]).version("2.0.0").upgrade("slice", 9).update().seal();
    life.version("2.1.0").op("slice", "input.Other = {}").says(&["name_reused slice: needs 3.0.0"]);
    life.version("3.0.0").versions(&[4, 9, 10]).says(&[
        "name_reused slice: accepted for 3.0.0",
        "data_version_added nothing -> 10: compatible",
        "break_not_covered slice 10: never",
    ]);
}

#[test]
fn no_tombstone_stands_once_graphs_that_knew_the_name_are_refused() {
    let without = SLICE.replace("\nattr.mode = { type = \"string\", default = \"a\" }", "");
    let other = SLICE.replace("default = \"a\"", "default = \"b\"");
    let mut life = Life::released(&[4]);
    life.context.options.min_producer_window = Some(0);
    life.op("slice", &without).versions(&[4, 9]).upgrade("slice", 9).version("2.0.0").update().seal();
    life.clone()
        .op("slice", &other)
        .version("2.1.0")
        .says(&["attr_added slice.mode: compatible", "name_reused slice.mode: needs 3.0.0"]);
    life.version("3.0.0").min_producer(9).update().seal();
    life.op("slice", &other).version("3.1.0").says(&["attr_added slice.mode: compatible"]).update().seal();
}

#[test]
fn a_deletion_of_what_was_deprecated_before_all_that_is_read_needs_no_function() {
    let mode = "attr.mode = { type = \"string\", default = \"a\" }";
    let deprecated = SLICE.replace(
        mode,
        "attr.mode = { type = \"string\", default = \"a\", deprecated = { version = 8, note = \"x\" } }",
    );
    let mut life = Life::released(&[4]);
    life.context.options.min_producer_window = Some(0);
    life.op("slice", &deprecated).versions(&[4, 8]).version("1.1.0").update().seal();
    life.op("slice", &SLICE.replace(mode, "")).versions(&[4, 8, 9]).version("2.0.0");
    assert!(life.said().contains(&"break_not_covered slice.mode 9: never".to_owned()), "{:?}", life.said());
    life.clone().min_producer(8).update().seal();
    // The operator itself, in the same way.
    let mut life = Life::released(&[4]);
    life.context.options.min_producer_window = Some(0);
    life.op("slice", &format!("deprecated = {{ version = 8, note = \"x\" }}\n{SLICE}"));
    life.versions(&[4, 8]).version("1.1.0").update().seal();
    life.delete("slice").versions(&[4, 8, 9]).version("2.0.0");
    assert!(life.said().contains(&"break_not_covered slice 9: never".to_owned()), "{:?}", life.said());
    life.min_producer(8).update().seal();
}

#[test]
fn a_revision_needs_a_function_for_the_version_that_it_names() {
    let mut life = Life::released(&[4]);
    life.op("slice", &format!("revised.8 = {{ note = \"x\", unreleased = true }}\n{SLICE}"));
    life.versions(&[4, 8, 9]).version("2.0.0");
    let open: Vec<_> = life.said().into_iter().filter(|said| said.starts_with("break_")).collect();
    assert_eq!(open, ["break_not_covered slice 8: never"]);
    life.upgrade("slice", 8).update().seal();
}

#[test]
fn an_upgrade_is_taken_in_and_kept() {
    let mut life = Life::released(&[4]);
    life.op("slice", &SLICE.replace("input.X = {}", "")).versions(&[4, 9]).version("2.0.0").upgrade("slice", 9);
    life.update();
    assert_eq!(life.lines("slice.9"), ["slice.9 = { unreleased = true }"]);
    life.source.upgrades.clear();
    life.says(&["upgrade_removed slice: withdraw upgrade.slice.9", "break_not_covered slice.X 9: never"][..1]);
    life.withdraw("upgrade.slice.9").says(&["break_not_covered slice.X 9: never"]);
    life.upgrade("slice", 9).update().seal();
    // One that nothing needs may be lost in a major version only, and lowering the version brings the error back.
    life.version("2.1.0").upgrade("slice", 4).update().seal();
    life.source.upgrades.remove(&("slice".to_owned(), 4));
    life.version("2.2.0").says(&["upgrade_removed slice: needs 3.0.0"]);
    life.version("3.0.0").update();
    assert_eq!(life.bump(), Bump::Major);
    life.version("2.2.0").says(&["upgrade_removed slice: needs 3.0.0"]);
    life.upgrade("slice", 4).update();
    assert_eq!(life.lines("slice.4"), ["slice.4 = { since = \"2.1.0\" }"]);
}

#[test]
fn c8_a_release_without_a_break_needs_no_version() {
    let mut life = Life::released(&[]);
    life.op("pad", "input.X = {}").version("1.1.0").update().seal();
    assert_eq!(life.lock.releases[&v("1.1.0")].version_of(SavedKind::Graph), 1);
}

#[test]
fn kinds_of_data_count_for_themselves() {
    let mut life = Life::released(&[4]);
    let checkpoint = life.source.saved.get_or_default(SavedKind::Checkpoint);
    checkpoint.history = Map::from([(2, "momentum".to_owned())]);
    life.version("1.1.0").says(&["data_version_added nothing -> 2: compatible"]).update().seal();
    assert_eq!(life.lines("1.1.0\" ="), [life.lines("1.1.0\" =")[0].clone()]);
    assert!(life.lines("1.1.0\" =")[0].contains("graph = 4, checkpoint = 2"), "{}", life.lock);
    // A version of checkpoints is none that a break of graphs takes.
    life.op("slice", &SLICE.replace("default = \"a\"", "default = \"b\"")).version("2.0.0");
    life.source.saved.get_mut(&SavedKind::Checkpoint).unwrap().history.insert(3, "v3".to_owned());
    assert!(life.said().contains(&"break_without_version slice.mode: never".to_owned()), "{:?}", life.said());
}

#[test]
fn nothing_of_it_is_laundered() {
    let mut life = Life::released(&[4, 8]);
    life.graph().bad_consumers = Set::from([6]);
    life.graph().min_consumer = 4;
    life.version("1.1.0").upgrade("slice", 4).update().seal();
    let released = withdraw(&life.lock, "saved.graph.min_consumer").unwrap_err().to_string();
    assert!(released.contains("1.1.0"), "{released}");
    let base = life.lock.to_string();
    let parse = |text: &str| Lock::parse(text, None).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let against = |text: &str| -> Vec<String> {
        let findings = check_base(&parse(&base), &parse(text), Options::default());
        findings.iter().filter(|f| f.is_error()).map(ToString::to_string).collect()
    };
    assert_eq!(against(&base), [""; 0]);
    let row_of = |needle: &str| format!("{}\n", base.lines().find(|line| line.starts_with(needle)).unwrap());
    for (from, to, expected) in [
        (row_of("graph.version.4"), String::new(), "the lock lost data version 4 of graphs"),
        ("\"v8\"".to_owned(), "\"v9\"".to_owned(), "what data version 8 of graphs brought"),
        (row_of("graph.bad_consumer.6"), String::new(), "the lock lost the bad consumer 6 of graphs"),
        (
            "graph.min_consumer = 4".to_owned(),
            "graph.min_consumer = 3".to_owned(),
            "`min_consumer` of graphs from 4 to 3",
        ),
        (
            "graph.min_consumer = 4".to_owned(),
            "graph.min_consumer = { value = 8, was = 1, unreleased = true }".to_owned(),
            "`min_consumer` of graphs from 4 to 1",
        ),
        (row_of("slice.4"), String::new(), "the lock lost the upgrade of `slice` before data version 4"),
        (
            "graph.version.8 = { text = \"v8\", since = \"1.0.0\" }".to_owned(),
            "graph.version.8 = { text = \"v8\", unreleased = true }".to_owned(),
            "since when data version 8 of graphs is",
        ),
        ("graph = 8".to_owned(), "graph = 4".to_owned(), "the lock changed release 1."),
        (
            row_of("graph.version.8"),
            format!("{}graph.version.9 = {{ text = \"v9\", since = \"1.0.0\" }}\n", row_of("graph.version.8")),
            "data version 9 of graphs from nothing",
        ),
    ] {
        let text = base.replace(&from, &to);
        assert_ne!(text, base, "{from}");
        let found = against(&text);
        assert!(found.iter().any(|finding| finding.contains(expected)), "{expected}: {found:#?}");
    }
    // Nor is what a release carried carried by a later one alone, which the base does not have.
    let mut later = life.clone();
    later.version("1.2.0").versions(&[4, 8, 9]).update().seal();
    let text = later.lock.to_string();
    assert_eq!(against(&text), [""; 0]);
    for (item, expected) in [
        ("graph.version.8 = { text = \"v8\", since = \"1.0.0\"", "since when data version 8 of graphs is"),
        ("graph.bad_consumer.6 = { since = \"1.1.0\"", "since when the bad consumer 6 of graphs is"),
    ] {
        let (said, _) = item.rsplit_once("since = ").unwrap();
        let moved = text.replace(item, &format!("{said}since = \"1.2.0\""));
        assert_ne!(moved, text, "{item}\n{text}");
        let found = against(&moved);
        assert!(found.iter().any(|finding| finding.contains(expected)), "{expected}: {found:#?}");
    }
    let moved = text.replace("slice.4 = { since = \"1.1.0\" }", "slice.4 = { since = \"1.2.0\" }");
    let said =
        "the lock changed since when the upgrade of `slice` before data version 4 is from since 1.1.0 to since 1.2.0";
    let found = against(&moved);
    assert!(found.iter().any(|finding| finding.starts_with(said)), "{found:#?}");
    // A major version may end an upgrade, and no other release.
    let mut ended = life.clone();
    ended.source.upgrades.clear();
    ended.graph().min_consumer = 8;
    ended.version("2.0.0").versions(&[4, 8, 9]).update().seal();
    assert_eq!(against(&ended.lock.to_string()), [""; 0]);
    let bad = text.replace("[upgrade]\n", "[upgrade]\nother.4 = { since = \"1.2.0\" }\n");
    assert_eq!(against(&bad), [""; 0], "it is of a release that the base does not know");
    let forged =
        text.replace("graph.bad_consumer.6", "graph.bad_consumer.1 = { since = \"1.1.0\" }\ngraph.bad_consumer.6");
    let found = against(&forged);
    assert!(
        found.iter().any(|f| f.starts_with("the lock changed the bad consumer 1 of graphs from nothing")),
        "{found:#?}"
    );
    let lost = text.replace("[upgrade]\nslice.4 = { since = \"1.1.0\" }\n", "");
    assert_ne!(lost, text, "{text}");
    let found = against(&lost);
    assert!(found.iter().any(|finding| finding.starts_with("the lock lost the upgrade of `slice`")), "{found:#?}");
    // Nor does a pre-release end it.
    let early = lost.replacen("[saved]", "\"2.0.0-rc.1\" = { date = \"2026-04-01\" }\n\n[saved]", 1);
    let found = against(&early.replacen("\n\n\"2.0.0-rc.1\"", "\n\"2.0.0-rc.1\"", 1));
    assert!(found.iter().any(|finding| finding.starts_with("the lock lost the upgrade of `slice`")), "{found:#?}");
    // What only led from refused graphs may go with any release.
    let mut raised = life.clone();
    raised.context.options.min_producer_window = Some(0);
    raised.min_producer(4).version("2.0.0").update().seal();
    let base_of = raised.lock.clone();
    raised.source.upgrades.clear();
    raised.version("2.0.1").update().seal();
    assert_eq!(raised.lines("slice.4"), [""; 0]);
    assert_eq!(check_base(&base_of, &raised.lock, Options::default()), []);
    // Version 1 may be given its words, and is as old as the release that wrote it.
    let mut plain = Life::released(&[]);
    let base_of = plain.lock.clone();
    plain.versions(&[1, 2]).version("1.1.0").update().seal();
    assert_eq!(check_base(&base_of, &plain.lock, Options::default()), []);
    // A row that lost its version was changed.
    let mut broken = life.clone();
    broken
        .op("slice", &SLICE.replace("default = \"a\"", "default = \"b\""))
        .versions(&[4, 8, 9])
        .version("2.0.0")
        .update()
        .seal();
    let whole = broken.lock.to_string();
    let without = whole.replace("rule = \"attr_changed\", version = 9", "rule = \"attr_changed\", version = 8");
    let findings = check_base(&parse(&whole), &parse(&without), Options::default());
    assert!(matches!(findings.as_slice(), [BaseFinding::Changed { .. }]), "{findings:?}");
    // All that differs is said, one above the other.
    let told = findings[0].to_string();
    let sides: Vec<_> = told.lines().skip(1).take(2).collect();
    assert!(
        matches!(sides.as_slice(), [base, lock] if base.starts_with("  base:   { rule = \"attr_changed\", version = 9, from = {")
            && lock.starts_with("  lock:   { rule = \"attr_changed\", version = 8, from = {")),
        "{told}"
    );
    let without = whole.replacen(", graph = 9", "", 1);
    let told: Vec<_> =
        check_base(&parse(&whole), &parse(&without), Options::default()).iter().map(ToString::to_string).collect();
    assert!(
        told.iter().any(|told| told.contains("the lock changed release 2.0.0") && told.contains(", graph = 9")),
        "{told:#?}"
    );
}

#[test]
fn branches_that_declare_versions_are_merged_line_by_line() {
    let base = Life::released(&[4]);
    let (mut ours, mut theirs) = (base.clone(), base.clone());
    ours.versions(&[4, 8]).graph().bad_consumers = Set::from([3]);
    ours.update();
    theirs.upgrade("slice", 4).graph().min_consumer = 4;
    theirs.update();
    let merged = merge(&base.lock, &ours.lock, &theirs.lock);
    assert_eq!(merged.choices, []);
    let mut both = ours.clone();
    both.source.upgrades = theirs.source.upgrades.clone();
    both.graph().min_consumer = 4;
    both.update();
    assert_eq!(merged.lock.to_string(), both.lock.to_string());
    assert_eq!(merge(&base.lock, &theirs.lock, &ours.lock).lock, merged.lock);
    // Each side has a version 8 of its own: the one that is released wins, and the choice is told.
    let mut theirs = base.clone();
    theirs.versions(&[4, 8]).graph().history.insert(8, "theirs".to_owned());
    theirs.version("1.1.0").update().seal();
    let merged = merge(&base.lock, &ours.lock, &theirs.lock);
    let choices: Vec<_> = merged.choices.iter().map(|choice| (choice.path.as_str(), choice.took_ours)).collect();
    assert_eq!(choices, [("data version 8 of graphs", false)]);
    assert_eq!(merged.lock.data_versions(SavedKind::Graph).history[&8], "theirs");
    Lock::parse(&merged.lock.to_string(), None).unwrap();
}

#[test]
fn another_line_of_releases_brings_its_versions() {
    let base = Life::released(&[4]);
    let (mut trunk, mut maintenance) = (base.clone(), base.clone());
    trunk.versions(&[4, 9]).version("2.0.0").update().seal();
    maintenance.version("1.1.0").graph().bad_consumers = Set::from([3]);
    maintenance.update().seal();
    let merged = absorb(&trunk.lock, &maintenance.lock);
    assert_eq!(merged.choices, []);
    assert_eq!(merged.lock.data_versions(SavedKind::Graph).bad_consumers, Set::from([3]));
    assert_eq!(merged.lock.data_versions(SavedKind::Graph).producer(), 9);
    let other = absorb(&maintenance.lock, &trunk.lock);
    assert_eq!(other.lock.saved, merged.lock.saved);
    // What both named is bad since the earlier release, whichever takes over the other.
    let mut twice = trunk.clone();
    twice.version("2.1.0").graph().bad_consumers = Set::from([3]);
    twice.update().seal();
    for merged in [absorb(&twice.lock, &maintenance.lock), absorb(&maintenance.lock, &twice.lock)] {
        assert!(merged.lock.to_string().contains("graph.bad_consumer.3 = { since = \"1.1.0\" }"), "{}", merged.lock);
        assert_eq!(check_base(&twice.lock, &merged.lock, Options::default()), []);
    }
    // A version of both is one where both say the same of it.
    for (text, told) in [("v9", &[][..]), ("theirs", &["data version 9 of graphs"])] {
        let mut other = base.clone();
        other.versions(&[4, 9]).version("1.1.0").graph().history.insert(9, text.to_owned());
        other.update().seal();
        let merged = absorb(&trunk.lock, &other.lock);
        assert_eq!(merged.choices.iter().map(|choice| choice.path.as_str()).collect::<Vec<_>>(), told);
        assert_eq!(merged.lock.saved, trunk.lock.saved);
    }
    let mut upgraded = base.clone();
    upgraded.version("1.1.0").upgrade("slice", 4).update().seal();
    let with = absorb(&trunk.lock, &upgraded.lock).lock.to_string();
    assert!(with.contains("slice.4 = { since = \"1.1.0\" }"), "{with}");
    // What the other line has not sealed is not taken over.
    maintenance.versions(&[4, 8]).version("1.2.0").update();
    assert_eq!(absorb(&trunk.lock, &maintenance.lock).lock, merged.lock);
}

/// What no release has yet is kept where it is more than what the other line released, which it then was before.
#[test]
fn what_is_read_from_is_the_greater_of_two_lines() {
    let text = |producer: &str, consumer: &str| {
        format!(
            "format = 1\npackage = \"p\"\n[release]\n\"1.0.0\" = {{ date = \"2026-01-01\" }}\n[saved]\n\
             graph.min_producer = {producer}\ngraph.min_consumer = {consumer}\n\
             graph.version.9 = {{ text = \"v9\", since = \"1.0.0\" }}\n"
        )
    };
    let rises = |value: u32, was: u32| format!("{{ value = {value}, was = {was}, unreleased = true }}");
    for (ours, theirs, joined) in [
        ("2".to_owned(), "4".to_owned(), "4".to_owned()),
        ("4".to_owned(), "2".to_owned(), "4".to_owned()),
        ("4".to_owned(), rises(8, 2), "4".to_owned()),
        (rises(4, 2), "8".to_owned(), "8".to_owned()),
        (rises(4, 2), "4".to_owned(), "4".to_owned()),
        (rises(8, 2), "4".to_owned(), rises(8, 4)),
        (rises(8, 4), "2".to_owned(), rises(8, 4)),
        (rises(8, 2), rises(9, 4), rises(8, 4)),
    ] {
        for of in [|bound: &str| (bound.to_owned(), "1".to_owned()), |bound: &str| ("1".to_owned(), bound.to_owned())] {
            let [ours, theirs, joined] = [&ours, &theirs, &joined].map(|bound| {
                let (producer, consumer) = of(bound);
                Lock::parse(&text(&producer, &consumer), None).unwrap()
            });
            assert_eq!(absorb(&ours, &theirs).lock.to_string(), joined.to_string());
        }
    }
}

#[test]
fn of_upgrades_a_line_takes_over_what_it_lacks_and_the_other_still_has() {
    let of = |upgrades: &str| {
        let releases = "\"1.0.0\" = { date = \"2026-01-01\" }\n\"1.1.0\" = { date = \"2026-01-01\" }\n";
        Lock::parse(&format!("format = 1\npackage = \"p\"\n[release]\n{releases}[upgrade]\n{upgrades}"), None).unwrap()
    };
    let ours = of("f.2 = { since = \"1.1.0\" }\n");
    let theirs = of(
        "f.2 = { since = \"1.0.0\" }\nf.3 = { since = \"1.0.0\", gone = true }\nf.4 = { since = \"1.0.0\" }\nf.5 = { unreleased = true }\n",
    );
    let joined = of("f.2 = { since = \"1.1.0\" }\nf.4 = { since = \"1.0.0\" }\n");
    assert_eq!(absorb(&ours, &theirs).lock.to_string(), joined.to_string());
    // The newer line's own are those that its last release has.
    let mut newer = theirs.clone();
    newer.releases.insert(v("2.0.0"), oplock_core::lock::Release::new("2026-01-02"));
    let joined = absorb(&ours, &newer).lock;
    assert_eq!(joined.upgrades.keys().map(|(_, version)| *version).collect::<Vec<_>>(), [2, 3, 4], "{joined}");
    assert!(joined.gone_upgrades.is_empty());
}

/// The same line is what the release of the other line had; another one is not, whatever release had it.
#[test]
fn a_version_that_is_not_released_here_is_what_another_line_released() {
    let mut trunk = Life::released(&[4]);
    let mut maintenance = trunk.clone();
    trunk.version("2.0.0").seal().version("2.1.0").versions(&[4, 9]).update();
    maintenance.version("1.1.0").versions(&[4, 9]).update().seal();
    let merged = absorb(&trunk.lock, &maintenance.lock);
    assert_eq!(merged.choices, []);
    assert!(
        merged.lock.to_string().contains("graph.version.9 = { text = \"v9\", since = \"1.1.0\" }"),
        "{}",
        merged.lock
    );
    assert_eq!(check_base(&maintenance.lock, &merged.lock, Options::default()), []);
    // Where the other line is the newer one, what it has not released is not taken over either.
    trunk.graph().bad_consumers = Set::from([3]);
    trunk.graph().min_consumer = 4;
    trunk.source.saved.get_or_default(SavedKind::Checkpoint).history = Map::from([(2, "momentum".to_owned())]);
    trunk.upgrade("slice", 4).update();
    let mut none = Life::released(&[4]);
    none.version("1.1.0").seal();
    let taken = absorb(&none.lock, &trunk.lock).lock;
    assert_eq!((&taken.saved, taken.upgrades.len()), (&none.lock.saved, 0), "{taken}");
    // Two releases of one version that say different things.
    let mut other = Life::released(&[4]);
    other.version("1.1.0").versions(&[4, 9]).graph().history.insert(9, "theirs".to_owned());
    other.update().seal();
    for (ours, theirs, took_ours) in [(&maintenance, &other, "v9"), (&other, &maintenance, "theirs")] {
        let merged = absorb(&ours.lock, &theirs.lock);
        let told: Vec<_> = merged.choices.iter().map(ToString::to_string).collect();
        let left = if took_ours == "v9" { "theirs" } else { "v9" };
        assert!(
            told.contains(&format!("data version 9 of graphs: took ours, {took_ours}; left theirs, {left}")),
            "{told:?}"
        );
        assert_eq!(merged.lock.saved, ours.lock.saved);
    }
}

/// Two lines that each sealed one number, of which one broke something by it: data of the other that has the number lacks that break,
/// and would be taken to have it.
#[test]
fn one_number_of_two_lines_is_one_thing_or_they_are_not_joined() {
    let base = Life::released(&[4]);
    let (mut trunk, mut maintenance) = (base.clone(), base.clone());
    maintenance.versions(&[4, 9]).version("1.1.0").update().seal();
    let joined = |trunk: &Life, maintenance: &Life| {
        [
            absorb(&trunk.lock, &maintenance.lock).lock,
            absorb(&maintenance.lock, &trunk.lock).lock,
            merge(&base.lock, &trunk.lock, &maintenance.lock).lock,
            merge(&base.lock, &maintenance.lock, &trunk.lock).lock,
        ]
        .map(|joined| {
            let found = parted(&trunk.lock, &maintenance.lock, &joined, Options::default());
            found.iter().any(|finding| finding.to_string().contains("what data version 9 of graphs brought"))
        })
    };
    let mut same = trunk.clone();
    same.versions(&[4, 9]).version("2.0.0").update().seal();
    assert_eq!(joined(&same, &maintenance), [false; 4], "neither broke anything by it");
    trunk.versions(&[4, 9]).op("slice", &SLICE.replace("\"a\"", "\"b\"")).version("2.0.0").update().seal();
    assert_eq!(joined(&trunk, &maintenance), [true; 4]);
    let mut next = base.clone();
    next.versions(&[4, 10]).op("slice", &SLICE.replace("\"a\"", "\"b\"")).version("2.0.0").update().seal();
    assert_eq!(joined(&next, &maintenance), [false; 4], "each has a number of its own");
    let mut later = same.clone();
    later.versions(&[4, 9, 10]).op("slice", &SLICE.replace("\"a\"", "\"b\"")).version("3.0.0").update().seal();
    assert_eq!(joined(&later, &maintenance), [false; 4], "the break is by another number");
    let mut unsealed = base.clone();
    unsealed.version("1.1.0").op("neg", "").update().seal();
    unsealed.versions(&[4, 9]).version("1.2.0").update();
    let found = parted(&trunk.lock, &unsealed.lock, &trunk.lock, Options::default());
    assert!(!found.iter().any(|finding| finding.to_string().contains("what data version 9")), "no data has it yet");
}

#[test]
fn what_is_said_of_data_versions_is_not_said_of_a_signature() {
    let mut life = Life::released(&[4]);
    life.op("neg", "").versions(&[4, 9]);
    let (judgement, _) = judge_source(&life.lock, &life.context, &life.source, &|_| false);
    let said: Vec<_> =
        judgement.findings.iter().map(|judged| (judged.finding.rule.name, judged.finding.is_of_signature())).collect();
    assert_eq!(said, [("op_added", true), ("data_version_added", false)]);
}

/// Every text of a rule of data versions, filled in: each names its numbers, and none has a hole.
#[test]
fn every_rule_of_data_versions_is_exercised_and_its_sentences_are_filled_in() {
    let mut told: BTreeMap<&str, String> = BTreeMap::new();
    let mut see = |life: &Life| {
        let (judgement, _) = judge_source(&life.lock, &life.context, &life.source, &|_| false);
        for judged in &judgement.findings {
            let text = oplock_core::report::human(judged);
            assert!(!text.contains('{') || text.contains("type ="), "{text}");
            told.insert(judged.finding.case.message, text);
        }
    };
    let mut life = Life::released(&[4, 8]);
    life.graph().bad_consumers = Set::from([6]);
    life.graph().min_consumer = 4;
    life.version("1.1.0").upgrade("slice", 4).update().seal();
    let mut plain = life.clone();
    plain.versions(&[]).source.upgrades.clear();
    plain.source.saved.clear();
    see(&plain); // removed, lowered, lost
    let mut other = life.clone();
    other.graph().history = Map::from([(4, "other".to_owned()), (7, "late".to_owned()), (8, "v8".to_owned())]);
    other.graph().min_consumer = 8;
    other.min_producer(8).upgrade("slice", 8);
    see(&other); // changed, not above, raised, added
    other.versions(&[4, 8, 9]).min_producer(9).version("2.0.0").op("slice", "input.X = {}");
    see(&other); // too early
    let mut bad = life.clone();
    bad.versions(&[4, 8, 9]).graph().bad_consumers.insert(7);
    bad.graph().min_consumer = 4;
    see(&bad);
    let mut broken = life.clone();
    broken.op("slice", "input.X = {}").version("2.0.0");
    see(&broken); // without a version
    broken.versions(&[4, 8, 9]);
    see(&broken); // not covered
    life.context.options.min_producer_window = Some(0);
    life.version("2.0.0").min_producer(8).update().seal().version("3.0.0").min_producer(4).source.upgrades.clear();
    see(&life); // lowered
    life.min_producer(8);
    see(&life); // lost, and refused anyway
    for rule in oplock_core::compare::RULES.iter().filter(|rule| rule.source.contains("docs/versions.md")) {
        for case in rule.cases {
            assert!(told.contains_key(case.message), "nothing exercises {}: {}", rule.name, case.message);
        }
    }
    let not_covered = told.values().find(|text| text.contains("[break_not_covered]")).unwrap();
    assert!(not_covered.contains("#[oplock::upgrade(op = \"slice\", before = 9)]"), "{not_covered}");
    assert!(not_covered.contains("min_producer = 9;"), "{not_covered}");
}

/// Whichever version each takes, what is asked for can be written.
#[test]
fn an_operator_is_revised_and_renamed_in_one_release() {
    let renamed = |signature: &str| format!("alias.slice = {{ unreleased = true }}\n{signature}");
    let revised = |version: u32| {
        renamed(&format!("revised.{version} = {{ note = \"ties go to even\", unreleased = true }}\n{SLICE}"))
    };
    let life = || {
        let mut life = Life::released(&[4]);
        life.version("2.0.0").delete("slice");
        life
    };
    // By one version, or revised by an earlier one: the function is one of the old name.
    for versions in [&[4, 8][..], &[4, 8, 9]] {
        let mut life = life();
        life.op("cut", &revised(8)).versions(versions);
        let (judgement, _) = judge_source(&life.lock, &life.context, &life.source, &|_| false);
        let messages: Vec<_> = judgement.refused().map(|judged| judged.finding.message()).collect();
        // By the one version the ledger does not rename what a function makes, so the function must.
        assert_eq!(
            messages.concat().contains("`slice` is `cut` from that version on"),
            versions.len() == 2,
            "{messages:?}"
        );
        let asked: Vec<_> = life.said().into_iter().filter(|said| said.ends_with("never")).collect();
        assert_eq!(asked, ["break_not_covered slice 8: never"]);
        life.upgrade("slice", 8).update().seal().version("2.0.1").says(&[]);
    }
    // Renamed by an earlier one: what the lock has of the new name by then is taken back first.
    let mut life = life();
    life.op("cut", &renamed(SLICE)).versions(&[4, 8]).update();
    life.op("cut", &revised(9)).versions(&[4, 8, 9]);
    assert!(life.said().contains(&"op_revised cut: withdraw cut".to_owned()), "{:?}", life.said());
    life.withdraw("cut");
    let asked: Vec<_> = life.said().into_iter().filter(|said| said.ends_with("never")).collect();
    assert_eq!(asked, ["break_not_covered cut 9: never"], "{}", life.lock);
    life.upgrade("cut", 9).update().seal().version("2.0.1").says(&[]);
}

/// Graphs from before a rename never knew the revision that came with it, at whichever of the release's data versions.
#[test]
fn a_revision_that_came_with_a_new_name_needs_a_function() {
    for (renamed, revised, expected) in [(2, 2, ("f", 2)), (3, 2, ("f", 2)), (2, 3, ("h", 3))] {
        let lock = common::lock(&format!(
            r#"
[release]
"1.0.0" = {{ date = "2026-01-01" }}
"2.0.0" = {{ date = "2026-02-01", graph = 3 }}
[saved]
graph.version.2 = {{ text = "", since = "2.0.0" }}
graph.version.3 = {{ text = "", since = "2.0.0" }}
[op]
h.since = "2.0.0"
h.alias.f = {{}}
h.revised.{revised} = {{ note = "rounds" }}
[ledger]
f."2.0.0".op = {{ rule = "op_deleted", version = {renamed}, from = {{ since = "1.0.0" }} }}
"#
        ));
        let needs = oplock_core::upgrade::needs(&lock, 1);
        let found: Vec<_> = needs.iter().map(|need| (need.op.as_str(), need.version)).collect();
        assert_eq!(found, [expected], "renamed at {renamed}, revised at {revised}");
        assert!(oplock_core::upgrade::needs(&lock, 2).iter().all(|need| need.version == 3));
        assert!(oplock_core::upgrade::needs(&lock, 3).is_empty());
    }
}

/// A branch may have had versions, bad consumers and functions that another one took back before any release.
#[test]
fn what_no_release_carries_of_data_versions_is_not_held_for_good() {
    let life = Life::released(&[4]);
    let mut branch = life.clone();
    branch.versions(&[4, 8]).upgrade("slice", 4).graph().bad_consumers = Set::from([3]);
    branch.graph().min_consumer = 8;
    branch.version("1.1.0").update();
    let mut other = life.clone();
    other.versions(&[4, 8]).graph().history.insert(8, "other words".to_owned());
    other.version("1.1.0").update();
    for lock in [&life.lock, &other.lock] {
        assert_eq!(check_base(&branch.lock, lock, Options::default()), []);
    }
    // Nor does one who seals it change anything.
    branch.today = "2026-02-01";
    let unsealed = branch.lock.clone();
    branch.seal();
    let found = check_base(&unsealed, &branch.lock, Options::default());
    assert_eq!(found, []);
}

#[test]
fn whatever_differs_makes_the_lock_stale() {
    let mut life = Life::released(&[4]);
    life.version("2.0.0").upgrade("slice", 4).update().seal().version("3.0.0");
    let stale = |edit: &dyn Fn(&mut Life)| {
        let mut life = life.clone();
        edit(&mut life);
        judge_source(&life.lock, &life.context, &life.source, &|_| false).0.stale
    };
    assert!(!stale(&|_| {}));
    assert!(stale(&|life| _ = life.op("neg", "")));
    assert!(stale(&|life| _ = life.delete("slice")));
    assert!(stale(&|life| life.source.positional = true));
    assert!(stale(&|life| _ = life.versions(&[4, 8])));
    assert!(stale(&|life| life.graph().min_consumer = 4));
    assert!(stale(&|life| _ = life.upgrade("neg", 4)));
    assert!(stale(&|life| life.source.upgrades.clear()));
    let mut ended = life.clone();
    ended.source.upgrades.clear();
    ended.update().upgrade("slice", 4);
    assert!(judge_source(&ended.lock, &ended.context, &ended.source, &|_| false).0.stale, "it is back");
}

/// What takes a version says more of it than who must not read it.
#[test]
fn a_version_beside_one_that_something_takes_does_more_than_name_a_bad_consumer() {
    let note = "version = 7, note = \"n\"";
    let only = "data version 8 of graphs is added, and all that it does is to name a bad consumer";
    let more = "data version 8 of graphs is added";
    for (slice, expected) in [
        (SLICE.to_owned(), only),
        (SLICE.replace("\"a\" }", &format!("\"a\", deprecated = {{ {note} }} }}")), more),
        (SLICE.replace("X = {}", &format!("X = {{ dispensable = true, deprecated = {{ {note} }} }}")), more),
        (format!("{SLICE}\noutput.Y = {{ dispensable = true, deprecated = {{ {note} }} }}"), more),
        (format!("deprecated = {{ {note}, unreleased = true }}\n{SLICE}"), more),
        (format!("revised.7 = {{ note = \"n\", unreleased = true }}\n{SLICE}"), more),
    ] {
        let mut life = Life::released(&[4, 6]);
        life.versions(&[4, 6, 7]).version("2.0.0").op("slice", &slice).upgrade("slice", 7).update();
        life.versions(&[4, 6, 7, 8]).graph().bad_consumers = Set::from([6]);
        let (judgement, _) = judge_source(&life.lock, &life.context, &life.source, &|_| false);
        let messages: Vec<_> = judgement.findings.iter().map(|judged| judged.finding.message()).collect();
        assert_eq!(messages, [expected, "version 6 is named a bad consumer of graphs"], "{slice}");
    }
    // What a release has taken is no use of the new one.
    let mut life = Life::released(&[4, 6]);
    let deprecated = SLICE.replace("\"a\" }", &format!("\"a\", deprecated = {{ {note} }} }}"));
    life.op("slice", &deprecated).versions(&[4, 6, 7]).version("1.1.0").update().seal();
    life.versions(&[4, 6, 7, 8]).graph().bad_consumers = Set::from([6]);
    let (judgement, _) = judge_source(&life.lock, &life.context, &life.source, &|_| false);
    assert_eq!(judgement.findings[0].finding.message(), only);
    let broken = SLICE.replace("default = \"a\"", "default = \"b\"");
    let edits: [(bool, Edit<'_>); 4] = [
        (true, &|life: &mut Life| _ = life.op("slice", &broken).versions(&[4, 6, 7]).update()),
        (true, &|life| life.graph().min_consumer = 6),
        (true, &|life| _ = life.min_producer(6)),
        (false, &|_| {}),
    ];
    for (bad, edit) in edits {
        let mut life = Life::released(&[4, 6]);
        life.context.options.min_producer_window = Some(0);
        edit(life.version("2.0.0"));
        life.versions(&[4, 6, 7, 8]);
        life.graph().bad_consumers = Set::from_iter(bad.then_some(6));
        let (judgement, _) = judge_source(&life.lock, &life.context, &life.source, &|_| false);
        let messages: Vec<_> = judgement.findings.iter().map(|judged| judged.finding.message()).collect();
        assert!(messages.contains(&more.to_owned()) && !messages.contains(&only.to_owned()), "{messages:?}");
    }
}

#[test]
fn an_operator_that_is_deleted_without_a_version_is_told_once() {
    let mut life = Life::released(&[4]);
    life.delete("slice").version("2.0.0");
    life.says(&["op_deleted slice: accepted for 2.0.0", "break_without_version slice: never"]);
    let (judgement, _) = judge_source(&life.lock, &life.context, &life.source, &|_| false);
    let finding = &judgement.findings[1].finding;
    assert_eq!(
        finding.message(),
        "the break of operator `slice` takes no data version: the last release writes version 4, and no greater one is declared"
    );
    assert!(finding.remedy().ends_with("`version 5 = \"what breaks\";`"), "{}", finding.remedy());
}

/// A deletion has a way that a revision has not: to keep the operator for a time.
#[test]
fn what_helps_is_told_by_what_was_broken() {
    let asked = |edit: &dyn Fn(&mut Life)| {
        let mut life = Life::released(&[4]);
        edit(life.version("2.0.0").versions(&[4, 9]));
        let (judgement, _) = judge_source(&life.lock, &life.context, &life.source, &|_| false);
        let asked = judgement.findings.iter().find(|judged| judged.finding.rule.name == "break_not_covered");
        asked.unwrap().finding.remedy().contains("or keep it, with `deprecated(version = 9, ")
    };
    assert!(asked(&|life| _ = life.delete("slice")));
    assert!(!asked(&|life| _ = life.op("slice", &SLICE.replace("input.X = {}", ""))));
    let revised = format!("revised.9 = {{ note = \"n\", unreleased = true }}\n{SLICE}");
    assert!(!asked(&|life| _ = life.op("slice", &revised)));
}

#[test]
fn a_finding_of_data_versions_names_its_line() {
    let mut life = Life::released(&[4, 8]);
    life.graph().min_consumer = 4;
    life.version("1.1.0").update().seal();
    life.lock = Lock::parse(&life.lock.to_string(), None).unwrap();
    life.graph().history = Map::from([(4, "v4".to_owned()), (7, "late".to_owned()), (8, "other".to_owned())]);
    life.graph().min_consumer = 1;
    life.min_producer(8);
    let text = life.lock.to_string();
    let line_of = |part: &str| text.lines().position(|line| line.starts_with(part)).unwrap() + 1;
    let (judgement, _) = judge_source(&life.lock, &life.context, &life.source, &|_| false);
    let told: Vec<_> =
        judgement.findings.iter().map(|judged| (judged.finding.rule.name, judged.line as usize)).collect();
    assert_eq!(
        told,
        [
            ("data_version_changed", line_of("graph.version.8")),
            ("data_version_not_above", line_of("graph.version.8")),
            ("min_consumer_lowered", line_of("graph.min_consumer")),
            // Nothing is said of it there but that there are versions.
            ("min_producer_raised", line_of("graph.")),
        ],
        "{text}"
    );
}

/// Where nothing is said of a version, what is said of versions is where to look.
#[test]
fn a_finding_of_a_version_without_a_line_names_the_first_of_its_kind() {
    let mut life = Life::released(&[]);
    life.versions(&[2]).update();
    life.lock = Lock::parse(&life.lock.to_string(), None).unwrap();
    life.versions(&[1, 2]).says(&["data_version_not_above 1 -> 1: never"]);
    let (judgement, _) = judge_source(&life.lock, &life.context, &life.source, &|_| false);
    let text = life.lock.to_string();
    let expected = text.lines().position(|line| line.starts_with("graph.version.2")).unwrap() + 1;
    assert_eq!(judgement.findings[0].line as usize, expected, "{text}");
}

/// Version 1 without words is what a plain `lock!()` has, and needs no line beside what else is said.
#[test]
fn a_version_without_words_has_no_line() {
    let mut life = Life::released(&[]);
    life.graph().bad_consumers = Set::from([1]);
    life.says(&["bad_consumer_added nothing -> 1: compatible"]).update();
    assert_eq!(life.lines("graph"), ["graph.bad_consumer.1 = { unreleased = true }"]);
}

/// What no release has written is refused by none.
#[test]
fn before_the_first_release_min_producer_may_rise() {
    let mut life =
        Life { lock: Lock::new("p"), context: context("1.0.0"), source: Source::default(), today: "2026-01-01" };
    life.op("slice", SLICE).versions(&[4, 8]).update().min_producer(4);
    life.says(&["min_producer_raised 1 -> 4: compatible"]);
    let (judgement, _) = judge_source(&life.lock, &life.context, &life.source, &|_| false);
    assert_eq!(judgement.findings[0].finding.bump, Bump::Patch);
    life.update().min_producer(8).says(&["min_producer_raised 4 -> 8: compatible"]).update();
    life.min_producer(4).says(&[]).update().seal();
    assert_eq!(life.lines("min_producer"), ["graph.min_producer = 4"]);
}

#[test]
fn a_source_counts_its_operators_without_what_they_have_in_common() {
    let ops = [("f", ""), ("g", ""), ("*", "attr.a = { type = \"i32\", default = 0 }")];
    let source = Source::from(common::set(&ops));
    assert_eq!((source.operators(), source.ops.len()), (2, 3));
    assert_eq!(source, Source { ops: common::set(&ops), ..Source::default() });
}

/// A version that is taken back is no version of a break, and leaves what rose no higher than the next one.
#[test]
fn a_version_that_is_withdrawn_leaves_what_does_not_need_it() {
    let mut life = Life::released(&[4, 8]);
    life.version("2.0.0").op("slice", &SLICE.replace("default = \"a\"", "default = \"b\""));
    life.versions(&[4, 8, 9]).graph().min_consumer = 8;
    life.update();
    assert_eq!(life.lines("version = 9").len(), 1);
    life.withdraw("saved.graph.9");
    assert_eq!(life.lines("min_consumer"), ["graph.min_consumer = { value = 8, was = 1, unreleased = true }"]);
    let mut highest = life.clone();
    highest.versions(&[4, 8, 9]).graph().min_consumer = 9;
    highest.update().withdraw("saved.graph.9");
    assert_eq!(highest.lines("min_consumer"), [""; 0]);
    life.versions(&[4, 8, 10]).update();
    assert_eq!((life.lines("version = 9").len(), life.lines("version = 10").len()), (0, 1), "{}", life.lock);
}

/// Nothing is promised of an experimental operator, so it may say what it likes.
#[test]
fn an_experimental_operator_names_any_version() {
    let mut life = Life::released(&[4]);
    life.op("e", "experimental = true\ndeprecated = { version = 7, note = \"n\" }");
    life.says(&["unguarded_changed e: compatible"]);
}

/// An attribute is no other name of an input, though it has that name as an alias.
#[test]
fn an_item_is_renamed_only_to_one_of_its_kind() {
    let mut life = Life::released(&[4]);
    life.op("slice", &format!("{SLICE}\ninput.N = {{ dispensable = true }}")).version("1.1.0").update().seal();
    let with = |default: u32| format!("{SLICE}\nattr.n = {{ type = \"i32\", default = {default}, alias = [\"N\"] }}");
    life.op("slice", &with(1)).versions(&[4, 8]).upgrade("slice", 8).version("2.0.0").update().seal();
    life.op("slice", &with(2)).versions(&[4, 8, 9]).version("3.0.0").update().seal();
    let found: Vec<_> = needs(&life.lock, 4).into_iter().map(|need| (need.item, need.version)).collect();
    assert_eq!(found, [(Some((oplock_core::Kind::Input, "N".to_owned())), 8)]);
}

/// An operator that is there already may take a name over; whether it did so when that went decides.
#[test]
fn a_name_is_taken_over_in_the_release_that_deletes_it() {
    let alias = format!("alias.slice = {{ unreleased = true }}\n{SLICE}");
    let mut life = Life::released(&[4]);
    life.op("cut", SLICE).version("1.1.0").update().seal();
    life.delete("slice").op("cut", &alias).versions(&[4, 8]).version("2.0.0").update().seal();
    assert!(life.lines("cut.\"2.0.0\".op")[0].contains("to = { alias = [\"slice\"] }"), "{}", life.lock);
    assert_eq!(needs(&life.lock, 4), []);
}

/// A revision that no row of the ledger brought is asked for beside whatever else the operator, or another, needs.
#[test]
fn each_break_of_one_version_is_asked_for_by_itself() {
    let lock = common::lock(
        r#"
[release]
"1.0.0" = { date = "2026-01-01" }
"2.0.0" = { date = "2026-02-01", graph = 8 }
[saved]
graph.version.8 = { text = "", since = "2.0.0" }
[op]
f.since = "1.0.0"
f.revised.8 = { note = "rounds" }
g.since = "1.0.0"
[ledger]
f."2.0.0".input.X = { rule = "input_deleted", version = 8, from = { since = "1.0.0" } }
g."2.0.0".input.X = { rule = "input_deleted", version = 8, from = { since = "1.0.0" } }
"#,
    );
    let found: Vec<_> = needs(&lock, 1).into_iter().map(|need| (need.op, need.rule)).collect();
    let expected = [("f", "input_deleted"), ("g", "input_deleted"), ("f", "op_revised")];
    assert_eq!(found, expected.map(|(op, rule)| (op.to_owned(), rule.to_owned())));
}

/// Of what the operator was revised to before it was renamed, and since, its own rows tell.
#[test]
fn only_a_revision_that_came_with_the_new_name_is_of_the_renaming() {
    let revised = |versions: &[u32]| {
        let line = |version: &u32| format!("revised.{version} = {{ note = \"n\", unreleased = true }}\n");
        versions.iter().map(line).collect::<String>() + SLICE
    };
    let mut life = Life::released(&[4]);
    life.op("slice", &revised(&[8])).versions(&[4, 8]).upgrade("slice", 8).version("2.0.0").update().seal();
    let renamed = |versions: &[u32]| format!("alias.slice = {{ unreleased = true }}\n{}", revised(versions));
    life.delete("slice").op("cut", &renamed(&[8])).versions(&[4, 8, 9]).version("3.0.0").update().seal();
    life.op("cut", &renamed(&[8, 10])).versions(&[4, 8, 9, 10]).upgrade("cut", 10).version("4.0.0").update().seal();
    let found: Vec<_> = needs(&life.lock, 4).into_iter().map(|need| (need.op, need.version)).collect();
    assert_eq!(found, [("cut".to_owned(), 10), ("slice".to_owned(), 8)], "{}", life.lock);
}

/// Graphs and checkpoints of the earlier owner say which version they have.
#[test]
fn the_data_versions_that_the_earlier_owner_released_come_along() {
    let mut owner = Life::released(&[4, 8]);
    owner.graph().bad_consumers = Set::from([3]);
    owner.graph().min_consumer = 4;
    owner.source.saved.get_or_default(SavedKind::Checkpoint).history = Map::from([(2, "momentum".to_owned())]);
    owner.version("1.1.0").update().seal();
    let released = owner.lock.clone();
    owner.versions(&[4, 8, 9]).graph().bad_consumers = Set::from([3, 5]);
    owner.graph().min_consumer = 8;
    owner.min_producer(4).version("2.0.0");
    owner.context.options.min_producer_window = Some(0);
    owner.source.saved.get_or_default(SavedKind::Checkpoint).history.insert(3, "decay".to_owned());
    owner.update();
    let heir = Lock::new("q");
    let ops = [op_named("slice", &format!("moved_from = \"p\"\n{SLICE}"))];
    for other in [&released, &owner.lock] {
        let moved = take_over(&heir, other, &ops).unwrap();
        assert_eq!(moved.moved["p"].saved, released.saved, "{moved}");
    }
    // One that only ever was at version 1 before its next release.
    let mut plain = Life::released(&[]);
    plain.versions(&[2]).version("1.1.0").update();
    let moved = take_over(&heir, &plain.lock, &ops).unwrap();
    assert_eq!(moved.moved["p"].data_versions(SavedKind::Graph), DataVersions::default());
}

/// Releases from 1.0.0 to 4.0.0, each with what came with it of data versions, and then what a lock has of `f`, `g` and `h`.
fn needs_of(ops_and_ledger: &str, min_producer: u32) -> Vec<String> {
    let lock = common::lock(&format!(
        r#"
[release]
"1.0.0" = {{ date = "2026-01-01" }}
"2.0.0" = {{ date = "2026-02-01", graph = 9 }}
"2.1.0" = {{ date = "2026-03-01", graph = 9 }}
"3.0.0" = {{ date = "2026-04-01", graph = 10 }}
"4.0.0" = {{ date = "2026-05-01", graph = 11 }}
[saved]
graph.version.8 = {{ text = "", since = "2.0.0" }}
graph.version.9 = {{ text = "", since = "2.0.0" }}
graph.version.10 = {{ text = "", since = "3.0.0" }}
graph.version.11 = {{ text = "", since = "4.0.0" }}
[op]
{ops_and_ledger}"#
    ));
    needs(&lock, min_producer).into_iter().map(|need| format!("{} {}: {}", need.op, need.version, need.what)).collect()
}

#[test]
fn a_break_that_is_sealed_is_told_as_it_was_judged() {
    let found = needs_of(
        r#"
f.since = "1.0.0"
f.input.X = { type = "f64" }
f.input.Z = { type = "f32", dispensable = true }
f.attr.a = { type = "i32", default = 2 }
[ledger]
f."2.0.0".input.Z = { rule = "input_changed", version = 9, from = { type = "f32", since = "1.0.0" }, to = { dispensable = true, type = "f32" } }
f."2.0.0".input.X = { rule = "operand_type_changed", version = 9, from = { type = "f32", since = "1.0.0" }, to = { type = "f64" } }
f."2.0.0".attr.a = { rule = "attr_changed", version = 9, from = { type = "i32", default = 1, since = "1.0.0" }, to = { type = "i32", default = 2 } }
"#,
        1,
    );
    let of_type = "f 9: the element type of input `X` of `f` changed from \
                   { type = \"f32\", since = \"1.0.0\" } to { type = \"f64\" }";
    assert_eq!(found, [of_type], "graphs have what was required, and the ledger tells the default of the time");
}

#[test]
fn a_revision_from_before_all_that_is_read_needs_no_function_though_its_operator_was_renamed_later() {
    let lock = r#"
h.since = "2.0.0"
h.alias.f = {}
h.revised.8 = { note = "rounds" }
[ledger]
f."2.0.0".op = { rule = "op_deleted", version = 9, from = { since = "1.0.0" } }
"#;
    let revised = "f 8: the behaviour of operator `f` is revised: rounds";
    assert_eq!(needs_of(lock, 7), [revised]);
    assert_eq!(needs_of(lock, 8), [""; 0]);
}

/// Where the new name came with a later release, one function of the old name is asked for all the same.
#[test]
fn what_is_revised_and_deleted_at_one_version_needs_one_function() {
    let found = needs_of(
        r#"
h.since = "2.0.0"
h.alias.f = { since = "2.1.0" }
h.revised.9 = { note = "rounds" }
[ledger]
f."2.0.0".op = { rule = "op_deleted", version = 9, from = { since = "1.0.0" } }
h."2.1.0".op = { rule = "alias_added", from = { since = "2.0.0", revised = { 9 = "rounds" } }, to = { revised = { 9 = "rounds" }, alias = ["f"] } }
"#,
        1,
    );
    let both = "f 9: operator `f` is `h` from that version on, which its function says too (`set_op`), \
                and its behaviour is revised: rounds";
    assert_eq!(found, [both]);
}

/// Another operator may have an item that has or had that name as an alias.
#[test]
fn an_item_is_renamed_only_to_one_of_its_operator() {
    let found = needs_of(
        r#"
f.since = "1.0.0"
g.since = "1.0.0"
g.input.In = { since = "2.0.0" }
[ledger]
f."2.0.0".input.X = { rule = "input_deleted", version = 9, from = { since = "1.0.0" } }
g."3.0.0".input.In = { rule = "input_changed", version = 10, from = { dispensable = true, alias = ["X"], since = "2.0.0" }, to = { } }
"#,
        1,
    );
    assert_eq!(found[0], "f 9: input `X` of `f` is deleted");
}

#[test]
fn an_item_takes_the_place_of_another_in_the_release_that_gave_it_the_alias() {
    let deleted = r#"f."2.0.0".attr.mode = { rule = "attr_deleted", version = 9, from = { type = "i32", default = 1, since = "1.0.0" } }"#;
    // It was there before, changed in the same release, and changed again.
    let found = needs_of(
        &format!(
            r#"
f.since = "1.0.0"
f.attr.how = {{ type = "i32", default = 3, alias = ["mode"] }}
[ledger]
{deleted}
f."2.0.0".attr.how = {{ rule = "attr_changed", version = 9, from = {{ type = "i32", default = 1, since = "1.0.0" }}, to = {{ type = "i32", default = 2, alias = ["mode"] }} }}
f."3.0.0".attr.how = {{ rule = "attr_changed", version = 10, from = {{ type = "i32", default = 2, alias = ["mode"], since = "1.0.0" }}, to = {{ type = "i32", default = 3, alias = ["mode"] }} }}
"#
        ),
        1,
    );
    assert_eq!(found, [""; 0]);
    // It came later, and is no longer read under that name.
    let found = needs_of(
        &format!(
            r#"
f.since = "1.0.0"
f.attr.how = {{ type = "i32", default = 2, since = "2.1.0" }}
[ledger]
{deleted}
f."3.0.0".attr.how = {{ rule = "alias_removed", version = 10, from = {{ type = "i32", default = 1, alias = ["mode"], since = "2.1.0" }}, to = {{ type = "i32", default = 1 }} }}
f."4.0.0".attr.how = {{ rule = "attr_changed", version = 11, from = {{ type = "i32", default = 1, since = "2.1.0" }}, to = {{ type = "i32", default = 2 }} }}
"#
        ),
        1,
    );
    assert_eq!(
        found,
        [
            "f 9: attribute `mode` of `f` is deleted",
            "f 10: attribute `how` of `f` is no longer read under the name `mode`"
        ]
    );
}
