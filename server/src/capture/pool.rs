//! A pool of browser processes: started when needed, shared by several pages at once, replaced when they die or age.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;

use tokio::sync::Mutex;
use tokio_util::sync::CancellationToken;

use super::launch::{Launcher, Running};
use super::memory::{self, Ceilings, Member};
use super::program::find_program;
use super::sandbox::runs_as_root;
use super::seats::Seats;
use super::{Capture, CaptureError, CaptureRequest, page};
use crate::config::CaptureSettings;
use crate::proxy::Proxy;

/// How often the memory of the browsers is looked at. What allocates as fast as it can takes a few hundred MiB meanwhile.
const MEMORY_INTERVAL: Duration = Duration::from_millis(250);

/// What a browser is wanted for.
#[derive(Debug, Clone, Copy)]
enum Use {
    /// A capture, which counts.
    Capture,
    /// Seeing that it is there.
    Probe,
}

/// The browsers of this process.
pub struct BrowserPool {
    program: Option<PathBuf>,
    launcher: Launcher,
    slots: Vec<Mutex<Option<Arc<Running>>>>,
    seats: Seats,
    captures_per_browser: u32,
    page_budget: Duration,
    memory: Ceilings,
    /// Those that run, also those that have left their slot and end with their last page.
    launched: std::sync::Mutex<Vec<Weak<Running>>>,
    memory_bytes: AtomicU64,
}

impl BrowserPool {
    /// A pool as the settings say, with its profiles in `profiles`; no browser is started yet.
    pub fn new(settings: &CaptureSettings, profiles: PathBuf) -> Self {
        Self {
            program: settings.browser.clone(),
            launcher: Launcher::new(profiles),
            slots: (0..settings.browsers).map(|_| Mutex::new(None)).collect(),
            seats: Seats::new(settings.browsers, settings.tabs_per_browser),
            captures_per_browser: settings.captures_per_browser,
            page_budget: settings.page_budget(),
            memory: Ceilings {
                page_mib: settings.page_memory_mib,
                browser_mib: settings.browser_memory_mib,
            },
            launched: std::sync::Mutex::default(),
            memory_bytes: AtomicU64::new(0),
        }
    }

    /// Ends what a killed service left behind in the profiles' folder. The caller must hold the data folder's lock.
    pub fn end_left_behind(&self) {
        self.launcher.end_left_behind();
    }

    /// Captures a page in a browser of the pool, in a context of its own, whose requests go through `proxy`.
    ///
    /// # Errors
    /// See [`CaptureError`].
    pub async fn capture(
        &self,
        request: &CaptureRequest,
        proxy: &Proxy,
    ) -> Result<Capture, CaptureError> {
        let seat = self.seats.take().await.ok_or_else(stopping)?;
        let running = self.running(seat.slot, Use::Capture).await?;
        let result = page::capture(&running, request, proxy).await;
        let result = match result {
            Err(error) if !running.is_alive() && !matches!(error, CaptureError::BrowserGone(_)) => {
                Err(CaptureError::BrowserGone("its process is gone".to_owned()))
            }
            result => result,
        };
        if matches!(result, Err(CaptureError::BrowserGone(_))) {
            // The next page gets a fresh one; those that are under way may end well.
            running.mark_spent();
        }
        self.retire_when_last(running).await;
        result
    }

    /// The version of the browser, or why there is none. However often it is asked for, no browser ages by it.
    ///
    /// # Errors
    /// No browser could be started.
    pub async fn probe(&self) -> Result<String, CaptureError> {
        let running = self.running(0, Use::Probe).await?;
        let version = running.version.clone();
        self.retire_when_last(running).await;
        Ok(version)
    }

    /// What a start should say about the browser: where it is, and whether it runs without its sandbox.
    pub fn describe(&self) -> String {
        match find_program(self.program.as_ref()) {
            Ok(path) if runs_as_root() => format!(
                "{} (as root it runs without its sandbox; use another user in production)",
                path.display()
            ),
            Ok(path) => path.display().to_string(),
            Err(error) => error.to_string(),
        }
    }

