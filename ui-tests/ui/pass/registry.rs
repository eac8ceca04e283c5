use oplock::{Op, Registry, RegistryError, Var, op};

oplock::lock!();

#[op("locked")]
pub struct Locked {
    #[input]
    pub x: Var,
}

#[op("new")]
pub struct New {
    #[input]
    pub x: Var,
}

#[op("example", unlocked)]
pub struct Example;

#[op("off", cfg(windows))]
pub struct Off;

#[op("on", cfg(not(windows)))]
pub struct On;

fn main() {
    let registry = Registry::global().unwrap();
    let names: Vec<_> = registry.iter().map(|entry| entry.def.name.as_ref()).collect();
    assert_eq!(names, ["example", "locked", "new", "on"]);
    assert_eq!((registry.len(), registry.is_empty()), (4, false));
    let entry = registry.get("locked").unwrap();
    assert_eq!(entry.def, Locked::def());
    assert!(entry.place.file.ends_with("registry.rs") && entry.place.line == 5, "{}", entry.place);
    assert!(registry.get("off").is_none());
    assert_eq!(registry.packages().count(), 1);

    assert_eq!((ops().len(), ops().is_empty()), (2, false));
    assert!(Registry::global_with(&[ops()]).is_ok());
    assert_eq!(Registry::of(&[ops()]).unwrap().len(), 2);
    let twice = Registry::of(&[ops(), ops()]).unwrap_err();
    assert!(matches!(&twice, RegistryError::Duplicates(d) if d.len() == 2));
    assert!(twice.to_string().contains("operator `locked` is declared twice: in "), "{twice}");
}
