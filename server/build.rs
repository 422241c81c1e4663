//! Builds again when the embedded files change, and has the program that only compares start without a library that it can do
//! without.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

fn main() {
    for folder in ["../dashboard/dist", "../demo/site", "migrations"] {
        println!("cargo::rerun-if-changed={folder}");
    }
    println!("cargo::rerun-if-changed=build.rs");
    // Where it cannot be done, the program is as good, and starts a little later.
    let _ = link_unwinder_into_small_program();
}

/// Links what unwinds the stack into `pentimento-diff` instead of loading libgcc's shared library for it: each start would
/// map that library and run its constructor, which asks the processor what it can do, and on a virtual machine every such
/// question goes to the host. That is a tenth of the program's start.
///
/// The linker takes the first `libgcc_s` that it finds: a script that names the archive instead.
fn link_unwinder_into_small_program() -> Option<()> {
    let target = env::var("TARGET").ok()?;
    let is_own = env::var("HOST").ok()? == target;
    (is_own && target.ends_with("-linux-gnu")).then_some(())?;
    let asked = Command::new("cc")
        .arg("-print-file-name=libgcc_eh.a")
        .output();
    let archive = String::from_utf8(asked.ok()?.stdout).ok()?;
    let archive = Path::new(archive.trim());
    // Without the archive the compiler repeats its bare name.
    (archive.is_absolute() && archive.is_file()).then_some(())?;
    // Another compiler has another archive.
    println!("cargo::rerun-if-changed={}", archive.display());
    let folder = Path::new(&env::var_os("OUT_DIR")?).join("unwinder");
    fs::create_dir_all(&folder).ok()?;
    let script = format!("INPUT(\"{}\")\n", archive.display());
    fs::write(folder.join("libgcc_s.so"), script).ok()?;
    println!(
        "cargo::rustc-link-arg-bin=pentimento-diff=-L{}",
        folder.display()
    );
    Some(())
}
