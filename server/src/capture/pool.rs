//! A pool of browser processes: started when needed, shared by several pages at once, replaced when they die or age.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;

use tokio::sync::Mutex;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::launch::Launcher;
use super::memory::{self, Ceilings, Member};
use super::program::find_program;
use super::running::Running;
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

/// How often whoever waits for a slot looks at it.
const LOOK_AGAIN: Duration = Duration::from_secs(1);

/// What is in a slot.
#[derive(Default)]
struct Place {
    running: Option<Arc<Running>>,
    /// The end of one that was too large and left. Beside it another one would take still more.
    leaving: Option<CancellationToken>,
}

/// The browsers of this process.
pub struct BrowserPool {
    program: Option<PathBuf>,
    launcher: Launcher,
    /// Nothing is waited for while one of them is locked, but a browser to start.
    slots: Vec<Mutex<Place>>,
    seats: Seats,
    captures_per_browser: u32,
    page_budget: Duration,
    memory: Ceilings,
    /// Those that run, also those that have left their slot and end with their last page.
    launched: std::sync::Mutex<Vec<Weak<Running>>>,
    memory_bytes: AtomicU64,
    /// Cancelled when all of them are to end.
    closing: CancellationToken,
}

impl BrowserPool {
    /// A pool as the settings say, with its profiles in `profiles`; no browser is started yet.
    pub fn new(settings: &CaptureSettings, profiles: PathBuf) -> Self {
        Self {
            program: settings.browser.clone(),
            launcher: Launcher::new(profiles),
            slots: (0..settings.browsers).map(|_| Mutex::default()).collect(),
            seats: Seats::new(settings.browsers, settings.tabs_per_browser),
            captures_per_browser: settings.captures_per_browser,
            page_budget: settings.page_budget(),
            memory: Ceilings {
                page_mib: settings.page_memory_mib,
                browser_mib: settings.browser_memory_mib,
            },
            launched: std::sync::Mutex::default(),
            memory_bytes: AtomicU64::new(0),
            closing: CancellationToken::new(),
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

    /// The version of a browser, or why there is none. However often it is asked for, no browser ages by it.
    ///
    /// # Errors
    /// No browser could be started.
    pub async fn probe(&self) -> Result<String, CaptureError> {
        let mut version = None;
        for running in self.all_running() {
            if version.is_none() && running.is_alive() && !running.is_spent() {
                version = Some(running.version.clone());
            }
            self.retire_when_last(running).await;
        }
        if let Some(version) = version {
            return Ok(version);
        }
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
        // Whoever starts one, or waits until one has ended, lets go now.
        self.closing.cancel();
        let mut idle = Vec::new();
        for slot in &self.slots {
            let running = slot.lock().await.running.take();
            match running.map(Arc::try_unwrap) {
                Some(Ok(running)) => idle.push(running.close()),
                Some(Err(shared)) => self.kill(shared).await,
                None => {}
            }
        }
        // Pages are in those that have left their slots, too.
        for shared in self.all_running() {
            self.kill(shared).await;
        }
        futures::future::join_all(idle).await;
    }

    /// Ends a browser at once; whoever used it last waits for that.
    async fn kill(&self, shared: Arc<Running>) {
        shared.kill();
        self.retire_when_last(shared).await;
    }

    /// The browser of a slot. One that takes no page any more is replaced.
    async fn running(&self, slot: usize, wanted_for: Use) -> Result<Arc<Running>, CaptureError> {
        // The pages of one that is too large have no more time than this.
        let patience = Instant::now() + self.page_budget;
        loop {
            let mut place = self.slots[slot].lock().await;
            if let Some(running) = &place.running
                && self.takes(running, wanted_for)
            {
                return Ok(running.clone());
            }
            let former = place.running.take();
            if let Some(large) = former.as_ref().filter(|former| former.is_too_large()) {
                place.leaving = Some(large.ended());
            }
            let leaving = place.leaving.clone().filter(|ended| !ended.is_cancelled());
            if let Some(ended) = leaving
                && Instant::now() < patience
            {
                drop(place);
                self.retire(former).await;
                // Another page may have run out of patience and started one.
                let look = patience.min(Instant::now() + LOOK_AGAIN);
                tokio::select! {
                    _ = tokio::time::timeout_at(look, ended.cancelled()) => {}
                    () = self.closing.cancelled() => return Err(stopping()),
                }
                continue;
            }
            place.leaving = None;
            let launched = tokio::select! {
                biased;
                () = self.closing.cancelled() => Err(stopping()),
                launched = self.launch() => launched,
            };
            if let Ok(running) = &launched {
                if matches!(wanted_for, Use::Capture) {
                    running.count_capture();
                }
                place.running = Some(running.clone());
            }
            drop(place);
            self.retire(former).await;
            return launched;
        }
    }

    /// Whether a browser may be used for this; a capture is counted with it.
    fn takes(&self, running: &Running, wanted_for: Use) -> bool {
        if !running.is_alive() || running.is_spent() {
            return false;
        }
        match wanted_for {
            // Whoever only looks replaces none that works: the next page does.
            Use::Probe => true,
            Use::Capture => {
                !running.is_too_large() && running.count_capture() < self.captures_per_browser
            }
        }
    }

    async fn launch(&self) -> Result<Arc<Running>, CaptureError> {
        let program = find_program(self.program.as_ref())?;
        let running = Arc::new(self.launcher.launch(&program).await?);
        self.launched
            .lock()
            .expect("no code panics while it holds this lock")
            .push(Arc::downgrade(&running));
        Ok(running)
    }

    async fn retire(&self, former: Option<Arc<Running>>) {
        if let Some(former) = former {
            self.retire_when_last(former).await;
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_pool_that_was_closed_starts_no_browser() {
        let settings = CaptureSettings {
            browser: None,
            browsers: 1,
            tabs_per_browser: 1,
            captures_per_browser: 500,
            page_memory_mib: 2_048,
            browser_memory_mib: 4_096,
            page_budget_seconds: 60,
        };
        let pool = BrowserPool::new(&settings, PathBuf::from("browsers"));
        pool.close().await;
        let refused = pool.probe().await.unwrap_err().to_string();
        assert!(refused.contains("is stopping"), "{refused}");
    }
}
