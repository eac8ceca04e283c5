//! What compiles (`ui/pass`), what does not (`ui/fail`), and each message.
//!
//! Beside each crate root that calls `lock!` lies its own lock: `slice.rs` and `slice.ops.lock`. The macros look there
//! while `OPLOCK_UI_TESTS` is set, so this program starts itself again with it. What a package says in its manifest a
//! crate root says in comments: `// oplock-ui: version = "2.0.0"`, `// oplock-ui: relaxations = "minor"`.
//!
//! `TRYBUILD=overwrite cargo test -p oplock-ui-tests` writes the messages anew; review them like code.

use std::env;
use std::process::{Command, exit};

const VARIABLE: &str = "OPLOCK_UI_TESTS";

fn main() {
    if env::var_os(VARIABLE).is_none() {
        let program = env::current_exe().expect("the test's own program has a path");
        let status = Command::new(program).args(env::args_os().skip(1)).env(VARIABLE, "1").status();
        let status = status.expect("the test can start itself again");
        exit(status.code().unwrap_or(101));
    }
    let tests = trybuild::TestCases::new();
    tests.pass("ui/pass/*.rs");
    tests.compile_fail("ui/fail/*.rs");
}
