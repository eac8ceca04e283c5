// C19: module, struct, order of fields and documentation are free.
mod anywhere {
    /// Other words.
    #[oplock::op("slice", rename_all = "PascalCase")]
    pub struct AnyName {
        #[attr(name = "starts", default = [])]
        pub first: Vec<i32>,
        /// Other words.
        #[output]
        pub out: oplock::Var,
        #[attr(name = "axes")]
        pub along: Vec<i32>,
        #[input(name = "EndsTensor", dispensable)]
        pub ends: Option<oplock::Var>,
        #[input]
        pub input: oplock::Var,
    }
}

oplock::lock!();

fn main() {
    oplock_is_up_to_date();
}

/// The body of the test that `lock!` generates.
fn oplock_is_up_to_date() {
    oplock::__private::assert_up_to_date(ops());
}
