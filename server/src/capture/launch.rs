//! Starting one browser process: with which flags, and seeing it end.

use std::fmt::Display;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use chromiumoxide::error::CdpError;
use chromiumoxide::{Browser, BrowserConfig};
use futures::StreamExt;
use tempfile::TempDir;
use tokio::net::TcpSocket;
use tokio::task::JoinHandle;
use tokio_util::sync::{CancellationToken, DropGuard};

use super::{CaptureError, leash};
use crate::storage;

/// Without a screen Chromium finds no mouse, and pages would take a desktop for a device that has no pointer at all. These
/// are a fine pointer and hover, in Blink's numbers; devices with touch override them. The last keeps pictures that move (GIF,
/// APNG, WebP, SVG, also as backgrounds) on their first frame.
const BLINK_SETTINGS: &str = "primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4,\
     imageAnimationPolicy=2";

/// The time zone of every page: that of the machine would make pages that show local times differ from worker to worker.
const TIME_ZONE: &str = "UTC";

/// Longest wait for a browser to start, and to end by itself.
const LAUNCH_DEADLINE: Duration = Duration::from_secs(20);
const CLOSE_DEADLINE: Duration = Duration::from_secs(5);

/// Longest time from ending a renderer until its page knows.
const ENDING: Duration = Duration::from_secs(10);

/// Longest wait for the answer to one command; a page's own budget ends earlier.
const COMMAND_DEADLINE: Duration = Duration::from_mins(2);

/// A running browser process.
pub(super) struct Running {
    pub(super) browser: Browser,
    pub(super) version: String,
    process: Option<rustix::process::Pid>,
    alive: Arc<AtomicBool>,
    captures: AtomicU32,
    is_spent: AtomicBool,
    is_too_large: AtomicBool,
    ended_renderers: Mutex<Vec<EndedRenderer>>,
    handler: JoinHandle<()>,
    ended: CancellationToken,
    _ends: DropGuard,
    _profile: TempDir,
    _nowhere: Nowhere,
}

impl Running {
    /// Starts a browser with a profile of its own in `profiles`. What it wants for itself, and not for a page, gets nowhere.
    /// Where the system refuses Chromium its sandbox, it is started without, and that is said.
    pub(super) async fn launch(program: &Path, profiles: &Path) -> Result<Self, CaptureError> {
        let failed = |error: &dyn Display| {
            CaptureError::NoBrowser(format!("{}: {error}", program.display()))
        };
        storage::create_private_folder(profiles).map_err(|error| failed(&error))?;
        let profile = tempfile::Builder::new()
            .prefix("profile-")
            .tempdir_in(profiles)
            .map_err(|error| failed(&error))?;
        let sandbox = if runs_as_root() {
            Sandbox::Off
        } else {
            Sandbox::On
        };
        let nowhere = Nowhere::reserve().map_err(|error| failed(&error))?;
        let config = browser_config(program, profile.path(), sandbox, nowhere.address)
            .map_err(|error| failed(&error))?;
        let launched = match Browser::launch(config).await {
            Err(error) if sandbox == Sandbox::On && format!("{error:?}").contains("sandbox") => {
                tracing::warn!(
                    "this system refuses Chromium its sandbox, so it runs without; see docs/operating.md"
                );
                let config = browser_config(program, profile.path(), Sandbox::Off, nowhere.address)
                    .map_err(|error| failed(&error))?;
                Browser::launch(config).await
            }
            launched => launched,
        };
        let (mut browser, mut events) = launched.map_err(|error| failed(&error))?;
        let process = browser.get_mut_child().and_then(|child| child.inner.id());
        let process = process
            .and_then(|id| i32::try_from(id).ok())
            .and_then(rustix::process::Pid::from_raw);
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
        let version = browser
            .version()
            .await
            .map_err(|error| failed(&error))?
            .product;
        let ended = CancellationToken::new();
        Ok(Self {
            browser,
            version,
            process,
            alive,
            captures: AtomicU32::new(0),
            is_spent: AtomicBool::new(false),
            is_too_large: AtomicBool::new(false),
            ended_renderers: Mutex::default(),
            handler,
            ended: ended.clone(),
            _ends: ended.drop_guard(),
            _profile: profile,
            _nowhere: nowhere,
        })
    }

    pub(super) fn is_alive(&self) -> bool {
        self.alive.load(Ordering::Acquire)
    }

    /// Takes it out of use: the next page gets a fresh one.
    pub(super) fn mark_dead(&self) {
        self.alive.store(false, Ordering::Release);
    }

    /// Whether it takes no page any more because it hangs in some way.
    pub(super) fn is_spent(&self) -> bool {
        self.is_spent.load(Ordering::Acquire)
    }

    /// Lets it take no page any more; those that it has go on.
    pub(super) fn mark_spent(&self) {
        self.is_spent.store(true, Ordering::Release);
    }

    /// Its process id.
    pub(super) fn process_id(&self) -> Option<i32> {
        self.process.map(|it| it.as_raw_nonzero().get())
    }

