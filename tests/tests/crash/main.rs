//! Writers that are killed at each of their system calls, that write all at once, and that have no room.
//!
//! Whatever happens to a writer, each file is the old one or the new one, and the next command leaves nothing beside it.
//! Some runs are made by default. `OPLOCK_CRASH_RUNS=1000 cargo test -p oplock-tests --test crash` kills as often as that,
//! `OPLOCK_RACE_ROUNDS=200` lets sixteen processes race as often. Only Linux can stop a process where this wants to.

#[cfg(target_os = "linux")]
mod commands;
#[cfg(target_os = "linux")]
mod disk;
#[cfg(target_os = "linux")]
mod trace;
#[cfg(target_os = "linux")]
mod writes;

#[cfg(target_os = "linux")]
fn main() {
    if writes::is_child() {
        return writes::child();
    }
    let wanted = std::env::args().skip(1).find(|arg| !arg.starts_with('-')).unwrap_or_default();
    let tests: [(&str, fn()); 6] = [
        ("a_write_killed_at_each_system_call", writes::killed_at_each_system_call),
        ("a_full_disk", disk::full),
        ("a_folder_that_is_mounted_to_be_read", disk::read_only),
        ("commands_killed_at_system_calls", commands::killed_at_system_calls),
        ("sixteen_updates_at_once", commands::sixteen_updates_at_once),
        ("sixteen_approvals_at_once", commands::sixteen_approvals_at_once),
    ];
    for (name, test) in tests.into_iter().filter(|(name, _)| name.contains(&wanted)) {
        println!("test {name} ...");
        test();
        println!("test {name} ... ok");
    }
}

#[cfg(not(target_os = "linux"))]
fn main() {
    println!("skipped: only Linux can stop a process at its system calls");
}

/// A number of the environment.
#[cfg(target_os = "linux")]
fn number(variable: &str, default: usize) -> usize {
    let text = std::env::var(variable).unwrap_or_default();
    if text.is_empty() {
        return default;
    }
    text.parse().unwrap_or_else(|_| panic!("{variable} is a number, not {text:?}"))
}
