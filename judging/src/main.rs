//! Writes the corpus into a folder, for looking at: `pentimento-judging DIR`.

use std::path::Path;
use std::{env, fs, io, process};

use pentimento_judging::{Case, Half, cases};

fn main() -> io::Result<()> {
    let Some(folder) = env::args_os().nth(1) else {
        eprintln!("usage: pentimento-judging DIR");
        process::exit(2);
    };
    for half in Half::ALL {
        let cases = cases(half);
        for case in &cases {
            write(&Path::new(&folder).join(half.as_str()), case)?;
        }
        println!("{} {} cases", cases.len(), half.as_str());
    }
    Ok(())
}

fn write(half: &Path, case: &Case) -> io::Result<()> {
    let folder = half.join(case.name.replace('/', "__"));
    fs::create_dir_all(&folder)?;
    fs::write(folder.join("before.html"), &case.before)?;
    fs::write(folder.join("after.html"), &case.after)?;
    fs::write(
        folder.join("truth.json"),
        serde_json::to_string_pretty(&case.truth)?,
    )
}
