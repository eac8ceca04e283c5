oplock::lock!();

fn main() {}
