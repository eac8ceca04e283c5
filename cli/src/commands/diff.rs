//! `cargo oplock diff`: what changed between two files, whoever wrote them.

mod peer;

use oplock_core::{Bump, COMMON, Options, compare_sets};
use oplock_graph::witness::Releases;

use crate::args::{Diff, Relaxations, Rules};
use crate::definitions::Definitions;
use crate::error::Error;
use crate::exit::Exit;
use crate::places;
use crate::report::{Change, Item, Report, Sought, count};
use crate::shell::{self, Shell};
use oplock_interop::paddle::settle;
use oplock_interop::tensorflow::op_list::settle as settle_tensors;

/// Exits with 100 where anything breaks.
pub(super) fn run(args: &Diff, shell: &Shell) -> Result<Exit, Error> {
    if args.rules != Rules::Oplock {
        return peer::run(args, shell);
    }
    if args.op_versions.is_some() {
        let help = "the registry of op versions is for `--rules paddle-ci`";
        return Err(Error::NotOfRules { option: "--op-versions", rules: "oplock", help });
    }
    let mut old = Definitions::read(&args.old)?;
    let mut new = Definitions::read(&args.new)?;
    if old.ops.contains_key(COMMON) != new.ops.contains_key(COMMON) {
        // What one side says of all operators, the other says of each.
        (old, new) = (old.expanded(), new.expanded());
    }
    settle((&mut old.ops, &old.unstated), (&mut new.ops, &new.unstated));
    places::settle(&mut old, &mut new);
    settle_tensors(&mut old.ops, &mut new.ops);
    let options = Options { relaxations_are_minor: args.relaxations == Relaxations::Minor, ..Options::default() };
    let findings = compare_sets(&old.ops, &new.ops, options);
    let of = |bump: Bump| findings.iter().filter(|finding| finding.bump == bump).count();
    let (major, minor, patch) = (of(Bump::Major), of(Bump::Minor), of(Bump::Patch));
    let total = findings.len();
    let items: Vec<_> = findings
        .into_iter()
        .filter(|finding| !args.breaks || finding.is_break())
        .map(|finding| {
            let stamp = old.stamp(&finding);
            let (since, line) = stamp.map_or((None, 0), |stamp| (stamp.since.clone(), stamp.line));
            let change = Change::Compared { finding, since, file: args.old.display().to_string(), line };
            let mut item = Item { change, place: None, witness: Sought::Not };
            if args.witness {
                item.seek_witness(&Releases::default(), &old.ops, &new.ops);
            }
            item
        })
        .collect();
    let file = args.new.display().to_string();
    let report = Report { package: None, root: None, file, items: &items, notes: Vec::new(), is_done: false };
    shell::print(&report.to_text(args.message_format))?;
    shell.status("Finished", format!("{}: {major} major, {minor} minor, {patch} patch", count(total, "change")));
    Ok(if major > 0 { Exit::Break } else { Exit::Clean })
}
