// C5: what is added is compatible, and no new name of what is gone.

use oplock::{Var, op};

oplock::lock!();

#[op("conv2d")]
pub struct Conv2d {
    #[input]
    pub x: Var,
    #[output]
    pub out: Var,
    #[attr(default = "float32")]
    pub mkldnn_data_type: String,
}

fn main() {}
