//! Captures: a page opened in a real browser, made quiet, and taken as screenshot, DOM tree and saved page.

mod budget;
mod conduct;
mod determined;
pub mod devices;
mod emulate;
mod environment;
mod failure;
mod fits;
mod gate;
mod launch;
pub mod leash;
mod left_behind;
mod memory;
mod open;
mod page;
mod photograph;
pub mod pool;
mod program;
mod quiet;
mod running;
mod sandbox;
mod save;
mod seats;
mod traffic;
mod tree;
mod user_agent;
mod world;

use std::sync::Arc;
use std::time::Duration;

use pentimento_api::capture::{CaptureProfile, CaptureReport};
use url::Url;

use crate::dial::ConnectError;
use crate::gate::{Gate, GateError};
use crate::target::TargetError;
use devices::Device;
pub use program::find_program;
pub(crate) use tree::{is_stand_in, stand_in};

/// What a page is doing that nobody has asked for yet.
const WAITING: &str = "waiting for the browser";

/// What to capture, and how.
#[derive(Debug, Clone)]
pub struct CaptureRequest {
    /// The page.
    pub url: Url,
    /// The device to be.
    pub device: Device,
    /// Selectors of what is hidden.
    pub masks: Vec<String>,
    /// CSS to apply.
    pub custom_css: Option<String>,
    /// The steps before the picture is taken.
    pub profile: CaptureProfile,
    /// What lets it past the gate of its origin.
    pub gate: Option<Arc<Gate>>,
    /// Time for the whole attempt.
    pub budget: Duration,
}

impl CaptureRequest {
    /// A page as it comes: nothing hidden or added, every step of the profile, no gate.
    #[must_use]
    pub fn plain(url: Url, device: Device, budget: Duration) -> Self {
        Self {
            url,
            device,
            masks: Vec::new(),
            custom_css: None,
            profile: CaptureProfile::default(),
            gate: None,
            budget,
        }
    }
}

/// What was captured.
#[derive(Debug)]
pub struct Capture {
    /// The full page as PNG, one image pixel for each CSS pixel.
    pub screenshot: Vec<u8>,
    /// The DOM tree as JSON, or what stands in for one that is too large.
    pub dom: Vec<u8>,
    /// The saved page as MHTML; none when the browser could not save it, and when it would be too large.
    pub saved_page: Option<Vec<u8>>,
    /// What was waited for, and with which browser.
    pub report: CaptureReport,
}

/// Why a page was not captured. The message is for people: it is the result's `errorMessage`.
#[derive(Debug, thiserror::Error)]
pub enum CaptureError {
    /// The page answered with an error status.
    #[error("The page answered {0}; a baseline or comparison needs a page that answers 2xx.")]
    Status(i64),
    /// The page's address cannot be opened.
    #[error("The page cannot be opened: {0}.")]
    Unreachable(String),
    /// The page's address is refused.
    #[error("The page may not be opened: {0}.")]
    Refused(#[from] TargetError),
    /// Nothing came from the page's address.
    #[error("The page cannot be opened: {0}.")]
    Unconnected(ConnectError),
    /// The credential for the page's gate cannot be used.
    #[error(transparent)]
    Gate(#[from] GateError),
    /// The budget ran out.
    #[error("The page was not ready within its budget of {} s; it was {stage}. The operator can raise --page-budget-seconds.", budget.as_secs())]
    OutOfTime {
        /// The budget.
        budget: Duration,
        /// What the page was doing.
        stage: &'static str,
    },
    /// The page does not answer. It may do so as long as its budget lasts, so this is no page's end.
    #[error("The page does not answer.")]
    Silent,
    /// The page did something that capturing does not survive.
    #[error("The page could not be captured: {0}.")]
    Page(String),
    /// The page's renderer crashed.
    #[error("The page crashed the browser's renderer.")]
    Crashed,
    /// The page took more memory than it may, and its renderer was ended.
    #[error(
        "The page took more than {limit_mib} MiB of memory and was ended. The operator can raise --page-memory-mib."
    )]
    Memory {
        /// Most that one page may take, in MiB.
        limit_mib: u32,
    },
    /// The page's browser took too much memory, and the page held the most of it.
    #[error(
        "The browser took more than {limit_mib} MiB of memory, and this page the most of it, so the page was ended. The operator can raise --browser-memory-mib."
    )]
    BrowserMemory {
        /// Most that one browser may take, in MiB.
        limit_mib: u32,
    },
    /// The document was gone before it was taken: the page went to another address, or loaded itself anew.
    #[error(
        "The page went to another address, or reloaded itself, again and again while it was captured."
    )]
    Departed,
    /// The page closed itself.
    #[error("The page closed itself before it was captured.")]
    Closed,
    /// The browser ended or did not start.
    #[error("The browser ended while the page was captured: {0}.")]
    BrowserGone(String),
    /// In a live job: the page's counterpart failed.
    #[error("On the base origin: {0}")]
    Base(Box<CaptureError>),
    /// No browser is to be had.
    #[error("No browser could be started: {0}. The operator finds the settings under --browser.")]
    NoBrowser(String),
}

impl From<ConnectError> for CaptureError {
    fn from(error: ConnectError) -> Self {
        match error {
            ConnectError::Target(error) => Self::Refused(error),
            error => Self::Unconnected(error),
        }
    }
}

impl CaptureError {
    /// Whether another attempt may go better: the browser failed, or the name servers, or the pages beside it, and not the page.
    pub fn is_worth_retrying(&self) -> bool {
        match self {
            Self::Crashed
            | Self::BrowserMemory { .. }
            | Self::BrowserGone(_)
            | Self::NoBrowser(_)
            | Self::Refused(TargetError::Unanswered(_)) => true,
            Self::OutOfTime { stage, .. } => *stage == WAITING,
            Self::Base(error) => error.is_worth_retrying(),
            _ => false,
        }
    }

    /// Whether it is likely to go for the next page as it did for this one, for a while.
    pub fn is_of_surroundings(&self) -> bool {
        match self {
            Self::NoBrowser(_) | Self::Refused(TargetError::Unanswered(_)) => true,
            Self::Base(error) => error.is_of_surroundings(),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_attempt_is_for_what_was_not_the_pages_own_doing() {
        let late = |stage| CaptureError::OutOfTime {
            budget: Duration::from_mins(1),
            stage,
        };
        let others = CaptureError::BrowserMemory { limit_mib: 4_096 };
        for error in [
            CaptureError::Base(Box::new(others)),
            CaptureError::BrowserMemory { limit_mib: 4_096 },
            CaptureError::BrowserGone("it does not answer".to_owned()),
            CaptureError::Crashed,
            late(WAITING),
        ] {
            assert!(error.is_worth_retrying(), "{error}");
        }
        for error in [
            CaptureError::Memory { limit_mib: 2_048 },
            CaptureError::Status(404),
            CaptureError::Departed,
            CaptureError::Closed,
            late("still becoming quiet"),
        ] {
            assert!(!error.is_worth_retrying(), "{error}");
        }
    }
}
