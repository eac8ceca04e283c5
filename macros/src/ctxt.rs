//! Gathers errors, so that an author sees all mistakes of a declaration in one run.

use std::cell::RefCell;
use std::fmt::Display;
use std::thread;

use proc_macro2::{Span, TokenStream};

/// The errors of one expansion.
#[derive(Default)]
pub(crate) struct Ctxt {
    errors: RefCell<Option<Vec<syn::Error>>>,
}

impl Ctxt {
    pub(crate) fn new() -> Self {
        Ctxt { errors: RefCell::new(Some(Vec::new())) }
    }

    /// An error at that place.
    pub(crate) fn error(&self, span: Span, message: impl Display) {
        self.push(syn::Error::new(span, message));
    }

    /// An error that `syn` made.
    pub(crate) fn push(&self, error: syn::Error) {
        if let Some(errors) = self.errors.borrow_mut().as_mut() {
            errors.push(error);
        }
    }

    /// The value, or nothing and its error.
    pub(crate) fn ok<T>(&self, result: syn::Result<T>) -> Option<T> {
        result.map_err(|error| self.push(error)).ok()
    }

    pub(crate) fn has_errors(&self) -> bool {
        self.errors.borrow().as_ref().is_some_and(|errors| !errors.is_empty())
    }

    /// One `compile_error!` for each error.
    pub(crate) fn finish(self) -> TokenStream {
        let errors = self.errors.borrow_mut().take().unwrap_or_default();
        errors.into_iter().map(syn::Error::into_compile_error).collect()
    }
}

impl Drop for Ctxt {
    fn drop(&mut self) {
        let unread = self.errors.borrow().as_ref().is_some_and(|errors| !errors.is_empty());
        debug_assert!(!unread || thread::panicking(), "errors were gathered and never shown");
    }
}
