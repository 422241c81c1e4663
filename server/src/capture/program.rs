//! Which browser program to start.

use std::path::{Path, PathBuf};

use super::CaptureError;

/// Where distributions put the program itself. Debian's `/usr/bin/chromium…` are shell scripts that start it: ending
/// the script would leave the browser running.
const USUAL_PLACES: [&str; 6] = [
    "/usr/lib/chromium/chromium-headless-shell",
    "/usr/lib/chromium/chromium",
    "/usr/lib/chromium-browser/chromium-browser",
    "/opt/google/chrome/chrome",
    "/usr/bin/google-chrome",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/// The program to start: the configured one, or the first that is in a usual place.
///
/// # Errors
/// No browser is installed, or the configured one is no file.
pub fn find_program(configured: Option<&PathBuf>) -> Result<PathBuf, CaptureError> {
    if let Some(path) = configured {
        return if path.is_file() {
            Ok(path.clone())
        } else {
            Err(CaptureError::NoBrowser(format!(
                "{} is no file",
                path.display()
            )))
        };
    }
    USUAL_PLACES
        .iter()
        .map(PathBuf::from)
        .chain(playwright_shells())
        .find(|path| path.is_file())
        .ok_or_else(|| {
            CaptureError::NoBrowser(
                "none is installed; on Debian run `apt-get install chromium-headless-shell`"
                    .to_owned(),
            )
        })
}

/// What `npx playwright install chromium-headless-shell` leaves behind.
fn playwright_shells() -> Vec<PathBuf> {
    let Some(home) = std::env::var_os("HOME") else {
        return Vec::new();
    };
    let Ok(entries) = std::fs::read_dir(Path::new(&home).join(".cache/ms-playwright")) else {
        return Vec::new();
    };
    let shells = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.to_string_lossy().contains("chromium_headless_shell"));
    shells
        .flat_map(|folder| {
            [
                folder.join("chrome-linux/headless_shell"),
                folder.join("chrome-headless-shell-linux64/chrome-headless-shell"),
            ]
        })
        .collect()
}
