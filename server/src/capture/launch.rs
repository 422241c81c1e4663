//! Starting one browser process: with which flags, and within which time.

use std::fmt::Display;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use chromiumoxide::error::CdpError;
use chromiumoxide::{Browser, BrowserConfig};
use futures::StreamExt;
use tokio::net::TcpSocket;

use super::running::{Running, Started};
use super::sandbox::{Sandbox, is_refused, runs_as_root};
use super::{CaptureError, environment, leash, left_behind};
use crate::storage;

/// Without a screen Chromium finds no mouse, and pages would take a desktop for a device that has no pointer at all. These
/// are a fine pointer and hover, in Blink's numbers; devices with touch override them. The last keeps pictures that move (GIF,
/// APNG, WebP, SVG, also as backgrounds) on their first frame.
const BLINK_SETTINGS: &str = "primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4,\
     imageAnimationPolicy=2";

/// The time zone of every page: that of the machine would make pages that show local times differ from worker to worker.
const TIME_ZONE: &str = "UTC";

/// Longest wait for a browser to say where it listens.
const LAUNCH_DEADLINE: Duration = Duration::from_secs(20);

/// Longest wait for all of its start, that without a sandbox included; docs/operating.md says it to people.
const START_DEADLINE: Duration = Duration::from_secs(30);

/// Longest wait for the answer to one command to the browser itself; a page has thirty seconds for each, by the library.
const COMMAND_DEADLINE: Duration = Duration::from_mins(2);

/// Starts browsers, each with a profile of its own in one folder.
pub(super) struct Launcher {
    profiles: PathBuf,
    /// Whether it was said that the system refuses Chromium its sandbox.
    is_sandbox_refused: AtomicBool,
    deadline: Duration,
}

impl Launcher {
    pub(super) fn new(profiles: PathBuf) -> Self {
        Self {
            profiles,
            is_sandbox_refused: AtomicBool::new(false),
            deadline: START_DEADLINE,
        }
    }

    /// Starts a browser. What it wants for itself, and not for a page, gets nowhere.
    pub(super) async fn launch(&self, program: &Path) -> Result<Running, CaptureError> {
        let failed = |error: &dyn Display| {
            CaptureError::NoBrowser(format!("{}: {error}", program.display()))
        };
        storage::create_private_folder(&self.profiles).map_err(|error| failed(&error))?;
        let profile = tempfile::Builder::new()
            .prefix("profile-")
            .tempdir_in(&self.profiles)
            .map_err(|error| failed(&error))?;
        let nowhere = Nowhere::reserve().map_err(|error| failed(&error))?;
        let starting = Box::pin(self.start(program, profile.path(), nowhere.address));
        // Whatever has come of one that is given up is killed with it.
        let Ok(started) = tokio::time::timeout(self.deadline, starting).await else {
            let seconds = self.deadline.as_secs();
            return Err(failed(&format!("it did not start within {seconds} s")));
        };
        let started = started.map_err(|error| failed(&error))?;
        Ok(Running::new(started, profile, nowhere.socket))
    }

    /// Where the system refuses Chromium its sandbox, it is started without, and that is said.
    async fn start(
        &self,
        program: &Path,
        profile: &Path,
        proxy: SocketAddr,
    ) -> Result<Started, String> {
        let config = |sandbox| browser_config(program, profile, sandbox, proxy);
        // A refusal may pass, so that each start asks for a sandbox anew.
        let sandbox = if runs_as_root() {
            Sandbox::Off
        } else {
            Sandbox::On
        };
        let launched = match Browser::launch(config(sandbox)?).await {
            Err(error) if sandbox == Sandbox::On && is_refused(&error) => {
                if !self.is_sandbox_refused.swap(true, Ordering::AcqRel) {
                    tracing::warn!(
                        "this system refuses Chromium its sandbox, so browsers run without; see docs/operating.md"
                    );
                }
                Browser::launch(config(Sandbox::Off)?).await
            }
            launched => launched,
        };
        let (browser, mut events) = launched.map_err(|error| error.to_string())?;
        let alive = Arc::new(AtomicBool::new(true));
        let flag = DeadWhenDropped(alive.clone());
        // Messages that this version of the protocol does not know are passed over. Any other error means that the
        // connection is gone; ending the loop then fails every call that still waits.
        let handler = tokio::spawn(async move {
            let _flag = flag;
            while let Some(event) = events.next().await {
                match event {
                    Ok(()) | Err(CdpError::InvalidMessage(..) | CdpError::Serde(_)) => {}
                    Err(error) => {
                        tracing::debug!(%error, "the browser's connection ended");
                        break;
                    }
                }
            }
        });
        let version = browser.version().await.map_err(|error| error.to_string())?;
        Ok(Started {
            browser,
            version: version.product,
            alive,
            handler,
        })
    }

