//! One running browser process: whether it lives and takes pages, the renderers that were ended in it, and its end.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use chromiumoxide::Browser;
use tempfile::TempDir;
use tokio::net::TcpSocket;
use tokio::task::JoinHandle;
use tokio_util::sync::{CancellationToken, DropGuard};

use super::CaptureError;

/// Longest wait for a browser to end by itself, and then for its process to be gone.
const CLOSE_DEADLINE: Duration = Duration::from_secs(5);

/// Longest wait for a browser to answer what costs it nothing.
const ANSWER_DEADLINE: Duration = Duration::from_secs(5);

/// Longest time from ending a renderer until its page knows.
const ENDING: Duration = Duration::from_secs(10);

/// A browser that has told its version.
pub(super) struct Started {
    pub(super) browser: Browser,
    pub(super) version: String,
    pub(super) alive: Arc<AtomicBool>,
    pub(super) handler: JoinHandle<()>,
}

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
    _nowhere: TcpSocket,
}

impl Running {
    /// One that has started. Its profile's folder, and the port on which nothing listens, are kept until it is gone.
    pub(super) fn new(mut started: Started, profile: TempDir, nowhere: TcpSocket) -> Self {
        let child = started.browser.get_mut_child();
        let process = child
            .and_then(|child| child.inner.id())
            .and_then(|id| i32::try_from(id).ok())
            .and_then(rustix::process::Pid::from_raw);
        let ended = CancellationToken::new();
        Self {
            browser: started.browser,
            version: started.version,
            process,
            alive: started.alive,
            captures: AtomicU32::new(0),
            is_spent: AtomicBool::new(false),
            is_too_large: AtomicBool::new(false),
            ended_renderers: Mutex::default(),
            handler: started.handler,
            ended: ended.clone(),
            _ends: ended.drop_guard(),
            _profile: profile,
            _nowhere: nowhere,
        }
    }

    /// Whether its connection is there, so that its process is; one that hangs has both.
    pub(super) fn is_alive(&self) -> bool {
        self.alive.load(Ordering::Acquire)
    }

    /// Whether it answers. No page is asked for this, so none that is silent keeps it from doing so.
    pub(super) async fn answers(&self) -> bool {
        let version = tokio::time::timeout(ANSWER_DEADLINE, self.browser.version()).await;
        matches!(version, Ok(Ok(_)))
    }

    /// Whether it takes no page any more because it hangs or failed in some way.
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
        self.alive.store(false, Ordering::Release);
        if let Some(process) = self.process {
            // It may have ended by itself meanwhile.
            let _ = rustix::process::kill_process(process, rustix::process::Signal::KILL);
        }
    }

    /// Ends the process and waits for it.
    pub(super) async fn close(mut self) {
        // One that is not connected any more cannot be asked to end.
        if !self.is_alive() || !self.ends_by_itself().await {
            let killed = tokio::time::timeout(CLOSE_DEADLINE, self.browser.kill()).await;
            if killed.is_err() {
                tracing::warn!("a browser that was killed is not gone yet");
            }
        }
        self.handler.abort();
    }

    async fn ends_by_itself(&mut self) -> bool {
        let closing = async {
            if self.browser.close().await.is_err() {
                tracing::debug!("the browser was gone before it was closed");
            }
            self.browser.wait().await
        };
        let closed = tokio::time::timeout(CLOSE_DEADLINE, closing).await;
        closed.is_ok()
    }
}

/// A renderer that was ended from here.
struct EndedRenderer {
    id: i32,
    at: Instant,
    /// For its page, until that has it.
    untold: Option<CaptureError>,
}
