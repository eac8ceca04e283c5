//! How graphs that were saved before 2.0 are read, where the ledger of the lock cannot tell by itself. (The default of `avg_pool.exclusive`
//! changed too: there it can.)

use oplock::graph::{Upgrade, UpgradeError};
use oplock::{Node, Value};

/// `mul` was `flatten` and `matmul` in one.
#[oplock::upgrade(op = "mul", before = 3)]
fn mul_as_flatten_and_matmul(mul: &mut Upgrade<'_>) -> Result<(), UpgradeError> {
    let axis = mul.remove_attr("x_num_col_dims").unwrap_or(Value::I64(1));
    let rows = mul.fresh_variable("rows");
    let x = mul.set_input("x", vec![rows.clone()]);
    let mut flatten = Node::new("flatten");
    flatten.inputs.insert("x".to_owned(), x);
    flatten.outputs.insert("out".to_owned(), vec![rows]);
    flatten.attrs.insert("axis".to_owned(), axis);
    mul.insert_before(flatten);
    mul.set_op("matmul");
    Ok(())
}

/// Until then there was but one way to round.
#[oplock::upgrade(op = "round", before = 3)]
fn round_away_from_zero(round: &mut Upgrade<'_>) -> Result<(), UpgradeError> {
    round.set_attr("ties", Value::String("away".into()));
    Ok(())
}
