// oplock-ui: version = "2.0.0"
// Other names, deprecations, revisions and an earlier owner, in a major version.
use oplock::{Op as _, Var, op};

oplock::lock! {
    saved graph {
        version 3 = "first release";
        version 4 = "digits count from the point";
        version 8 = "use even";
        version 9 = "ties go to even";
    }
}

#[op(
    "rint",
    alias("round"),
    alias("aten::round", "aten::rint"),
    deprecated(version = 8, note = "use even"),
    revised(version = 9, note = "ties go to even"),
    revised(version = 4, note = "digits count from the point"),
    moved_from = "vision-ops",
    inputs(x(alias("X")), scale(dispensable, deprecated(version = 8, note = "multiply instead")))
)]
pub struct Rint {
    #[attr(default = 0, alias("precision"), alias("places"), deprecated(version = 8, note = "multiply instead"))]
    pub digits: i32,
}

/// Its old name is that of what the lock still has; its input is renamed.
#[op("floor")]
pub struct Floor {
    #[input(name = "X", alias("x"))]
    pub x: Var,
}

fn main() {
    let def = Rint::def();
    assert_eq!(def.aliases.to_vec(), ["round", "aten::round", "aten::rint"]);
    assert_eq!(def.deprecated.as_ref().map(|d| (d.version, d.note.as_ref())), Some((8, "use even")));
    let revisions: Vec<_> = def.revisions.iter().map(|r| (r.version, r.note.as_ref())).collect();
    assert_eq!(revisions, [(9, "ties go to even"), (4, "digits count from the point")]);
    assert_eq!(def.moved_from.as_deref(), Some("vision-ops"));
    assert_eq!(def.inputs[0].aliases.to_vec(), ["X"]);
    assert_eq!(def.inputs[1].deprecated.as_ref().map(|d| d.version), Some(8));
    assert_eq!(def.attrs[0].aliases.to_vec(), ["precision", "places"]);
    assert_eq!(def.attrs[0].deprecated.as_ref().map(|d| d.note.as_ref()), Some("multiply instead"));

    let panic = std::panic::catch_unwind(|| oplock::__private::assert_up_to_date(ops())).unwrap_err();
    let text = panic.downcast_ref::<String>().unwrap();
    for expected in [
        "operator `rint` is added [op_added]",
        "operator `round` is deleted [op_deleted]",
        "input `x` of `floor` is renamed to `X` [input_deleted]",
    ] {
        assert!(text.contains(expected), "{text}");
    }
}
