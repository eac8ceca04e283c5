// A comma behind the condition, raw strings and white space, as `#[cfg(…)]` takes them.
use oplock::{Registry, op};

oplock::lock!();

#[op("a", cfg(any(unix, not(unix)),))]
pub struct A {}

#[op("b", cfg(not(target_os = r#"solaris"#)))]
pub struct B {}

#[op("c", cfg(not( target_os = r"solaris" , ) , ))]
pub struct C {}

fn main() {
    assert_eq!(Registry::global().unwrap().len(), 3);
    oplock::__private::assert_up_to_date(ops());
}
