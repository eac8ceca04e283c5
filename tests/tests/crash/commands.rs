//! Whole commands: `approve`, `update` and `seal` of a package in which an approved break comes to its release.

use std::fs;
use std::path::Path;
use std::process::{Child, Command};
use std::thread;
use std::time::Duration;

use oplock_tests::Folder;

use crate::number;
use crate::trace::{chosen, run, watch};

/// The files that commands write; `None` where there is none.
type State = [Option<String>; 2];

const FILES: [&str; 2] = ["ops.lock", "ops.approvals.toml"];

fn state(ops: &Folder) -> State {
    FILES.map(|file| ops.has(file).then(|| ops.read(file)))
}

fn restore(ops: &Folder, state: &State) {
    for (file, text) in FILES.iter().zip(state) {
        match text {
            Some(text) => ops.write(file, text),
            None if ops.has(file) => ops.remove(file),
            None => {}
        }
    }
}

fn left(ops: &Folder) -> Vec<String> {
    ops.files().into_iter().filter(|file| Path::new(file).extension().is_some_and(|ext| ext == "tmp")).collect()
}

/// A released package of which two defaults changed since.
fn changed() -> Folder {
    let ops = Folder::ops("1.0.0");
    ops.edit(
        "src/lib.rs",
        "    /// Which library",
        "    /// How many.\n    #[attr(default = 1)]\n    pub times: i32,\n    /// Which library",
    );
    ops.oplock("init").args(["--released", "1.0.0"]).run().succeeds();
    ops.edit("src/lib.rs", "default = []", "default = [7]");
    ops.edit("src/lib.rs", "default = 1)", "default = 2)");
    ops.set_version("1.1.0");
    ops.takes_version(2);
    ops
}

fn approve(ops: &Folder, item: &str) -> Command {
    let mut command = ops.oplock_alone("approve");
    command.args(["attr_changed", item, "--reason", "nobody has it", "--by", "somebody"]);
    command
}

/// Each command in its turn, killed at many of its system calls; then it runs to its end, and the next one is tried.
pub(crate) fn killed_at_system_calls() {
    let ops = changed();
    assert!(approve(&ops, "slice.times").status().unwrap().success());
    let runs = number("OPLOCK_CRASH_RUNS", 18).div_ceil(3);
    for (name, command) in [
        ("approve", approve(&ops, "slice.starts")),
        ("update", ops.oplock_alone("update")),
        ("seal", ops.oplock_alone("seal")),
    ] {
        let before = state(&ops);
        let (whole, window) = watch(&command, &|| !left(&ops).is_empty());
        assert_eq!(whole.code, Some(0), "{name}");
        let after = state(&ops);
        assert_ne!(before, after, "{name}");
        let (mut done, mut begun) = (0, 0);
        let stops = chosen(whole.stops, &window, runs);
        for stop in &stops {
            restore(&ops, &before);
            run(&command, *stop);
            let found = state(&ops);
            for ((file, found), sides) in FILES.iter().zip(&found).zip(before.iter().zip(&after)) {
                assert!(found == sides.0 || found == sides.1, "{name} at {stop}: {file} is torn:\n{found:?}");
            }
            done += usize::from(found == after);
            begun += left(&ops).len();
            if found != after || !left(&ops).is_empty() {
                // Whatever it left, the same command comes to the same end.
                assert_eq!(run(&command, usize::MAX).code, Some(0), "{name} after a kill at {stop}");
                assert_eq!(state(&ops), after, "{name} after a kill at {stop}");
                assert_eq!(left(&ops), [""; 0], "{name} after a kill at {stop}");
            }
        }
        println!(
            "  {name}: {} kills at {} stops ({} while it writes), {done} after all was done, {begun} left a temporary file",
            stops.len(),
            whole.stops,
            window.len()
        );
        restore(&ops, &after);
    }
}

fn all_end(mut children: Vec<Child>, watch: &mut dyn FnMut()) -> Vec<Option<i32>> {
    let mut codes = vec![None; children.len()];
    let mut running = children.len();
    while running > 0 {
        watch();
        running = 0;
        for (child, code) in children.iter_mut().zip(&mut codes) {
            match child.try_wait().expect("a child can be waited for") {
                Some(status) => *code = status.code(),
                None => running += 1,
            }
        }
        thread::sleep(Duration::from_millis(5));
    }
    codes
}

pub(crate) fn sixteen_updates_at_once() {
    let ops = changed();
    for item in ["slice.starts", "slice.times"] {
        assert!(approve(&ops, item).status().unwrap().success());
    }
    let before = state(&ops);
    ops.oplock_update().succeeds();
    let after = state(&ops);
    let rounds = number("OPLOCK_RACE_ROUNDS", 1);
    for round in 0..rounds {
        restore(&ops, &before);
        let children = (0..16).map(|_| ops.oplock_alone("update").spawn().unwrap()).collect();
        let codes = all_end(children, &mut || {
            let now = state(&ops);
            assert!(now == before || now == after, "round {round}: a torn file");
        });
        assert_eq!(codes, vec![Some(0); 16], "round {round}");
        assert_eq!(state(&ops), after, "round {round}");
        assert_eq!(left(&ops), [""; 0], "round {round}");
    }
    println!("  {rounds} rounds of 16");
}

/// Eight approve the one break and eight the other: whoever says that it did so has done so.
pub(crate) fn sixteen_approvals_at_once() {
    let ops = changed();
    let before = state(&ops);
    let path = ops.path().join(FILES[1]);
    let rounds = number("OPLOCK_RACE_ROUNDS", 1);
    let mut again = 0;
    for round in 0..rounds {
        restore(&ops, &before);
        let items = ["slice.starts", "slice.times"];
        let children = (0..16).map(|i| approve(&ops, items[i % 2]).spawn().unwrap()).collect();
        let codes = all_end(children, &mut || {});
        let text = fs::read_to_string(&path).unwrap_or_default();
        for (i, code) in codes.iter().enumerate() {
            match code {
                Some(0) => {
                    let name = items[i % 2].trim_start_matches("slice.");
                    assert!(
                        text.contains(&format!("\"{name}\"")) || text.contains(&format!(".{name}")),
                        "round {round}: lost {name}:\n{text}"
                    );
                }
                // Another one wrote meanwhile, which it says.
                Some(101) => again += 1,
                other => panic!("round {round}: {other:?}"),
            }
        }
        assert!(codes.contains(&Some(0)), "round {round}");
        assert_eq!(left(&ops), [""; 0], "round {round}");
    }
    println!("  {rounds} rounds of 16, of which {again} had to say: run it again");
}
