use oplock::{Var, op};

oplock::lock!();

#[op(
    "round",
    alias = "rint",
    alias(),
    renamed_from("rint"),
    obsolete(version = 8, note = "use rint"),
    deprecated(8, "use rint"),
    revised = 9,
    revised(since = 9, reason = "ties go to even"),
    revised(version = 9),
    revised(version = "10", note = "ties go to even"),
    revised(version = 0, note = "ties go to even"),
    revised(version = 11, note = ""),
    moved_from("vision-ops"),
    moved_from = "vision ops",
    changed(version = 12, note = "ties go to even"),
)]
pub struct Round {
    #[input(aliases("x"), dispensable)]
    pub x: Option<Var>,
    #[input(dispensable, deprecated)]
    pub y: Option<Var>,
    #[attr(default = 0, deprecated(note = "use ties"), alias(old))]
    pub mode: i32,
    #[attr(default = 0, deprecated(version = 8, note = "a"), deprecated(version = 9, note = "b"))]
    pub ties: i32,
    #[attr(default = 0, revised(version = 9, note = "ties go to even"))]
    pub digits: i32,
}

fn main() {}
