//! What is made of the command line's own definition: completions and manual pages.

use std::path::Path;

use clap_complete::Shell;

use crate::args::definition;
use crate::error::Error;
use crate::exit::Exit;
use crate::shell;

pub(super) fn completions(of: Shell) -> Result<Exit, Error> {
    let mut text = Vec::new();
    // Cargo completes `cargo` itself; what can be completed here is the plugin's own name.
    clap_complete::generate(of, &mut definition(), "cargo-oplock", &mut text);
    shell::print(&String::from_utf8_lossy(&text))?;
    Ok(Exit::Clean)
}

pub(super) fn manual(folder: &Path) -> Result<Exit, Error> {
    let fail = |error| Error::Folder { path: folder.to_owned(), action: "write", error };
    std::fs::create_dir_all(folder).map_err(fail)?;
    clap_mangen::generate_to(definition().name("cargo-oplock"), folder).map_err(fail)?;
    Ok(Exit::Clean)
}
