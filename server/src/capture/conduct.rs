//! What a page may not do to its capture: stop it with dialogs, leave windows and files behind, go on after its renderer
//! died or it closed itself.

use chromiumoxide::Page;
use chromiumoxide::browser::Browser;
use chromiumoxide::cdp::browser_protocol::browser::{
    BrowserContextId, SetDownloadBehaviorBehavior, SetDownloadBehaviorParams,
};
use chromiumoxide::cdp::browser_protocol::page::{
    DialogType, EventJavascriptDialogOpening, HandleJavaScriptDialogParams,
};
use chromiumoxide::cdp::browser_protocol::target::{
    CloseTargetParams, CreateTargetParams, EventTargetCrashed, EventTargetCreated,
    EventTargetDestroyed, TargetId, TargetInfo,
};
use chromiumoxide::listeners::EventStream;
use futures::StreamExt;
use futures::stream::FuturesUnordered;

use super::CaptureError;
use super::failure::{explain, explain_browser};
use super::running::Running;

/// Everything that belongs to the context of one page: its frames of other sites, its workers, the windows that it opens.
pub(super) struct Conduct {
    context: BrowserContextId,
    created: EventStream<EventTargetCreated>,
    crashed: EventStream<EventTargetCrashed>,
    destroyed: EventStream<EventTargetDestroyed>,
    targets: Vec<TargetId>,
}

impl Conduct {
    /// Watches the context from now on, before anything is opened in it, and keeps downloads off the disk.
    pub(super) async fn watch(
        browser: &Browser,
        context: &BrowserContextId,
    ) -> Result<Self, CaptureError> {
        let no_downloads = SetDownloadBehaviorParams::builder()
            .behavior(SetDownloadBehaviorBehavior::Deny)
            .browser_context_id(context.clone())
            .build()
            .map_err(CaptureError::Page)?;
        browser
            .execute(no_downloads)
            .await
            .map_err(|error| explain_browser(&error))?;
        Ok(Self {
            context: context.clone(),
            created: listen(browser).await?,
            crashed: listen(browser).await?,
            destroyed: listen(browser).await?,
            targets: Vec::new(),
        })
    }

    /// Opens an empty page in the context; its renderer may die while it is made.
    pub(super) async fn open_page(&mut self, running: &Running) -> Result<Page, CaptureError> {
        let target = CreateTargetParams::builder()
            .url("about:blank")
            .browser_context_id(self.context.clone())
            .build()
            .map_err(CaptureError::Page)?;
        tokio::select! {
            page = running.browser.new_page(target) => page.map_err(|error| explain_browser(&error)),
            ended = self.until_a_renderer_ends(running) => Err(ended),
        }
    }

    async fn until_a_renderer_ends(&mut self, running: &Running) -> CaptureError {
        loop {
            tokio::select! {
                Some(event) = self.created.next() => self.note(&event.target_info),
                Some(event) = self.crashed.next() => {
                    if let Some(error) = self.crash(&event, running) {
                        return error;
                    }
                }
                else => return stopped(),
            }
        }
    }

    /// Answers dialogs and closes windows until the page has come to an end by itself, and says how.
    pub(super) async fn until_it_ends(&mut self, running: &Running, page: &Page) -> CaptureError {
        let mut dialogs = match page.event_listener::<EventJavascriptDialogOpening>().await {
            Ok(dialogs) => dialogs,
            Err(error) => return explain(&error),
        };
        let browser = &running.browser;
        // What comes of an answer does not matter: a window that cannot be closed ends with its context.
        let mut answers = FuturesUnordered::new();
        let mut closings = FuturesUnordered::new();
        loop {
            tokio::select! {
                Some(event) = self.created.next() => {
                    let target = &event.target_info;
                    self.note(target);
                    if self.is_ours(target) && target.r#type == "page" && target.target_id != *page.target_id() {
                        closings.push(browser.execute(CloseTargetParams::new(target.target_id.clone())));
                    }
                }
                Some(event) = self.crashed.next() => {
                    if let Some(error) = self.crash(&event, running) {
                        return error;
                    }
                }
                Some(event) = self.destroyed.next() => {
                    if event.target_id == *page.target_id() {
                        return CaptureError::Closed;
                    }
                    self.targets.retain(|target| *target != event.target_id);
                }
                Some(event) = dialogs.next() => {
                    // Whether it may be left is asked of a page that goes elsewhere; all other questions are answered with no.
                    let accept = event.r#type == DialogType::Beforeunload;
                    answers.push(page.execute(HandleJavaScriptDialogParams::new(accept)));
                }
                Some(_) = closings.next() => {}
                Some(_) = answers.next() => {}
                else => return stopped(),
            }
        }
    }

    fn is_ours(&self, target: &TargetInfo) -> bool {
        target.browser_context_id.as_ref() == Some(&self.context)
    }

    fn note(&mut self, target: &TargetInfo) {
        if self.is_ours(target) {
            self.targets.push(target.target_id.clone());
        }
    }

    fn crash(&self, event: &EventTargetCrashed, running: &Running) -> Option<CaptureError> {
        if !self.targets.contains(&event.target_id) {
            return None;
        }
        tracing::info!(
            status = event.status,
            code = event.error_code,
            "a page's renderer ended"
        );
        Some(running.why_a_renderer_ended())
    }
}

fn stopped() -> CaptureError {
    CaptureError::BrowserGone("it stopped sending events".to_owned())
}

async fn listen<T: chromiumoxide::cdp::IntoEventKind + Unpin>(
    browser: &Browser,
) -> Result<EventStream<T>, CaptureError> {
    browser
        .event_listener()
        .await
        .map_err(|error| explain_browser(&error))
}
