//! What reading a lock costs, which every build of an operator crate pays once: `cargo test -p oplock-core --test speed
//! -- --ignored --nocapture`.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use oplock_core::Lock;

/// A lock of these operators, of eight items each, in that order.
fn text(ops: impl IntoIterator<Item = usize>) -> String {
    let mut text =
        "format = 1\npackage = \"p\"\n\n[release]\n\"1.0.0\" = { date = \"2026-01-01\" }\n\n[op]\n".to_owned();
    for op in ops {
        let _ = writeln!(
            text,
            "op_{op:05}.since = \"1.0.0\"\n\
             op_{op:05}.input.EndsTensor = {{ dispensable = true }}\n\
             op_{op:05}.input.EndsTensorList = {{ duplicable = true, dispensable = true }}\n\
             op_{op:05}.input.Input = {{}}\n\
             op_{op:05}.output.Out = {{}}\n\
             op_{op:05}.attr.axes = {{ type = \"[i32]\" }}\n\
             op_{op:05}.attr.scale = {{ type = \"f32\", default = 1.0, quant = true }}\n\
             op_{op:05}.attr.starts = {{ type = \"[i32]\", default = [] }}\n\
             op_{op:05}.attr.use_mkldnn = {{ type = \"bool\", default = false, extra = true }}"
        );
    }
    text
}

fn best<T>(run: impl Fn() -> T) -> Duration {
    (0..5)
        .map(|_| {
            let start = Instant::now();
            let _ = std::hint::black_box(run());
            start.elapsed()
        })
        .min()
        .unwrap_or_default()
}

#[test]
#[ignore = "it measures time, which a busy machine distorts"]
fn reading_is_linear_and_cheap() {
    let mut per_op = Vec::new();
    for ops in [300, 3_000, 12_000] {
        let text = text(0..ops);
        let lock = Lock::parse(&text, None).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(lock.ops.len(), ops);
        let read = best(|| Lock::parse(&text, None));
        let tree = best(|| oplock_core::lock::toml::parse(&text));
        let write = best(|| lock.to_string());
        let each = |time: Duration| time.as_secs_f64() * 1e6 / f64::from(u32::try_from(ops).unwrap_or(u32::MAX));
        println!(
            "{ops:>6} operators, {:>5} KB: read {read:>9.2?} ({:>5.1} us each, of which TOML {:>5.1}), write {write:>9.2?} ({:>5.1} us each)",
            text.len() / 1024,
            each(read),
            each(tree),
            each(write),
        );
        per_op.push(each(read));
    }
    // A merge may leave any order, the reverse of it is the worst.
    let [sorted, reversed] = [text(0..3_000), text((0..3_000).rev())].map(|text| best(|| Lock::parse(&text, None)));
    println!("{:>6} operators in reverse: read {reversed:>9.2?}, in order {sorted:>9.2?}", 3_000);
    assert!(reversed < sorted * 2, "a lock in reverse takes {reversed:.2?}, one in order {sorted:.2?}");
    assert!(per_op.iter().all(|us| *us < 300.0), "{per_op:?}");
    assert!(per_op[2] < per_op[0] * 2.0, "reading is not linear: {per_op:?}");
}
