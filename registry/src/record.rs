//! What an operator's declaration leaves in the program: one text, of which the signature is made when it is first asked for.
//!
//! A literal is the least that a signature can cost the compiler: tables of literals cost it ten times as much, and an
//! [`OpDef`] as a constant twice as much again.

use std::sync::{PoisonError, RwLock};

use oplock_model::{Declared, OpDef};

/// An operator's declaration, as the macro records it: the text of a [`Declared`].
#[derive(Clone, Copy, Debug)]
pub struct Record(pub &'static str);

impl Record {
    /// The declaration, read once and kept for as long as the program runs.
    ///
    /// # Panics
    ///
    /// When the text was not written by the macro of this version.
    pub fn declared(self) -> &'static Declared {
        static ALL: RwLock<Vec<((usize, usize), &'static Declared)>> = RwLock::new(Vec::new());
        // Two texts of one place and length are one text.
        let key = (self.0.as_ptr().addr(), self.0.len());
        let of = |all: &[((usize, usize), &'static Declared)]| all.binary_search_by_key(&key, |(key, _)| *key);
        {
            let all = ALL.read().unwrap_or_else(PoisonError::into_inner);
            if let Ok(at) = of(&all) {
                return all[at].1;
            }
        }
        let declared = Declared::from_text(self.0).unwrap_or_else(|| {
            panic!("a record that no `#[op]` of this version of oplock wrote: {:?}", self.0);
        });
        let mut all = ALL.write().unwrap_or_else(PoisonError::into_inner);
        match of(&all) {
            Ok(at) => all[at].1,
            Err(at) => {
                let declared: &'static Declared = Box::leak(Box::new(declared));
                all.insert(at, (key, declared));
                declared
            }
        }
    }

    /// The signature.
    pub fn def(self) -> &'static OpDef {
        &self.declared().def
    }
}
