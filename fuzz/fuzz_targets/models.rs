#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| oplock_fuzz::models(bytes));
