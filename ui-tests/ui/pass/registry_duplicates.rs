// Two `unlocked` operators of one name: the compiler cannot see it, the registry names both places.
use oplock::{Registry, RegistryError, op};

#[op("same", unlocked)]
pub struct A;

#[op("same", unlocked)]
pub struct B;

fn main() {
    let error = Registry::global().unwrap_err();
    let RegistryError::Duplicates(duplicates) = error else { panic!("{error}") };
    assert_eq!(duplicates.len(), 1);
    assert_eq!((duplicates[0].first.line, duplicates[0].second.line), (4, 7));
    assert!(error.to_string().contains("registry_duplicates.rs:4, and in"), "{error}");
}
