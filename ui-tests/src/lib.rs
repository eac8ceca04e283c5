//! Nothing: the tests are in `ui.rs` and `ui/`.
