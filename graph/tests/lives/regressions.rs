//! Lives that once refuted the guarantee.

use oplock_core::Kind;

use crate::life::Life;
use crate::meet::{Counts, meet};
use crate::rules::Without;
use crate::step::{Change, Step, What, change, release};

fn keeps(what: &str, steps: &[Step]) {
    let life = Life::of(steps, Without::Nothing);
    assert_eq!(life.done.len(), steps.len(), "{what}: not all of it is allowed any more: {:?}", life.done);
    let found = meet(&life, 1, 20, &mut Counts::default());
    assert!(found.is_none(), "{what}: {:?}", found.map(|found| found.failure));
}

#[test]
fn lives_that_once_refuted_the_guarantee_keep_it() {
    let (put, remove) = (|op, item| change(Change::Put(op, item)), |kind, name| change(Change::Remove(0, kind, name)));
    let add = |op, beginning| change(Change::AddOp(op, beginning));
    let deprecate = |op, name| change(Change::DeprecateItem(op, Kind::Attr, name));
    keeps(
        "a deprecated attribute that is left out is not used, whatever its default is later",
        &[add(1, 3), release(300), put(1, 15), deprecate(1, "a"), release(300), put(1, 18), release(0)],
    );
    keeps(
        "a function sees no operand that was Extra for the writer",
        &[add(0, 0), put(0, 5), release(10), put(0, 7), release(300)],
    );
    keeps(
        "nor one that was promised at a release between, and is Extra again",
        &[add(0, 0), put(0, 5), release(10), put(0, 7), release(10), put(0, 5), release(300)],
    );
    keeps(
        "an alias that comes later does not take what a function made something else of",
        &[
            add(0, 3),
            release(10),
            remove(Kind::Input, "X"),
            release(0),
            put(0, 1),
            change(Change::RenameItem(0, 0)),
            release(300),
        ],
    );
    keeps(
        "what was deprecated and is gone is gone before its operator goes too",
        &[
            add(0, 1),
            release(0),
            deprecate(0, "a"),
            put(0, 18),
            release(10),
            release(300),
            release(300),
            change(Change::RaiseMinProducer(2)),
            remove(Kind::Attr, "a"),
            release(10),
            change(Change::DeleteOp(0)),
            release(300),
        ],
    );
    keeps(
        "an attribute that is renamed after its operator was is renamed once",
        &[
            add(1, 3),
            release(0),
            change(Change::RenameOp(1, 0)),
            release(10),
            put(0, 5),
            change(Change::RenameItem(0, 5)),
            release(300),
        ],
    );
    keeps(
        "an operator that was renamed stays covered when another one takes the new name",
        &[
            add(0, 2),
            release(0),
            change(Change::RenameOp(0, 2)),
            release(300),
            change(Change::DeleteOp(2)),
            add(2, 3),
            release(300),
        ],
    );
    keeps(
        "an item that was renamed stays covered when its operator is deleted",
        &[
            add(1, 1),
            release(0),
            change(Change::RenameItem(1, 2)),
            release(300),
            change(Change::DeleteOp(1)),
            release(300),
        ],
    );
    keeps(
        "what a function makes is of its own package, though that deletes it later and another one has the name",
        &[
            add(1, 1),
            Step { on_branch: false, what: What::Stranger(1, 0) },
            release(10),
            change(Change::ReviseOp(1)),
            put(1, 36),
            release(300),
            change(Change::DeleteOp(1)),
            release(0),
        ],
    );
    keeps(
        "a function of a deleted operator sees what all operators had",
        &[add(0, 2), change(Change::PutCommon(1)), release(300), change(Change::DeleteOp(0)), release(300)],
    );
    keeps(
        "an operator that comes with a revision has no older nodes",
        &[add(0, 0), release(0), add(1, 1), change(Change::ReviseOp(1)), release(0), put(0, 3), release(0)],
    );
    keeps(
        "an attribute of all operators that came back as something else is an addition to an operator that came after it had gone",
        &[
            change(Change::PutCommon(4)),
            release(0),
            change(Change::RemoveCommon("s")),
            add(2, 3),
            release(0),
            change(Change::PutCommon(1)),
            release(0),
        ],
    );
    keeps(
        "what a function makes of a renamed operator is of its own package, though another one has the first name",
        &[
            add(1, 3),
            Step { on_branch: false, what: What::Stranger(1, 0) },
            release(0),
            change(Change::RenameOp(1, 2)),
            release(0),
            change(Change::DeleteOp(2)),
            release(300),
        ],
    );
    let branch = |what| Step { on_branch: true, what };
    keeps(
        "a function sees no attribute that only the maintenance line promises again",
        &[
            add(2, 0),
            change(Change::PutCommon(4)),
            release(0),
            change(Change::PutCommon(3)),
            release(0),
            Step { on_branch: false, what: What::Fork },
            branch(What::Change(Change::PutCommon(4))),
            branch(What::Release(0)),
            change(Change::DeleteOp(2)),
            release(300),
        ],
    );
    keeps(
        "a function sees no attribute of all operators that came with another line after its operator had gone",
        &[
            add(1, 1),
            release(0),
            change(Change::DeleteOp(1)),
            Step { on_branch: false, what: What::Fork },
            branch(What::Change(Change::PutCommon(5))),
            branch(What::Release(10)),
            release(10),
            Step { on_branch: false, what: What::Absorb },
            add(1, 1),
            release(300),
        ],
    );
    keeps(
        "of what all operators have, and had as something else before an operator came, nothing breaks that one",
        &[
            change(Change::PutCommon(6)),
            change(Change::PutCommon(4)),
            release(0),
            change(Change::PutCommon(3)),
            add(1, 2),
            release(300),
            change(Change::PutCommon(5)),
            release(0),
            change(Change::PutCommon(1)),
            release(300),
        ],
    );
    keeps(
        "what was deprecated and is gone meant the default of its time, which changed since",
        &[
            add(0, 1),
            release(10),
            deprecate(0, "a"),
            release(10),
            put(0, 18),
            release(300),
            change(Change::RaiseMinProducer(1)),
            remove(Kind::Attr, "a"),
            release(300),
        ],
    );
    keeps(
        "an operator that comes back with a revision has no older nodes",
        &[
            add(0, 0),
            release(0),
            change(Change::DeleteOp(0)),
            release(0),
            change(Change::RaiseMinProducer(0)),
            release(300),
            add(0, 0),
            change(Change::ReviseOp(0)),
            release(0),
            put(0, 3),
            release(0),
        ],
    );
    keeps(
        "an attribute that all operators had while one of them was gone is nothing that this one ever had",
        &[
            add(0, 0),
            release(300),
            change(Change::DeleteOp(0)),
            change(Change::PutCommon(4)),
            release(10),
            change(Change::PutCommon(3)),
            add(0, 2),
            release(0),
            change(Change::PutCommon(1)),
            release(300),
        ],
    );
    for renamed_first in [true, false] {
        let rename = [change(Change::RenameItem(0, 6)), change(Change::RenameOp(0, 2))];
        let op = if renamed_first { 2 } else { 0 };
        let revise = [change(Change::ReviseOp(op)), change(Change::NewDataVersion)];
        let both = if renamed_first { [rename, revise] } else { [revise, rename] };
        let steps: Vec<_> = [add(0, 3), release(300)].into_iter().chain(both.concat()).chain([release(300)]).collect();
        keeps("the function of an old name does all that a revision does which comes with the new one", &steps);
    }
    keeps(
        "what is no longer deprecated is used by graphs that older releases refuse",
        &[add(1, 3), release(10), deprecate(1, "k"), release(300), change(Change::DeleteOp(1)), add(1, 3), release(10)],
    );
    keeps(
        "what took the name of a deleted operator is not what had it before",
        &[
            add(1, 3),
            add(2, 3),
            release(300),
            change(Change::DeprecateOp(1)),
            release(0),
            change(Change::DeleteOp(2)),
            release(10),
            change(Change::RenameOp(1, 2)),
            release(10),
        ],
    );
}
