//! Runs a program up to one of its system calls.

use std::ops::Range;
use std::process::{Command, Stdio};

use nix::sys::ptrace::{self, Options};
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;

/// What became of a program.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Traced {
    /// How often it stopped: at the beginning and at the end of each system call of its first thread.
    pub(crate) stops: usize,
    /// What it exited with; `None` when it was killed.
    pub(crate) code: Option<i32>,
}

/// Runs a program, and kills it at that stop; `usize::MAX` lets it end by itself. Where a system call begins, it is not made.
pub(crate) fn run(command: &Command, kill_at: usize) -> Traced {
    trace(command, kill_at, &mut |_| {})
}

#[expect(clippy::zombie_processes, reason = "it is waited for as what is traced")]
fn trace(command: &Command, kill_at: usize, at_stop: &mut dyn FnMut(usize)) -> Traced {
    // The shell waits until it is traced, and then becomes the program.
    let mut shell = Command::new("sh");
    shell.args(["-c", "kill -STOP $$; exec \"$0\" \"$@\""]).arg(command.get_program()).args(command.get_args());
    shell.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    shell.current_dir(command.get_current_dir().unwrap_or(std::path::Path::new(".")));
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => shell.env(name, value),
            None => shell.env_remove(name),
        };
    }
    let child = shell.spawn().expect("a shell starts");
    let pid = Pid::from_raw(i32::try_from(child.id()).expect("the number of a process"));
    let stopped = waitpid(pid, Some(WaitPidFlag::WUNTRACED)).expect("it is our child");
    assert_eq!(stopped, WaitStatus::Stopped(pid, Signal::SIGSTOP));
    ptrace::attach(pid).expect("a process may trace its own child");
    waitpid(pid, None).expect("it stops");
    let options = Options::PTRACE_O_TRACESYSGOOD | Options::PTRACE_O_TRACEEXEC | Options::PTRACE_O_EXITKILL;
    ptrace::setoptions(pid, options).expect("it is stopped");
    let (mut stops, mut is_program) = (0, false);
    let mut signal = None;
    loop {
        ptrace::syscall(pid, signal.take()).expect("it is stopped");
        match waitpid(pid, None).expect("it is our child") {
            WaitStatus::PtraceEvent(..) => is_program = true,
            WaitStatus::PtraceSyscall(_) if is_program => {
                at_stop(stops);
                if stops == kill_at {
                    kill(pid, Signal::SIGKILL).expect("it is our child");
                    while !matches!(waitpid(pid, None).expect("it is our child"), WaitStatus::Signaled(..)) {}
                    return Traced { stops, code: None };
                }
                stops += 1;
            }
            WaitStatus::Stopped(_, Signal::SIGSTOP) | WaitStatus::PtraceSyscall(_) => {}
            WaitStatus::Stopped(_, other) => signal = Some(other),
            WaitStatus::Exited(_, code) => return Traced { stops, code: Some(code) },
            WaitStatus::Signaled(..) => return Traced { stops, code: None },
            _ => {}
        }
    }
}

/// Lets a program end by itself, and tells at which stops a file is being written: while `is_writing` holds, and some more.
pub(crate) fn watch(command: &Command, is_writing: &dyn Fn() -> bool) -> (Traced, Range<usize>) {
    const MARGIN: usize = 4;
    let mut seen: Option<Range<usize>> = None;
    let traced = trace(command, usize::MAX, &mut |stop| {
        if is_writing() {
            seen = Some(seen.as_ref().map_or(stop, |seen| seen.start)..stop + 1);
        }
    });
    let seen = seen.unwrap_or_else(|| panic!("{command:?} writes nothing"));
    let window = seen.start.saturating_sub(MARGIN)..(seen.end + MARGIN).min(traced.stops);
    (traced, window)
}

/// At which of so many stops to kill: three of four while the file is being written, as many as there are, the others at any time,
/// all at even distances.
pub(crate) fn chosen(stops: usize, window: &Range<usize>, runs: usize) -> Vec<usize> {
    let inside = (runs * 3).div_ceil(4).min(window.len());
    let outside = (runs - inside).min(stops);
    let mut chosen: Vec<_> = (0..inside).map(|i| window.start + i * window.len() / inside).collect();
    chosen.extend((0..outside).map(|i| i * stops / outside));
    chosen.sort_unstable();
    chosen.dedup();
    chosen
}
