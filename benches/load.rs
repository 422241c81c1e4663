//! Loads two PNG files as a comparison does, and compares nothing: what `make bench` calls loading alone.
//!
//! `load BASELINE CURRENT` is to the command line what a floor is to a room: no comparison of ours that begins with these
//! files takes less.

use pentimento_compute::Unaligned;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let paths: Vec<_> = std::env::args_os().skip(1).collect();
    let [baseline, current] = &paths[..] else {
        return Err("say which two: load BASELINE CURRENT".into());
    };
    let (baseline, current) = (std::fs::read(baseline)?, std::fs::read(current)?);
    if baseline != current {
        Unaligned::load(&baseline, &current)?;
    }
    Ok(())
}