    /// Memory of all browsers when it was looked at last.
    pub fn memory_bytes(&self) -> u64 {
        self.memory_bytes.load(Ordering::Relaxed)
    }

    /// Keeps the browsers within their memory until `stop` is cancelled.
    pub async fn watch_memory(&self, stop: &CancellationToken) {
        let mut look = tokio::time::interval(MEMORY_INTERVAL);
        look.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                _ = look.tick() => {}
                () = stop.cancelled() => return,
            }
            let running = self.all_running();
            let roots: Vec<i32> = running.iter().filter_map(|it| it.process_id()).collect();
            let trees = if roots.is_empty() {
                Ok(std::collections::HashMap::new())
            } else {
                tokio::task::spawn_blocking(move || memory::trees(&roots)).await
            };
            let Ok(trees) = trees else { continue };
            let mut bytes = 0;
            for browser in &running {
                let members = browser.process_id().and_then(|id| trees.get(&id));
                bytes += members.map_or(0, |members| self.bound(browser, members));
            }
            self.memory_bytes.store(bytes, Ordering::Relaxed);
            for browser in running {
                self.retire_when_last(browser).await;
            }
        }
    }

    /// Ends the renderers of a browser that are too large, and takes it out of use when all of it is. Returns its bytes.
    fn bound(&self, browser: &Running, members: &[Member]) -> u64 {
        let excess = self.memory.excess(members);
        for (renderer, error) in excess.renderers {
            browser.end_renderer(renderer, error);
        }
        if excess.is_browser_too_large && !browser.is_too_large() {
            tracing::warn!(
                mib = excess.bytes / memory::MIB,
                "a browser takes too much memory; it takes no page any more and is replaced"
            );
            browser.mark_too_large();
        }
        excess.bytes
    }

    fn all_running(&self) -> Vec<Arc<Running>> {
        let mut launched = self
            .launched
            .lock()
            .expect("no code panics while it holds this lock");
        launched.retain(|browser| browser.strong_count() > 0);
        launched.iter().filter_map(Weak::upgrade).collect()
    }

    /// Ends every browser.
    pub async fn close(&self) {
        self.seats.close();
        for slot in &self.slots {
            let Some(running) = slot.lock().await.take() else {
                continue;
            };
            match Arc::try_unwrap(running) {
                Ok(running) => running.close().await,
                Err(shared) => shared.kill(),
            }
        }
    }

    async fn running(&self, slot: usize, wanted_for: Use) -> Result<Arc<Running>, CaptureError> {
        let mut place = self.slots[slot].lock().await;
        if let Some(running) = place.as_ref() {
            // Whoever only looks replaces none that works: that may take as long as a page, and others wait for the answer.
            if running.is_alive() && !running.is_spent() && matches!(wanted_for, Use::Probe) {
                return Ok(running.clone());
            }
            let is_too_large = running.is_too_large();
            if running.is_alive()
                && !running.is_spent()
                && !is_too_large
                && running.count_capture() < self.captures_per_browser
            {
                return Ok(running.clone());
            }
            // The last page that still uses it ends it; see `retire_when_last`.
            let ended = running.ended();
            if let Some(former) = place.take() {
                self.retire_when_last(former).await;
            }
            if is_too_large {
                // Beside another one it would take still more. Its pages have no more time than this.
                let _ = tokio::time::timeout(self.page_budget, ended.cancelled()).await;
            }
        }
        let program = find_program(self.program.as_ref())?;
        let running = self.launcher.launch(&program).await?;
        let running = Arc::new(running);
        if matches!(wanted_for, Use::Capture) {
            running.count_capture();
        }
        self.launched
            .lock()
            .expect("no code panics while it holds this lock")
            .push(Arc::downgrade(&running));
        *place = Some(running.clone());
        Ok(running)
    }

    /// A browser that left its slot is ended by the page that used it last.
    async fn retire_when_last(&self, running: Arc<Running>) {
        if let Some(last) = Arc::into_inner(running) {
            last.close().await;
        }
    }
}

fn stopping() -> CaptureError {
    CaptureError::BrowserGone("the service is stopping".to_owned())
}
