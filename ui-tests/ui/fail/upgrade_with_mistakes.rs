// Each mistake at its token, and all in one run.
// oplock-ui: version = "2.0.0"
use oplock::{Var, op};

oplock::lock! {
    saved graph {
        min_producer = 4;
        min_consumer = 4;
        bad_consumers = [6];
        version 4 = "first release";
        version 8 = "`inv` is deprecated";
        version 9 = "`pad` has no `mode`";
    }
}

type Done = Result<(), oplock::graph::UpgradeError>;
type Node<'a, 'b> = &'a mut oplock::graph::Upgrade<'b>;

#[oplock::upgrade(op = "padd", before = 9)]
fn unknown_operator(_: Node<'_, '_>) -> Done {
    Ok(())
}

#[oplock::upgrade(op = "pad", before = 10)]
fn above_the_newest(_: Node<'_, '_>) -> Done {
    Ok(())
}

#[oplock::upgrade(ops = "pad", befor = 9)]
fn misspelt(_: Node<'_, '_>) -> Done {
    Ok(())
}

#[oplock::upgrade(op = pad, before = "9")]
fn other_types(_: Node<'_, '_>) -> Done {
    Ok(())
}

#[oplock::upgrade(op = "pad", before = 1)]
fn before_the_first(_: Node<'_, '_>) -> Done {
    Ok(())
}

#[oplock::upgrade]
fn says_nothing(_: Node<'_, '_>) -> Done {
    Ok(())
}

#[oplock::upgrade(op = "pad", before = 8)]
struct NoFunction;

#[op("pad")]
pub struct Pad {
    #[input]
    pub x: Var,
}

fn main() {}