    /// Ends what a killed service left behind in the folder. No other living service may use it.
    pub(super) fn end_left_behind(&self) {
        left_behind::end(&self.profiles);
    }
}

/// Says that the browser is dead when the loop that reads its events ends, by a panic too.
struct DeadWhenDropped(Arc<AtomicBool>);

impl Drop for DeadWhenDropped {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Release);
    }
}

/// A port of loopback that is ours as long as this lives, and on which nothing listens.
struct Nowhere {
    address: SocketAddr,
    socket: TcpSocket,
}

impl Nowhere {
    fn reserve() -> std::io::Result<Self> {
        let socket = TcpSocket::new_v4()?;
        socket.bind((Ipv4Addr::LOCALHOST, 0).into())?;
        Ok(Self {
            address: socket.local_addr()?,
            socket,
        })
    }
}

fn browser_config(
    program: &Path,
    profile: &Path,
    sandbox: Sandbox,
    proxy: SocketAddr,
) -> Result<BrowserConfig, String> {
    let withheld = environment::withheld(std::env::vars_os().map(|(name, _)| name));
    let mut builder = BrowserConfig::builder()
        .chrome_executable(program)
        .user_data_dir(profile)
        .viewport(None)
        .launch_timeout(LAUNCH_DEADLINE)
        .request_timeout(COMMAND_DEADLINE)
        .respect_https_errors()
        .disable_cache()
        .envs(withheld.map(|name| (name, String::new())))
        .env("TZ", TIME_ZONE)
        // Its own headless mode would hide scrollbars, which is for the projects to say.
        .with_head()
        .args([
            "headless",
            "mute-audio",
            "disable-gpu",
            "no-default-browser-check",
            "disable-lcd-text",
        ])
        .arg(("font-render-hinting", "none"))
        .arg(("blink-settings", BLINK_SETTINGS));
    for (flag, value) in leash::flags(proxy) {
        builder = if value.is_empty() {
            builder.arg(flag)
        } else {
            builder.arg((flag, value.as_str()))
        };
    }
    if sandbox == Sandbox::Off {
        builder = builder.no_sandbox();
    }
    builder.build()
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt;
    use std::time::Instant;

    use super::*;

    #[tokio::test]
    async fn a_browser_that_opens_its_port_and_says_nothing_there_is_given_up() {
        let folder = tempfile::tempdir().unwrap();
        let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let address = silent.local_addr().unwrap();
        let program = folder.path().join("browser");
        let script = format!(
            "#!/bin/sh\necho 'DevTools listening on ws://{address}/devtools/browser/it' >&2\nexec sleep 60\n"
        );
        std::fs::write(&program, script).unwrap();
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
        let mut launcher = Launcher::new(folder.path().join("profiles"));
        launcher.deadline = Duration::from_secs(1);
        let begun = Instant::now();
        let error = launcher.launch(&program).await.err().unwrap();
        assert!(begun.elapsed() < LAUNCH_DEADLINE, "{:?}", begun.elapsed());
        let sentence = error.to_string();
        assert!(sentence.contains("did not start within 1 s"), "{sentence}");
    }
}
