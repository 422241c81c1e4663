//! A pool of browser processes: started when needed, shared by several pages at once, replaced when they die or age.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::{Mutex, Semaphore};

use super::launch::{Running, end_left_behind, find_program, runs_as_root};
use super::{Capture, CaptureError, CaptureRequest, page};
use crate::config::CaptureSettings;
use crate::proxy::Proxy;

/// The browsers of this process.
pub struct BrowserPool {
    program: Option<PathBuf>,
    profiles: PathBuf,
    slots: Vec<Mutex<Option<Arc<Running>>>>,
    next_slot: AtomicUsize,
    tabs: Semaphore,
    captures_per_browser: u32,
}

impl BrowserPool {
    /// A pool as the settings say, with its profiles in `profiles`; no browser is started yet.
    pub fn new(settings: &CaptureSettings, profiles: PathBuf) -> Self {
        Self {
            program: settings.browser.clone(),
            profiles,
            slots: (0..settings.browsers).map(|_| Mutex::new(None)).collect(),
            next_slot: AtomicUsize::new(0),
            tabs: Semaphore::new(settings.tabs()),
            captures_per_browser: settings.captures_per_browser,
        }
    }

    /// Ends what a killed service left behind in the profiles' folder. The caller must hold the data folder's lock.
    pub fn end_left_behind(&self) {
        end_left_behind(&self.profiles);
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
        let _tab = self
            .tabs
            .acquire()
            .await
            .map_err(|_| CaptureError::BrowserGone("the service is stopping".to_owned()))?;
        let slot = self.next_slot.fetch_add(1, Ordering::Relaxed) % self.slots.len();
        let running = self.running(slot).await?;
        let result = page::capture(&running, request, proxy).await;
        let result = match result {
            Err(error) if !running.is_alive() && !matches!(error, CaptureError::BrowserGone(_)) => {
                Err(CaptureError::BrowserGone("its process is gone".to_owned()))
            }
            result => result,
        };
        if matches!(result, Err(CaptureError::BrowserGone(_))) {
            running.mark_dead();
        }
        self.retire_when_last(running).await;
        result
    }

    /// The version of the browser, or why there is none.
    ///
    /// # Errors
    /// No browser could be started.
    pub async fn probe(&self) -> Result<String, CaptureError> {
        Ok(self.running(0).await?.version.clone())
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

    /// Ends every browser.
    pub async fn close(&self) {
        self.tabs.close();
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

    async fn running(&self, slot: usize) -> Result<Arc<Running>, CaptureError> {
        let mut place = self.slots[slot].lock().await;
        if let Some(running) = place.as_ref() {
            if running.is_alive() && running.count_capture() < self.captures_per_browser {
                return Ok(running.clone());
            }
            // The last page that still uses it ends it; see `retire_when_last`.
            let former = place.take();
            if let Some(former) = former.and_then(Arc::into_inner) {
                former.close().await;
            }
        }
        let program = find_program(self.program.as_ref())?;
        let running = Arc::new(Running::launch(&program, &self.profiles).await?);
        running.count_capture();
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
