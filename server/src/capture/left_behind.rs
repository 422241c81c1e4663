//! Browsers of a service that was killed: they are processes of their own, and go on.

use std::path::Path;

use rustix::process::{Pid, Signal, kill_process};

/// Ends the browsers that a former service left in `profiles` when it was killed, and removes their folders. Only for
/// a folder that no other living service uses.
pub(super) fn end(profiles: &Path) {
    let needle = format!("--user-data-dir={}/", profiles.display());
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    for process in processes {
        let id = process.file_name().to_string_lossy().parse::<i32>();
        let id = id.ok().and_then(Pid::from_raw);
        let command = std::fs::read(process.path().join("cmdline")).unwrap_or_default();
        if let Some(id) = id
            && String::from_utf8_lossy(&command).contains(&needle)
        {
            tracing::info!(
                process = id.as_raw_nonzero().get(),
                "ending a browser that a killed service left behind"
            );
            // It may have ended by itself meanwhile.
            let _ = kill_process(id, Signal::KILL);
        }
    }
    // What cannot be removed now is removed at the next start.
    let _ = std::fs::remove_dir_all(profiles);
}
