// oplock-ui: version = "1.5.0"
oplock::lock!();

fn main() {}