    /// Whether it takes no page any more because it holds too much memory.
    pub(super) fn is_too_large(&self) -> bool {
        self.is_too_large.load(Ordering::Acquire)
    }

    /// Lets it take no page any more.
    pub(super) fn mark_too_large(&self) {
        self.is_too_large.store(true, Ordering::Release);
    }

    /// Ends when the process has ended and nothing uses it any more.
    pub(super) fn ended(&self) -> CancellationToken {
        self.ended.clone()
    }

    /// Ends one of its renderers, once; the error is what its page is told.
    pub(super) fn end_renderer(&self, id: i32, error: CaptureError) {
        let mut ended = self.ended_renderers();
        // One that holds much takes a while to end.
        ended.retain(|renderer| renderer.at.elapsed() < ENDING);
        if ended.iter().any(|renderer| renderer.id == id) {
            return;
        }
        let Some(process) = rustix::process::Pid::from_raw(id) else {
            return;
        };
        if rustix::process::kill_process(process, rustix::process::Signal::KILL).is_ok() {
            ended.push(EndedRenderer {
                id,
                at: Instant::now(),
                untold: Some(error),
            });
        }
    }

    /// What the end of a renderer means for its page. The browser does not say which process it was; no two end at once but
    /// by the same hand.
    pub(super) fn why_a_renderer_ended(&self) -> CaptureError {
        let mut ended = self.ended_renderers();
        ended.retain(|renderer| renderer.at.elapsed() < ENDING);
        ended
            .iter_mut()
            .find_map(|renderer| renderer.untold.take())
            .unwrap_or(CaptureError::Crashed)
    }

    fn ended_renderers(&self) -> MutexGuard<'_, Vec<EndedRenderer>> {
        self.ended_renderers
            .lock()
            .expect("no code panics while it holds this lock")
    }

    /// Counts a capture and returns how many there were before.
    pub(super) fn count_capture(&self) -> u32 {
        self.captures.fetch_add(1, Ordering::Relaxed)
    }

    /// Ends the process at once, for a browser that a page still holds.
    pub(super) fn kill(&self) {
        self.mark_dead();
        if let Some(process) = self.process {
            // It may have ended by itself meanwhile.
            let _ = rustix::process::kill_process(process, rustix::process::Signal::KILL);
        }
    }

    /// Ends the process and waits for it.
    pub(super) async fn close(mut self) {
        let closed = tokio::time::timeout(CLOSE_DEADLINE, async {
            if self.is_alive() && self.browser.close().await.is_err() {
                tracing::debug!("the browser was gone before it was closed");
            }
            self.browser.wait().await
        })
        .await;
        if closed.is_err() {
            self.browser.kill().await;
        }
        self.handler.abort();
    }
}

/// A renderer that was ended from here.
struct EndedRenderer {
    id: i32,
    at: Instant,
    /// For its page, until that has it.
    untold: Option<CaptureError>,
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
    _socket: TcpSocket,
}

impl Nowhere {
    fn reserve() -> std::io::Result<Self> {
        let socket = TcpSocket::new_v4()?;
        socket.bind((Ipv4Addr::LOCALHOST, 0).into())?;
        Ok(Self {
            address: socket.local_addr()?,
            _socket: socket,
        })
    }
}

/// Whether Chromium locks its renderers in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sandbox {
    On,
    Off,
}

fn browser_config(
    program: &Path,
    profile: &Path,
    sandbox: Sandbox,
    proxy: SocketAddr,
) -> Result<BrowserConfig, String> {
    let mut builder = BrowserConfig::builder()
        .chrome_executable(program)
        .user_data_dir(profile)
        .viewport(None)
        .launch_timeout(LAUNCH_DEADLINE)
        .request_timeout(COMMAND_DEADLINE)
        .respect_https_errors()
        .disable_cache()
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

/// Chromium refuses its sandbox to root.
pub(super) fn runs_as_root() -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        std::fs::metadata("/proc/self").is_ok_and(|process| process.uid() == 0)
    }
    #[cfg(not(unix))]
    false
}

/// Ends the browsers that a former service left in `profiles` when it was killed, and removes their folders. Only for
/// a folder that no other living service uses.
pub(super) fn end_left_behind(profiles: &Path) {
    let needle = format!("--user-data-dir={}/", profiles.display());
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    for process in processes {
        let id = process
            .file_name()
            .to_string_lossy()
            .parse::<i32>()
            .ok()
            .and_then(rustix::process::Pid::from_raw);
        let command = std::fs::read(process.path().join("cmdline")).unwrap_or_default();
        if let Some(id) = id
            && String::from_utf8_lossy(&command).contains(&needle)
        {
            tracing::info!(
                process = id.as_raw_nonzero().get(),
                "ending a browser that a killed service left behind"
            );
            // It may have ended by itself meanwhile.
            let _ = rustix::process::kill_process(id, rustix::process::Signal::KILL);
        }
    }
    // What cannot be removed now is removed at the next start.
    let _ = std::fs::remove_dir_all(profiles);
}
