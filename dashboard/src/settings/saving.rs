//! Changing a project that others may change at the same time.

use pentimento_api::error::ErrorCode;
use pentimento_api::patch::Patch;
use pentimento_api::project::{Project, ProjectAnswer, ProjectUpdate};

use super::draft::Draft;
use super::update::Complaint;
use crate::client::{self, ClientError};

/// How often a project is read that somebody else changes each time before the change to it arrives.
const ATTEMPTS: usize = 4;

/// What came of saving a draft.
pub(crate) enum Saved {
    /// It was saved; what the service says.
    Done(String),
    /// Somebody else changed the same, and nothing was saved.
    Contested {
        /// What is stored by now.
        fresh: Box<Draft>,
        /// The draft on top of that.
        onto: Box<Draft>,
        complaint: Complaint,
    },
    /// The draft itself is in the way.
    Refused(Complaint),
}

/// Why it is not known to be saved.
pub(crate) struct Failed {
    pub(crate) error: ClientError,
    /// Whether it may be saved all the same: it was sent.
    pub(crate) was_sent: bool,
}

/// Saves what was changed in a draft since `stored` was read, on top of what is stored by now.
pub(crate) async fn save(draft: &Draft, stored: &Draft) -> Result<Saved, Failed> {
    let decide = |project: &Project| {
        let fresh = Draft::of(project);
        let onto = draft.onto(stored, &fresh);
        match draft.contested(stored, &fresh).as_slice() {
            [] => onto.update(&fresh).map_err(Saved::Refused),
            contested => Err(Saved::Contested {
                complaint: Complaint::contested(contested),
                fresh: Box::new(fresh),
                onto: Box::new(onto),
            }),
        }
    };
    let saved = change(draft.name.trim(), decide).await?;
    Ok(saved.map_or_else(|stopped| stopped, Saved::Done))
}

/// Adds a mask to those that a project has; says what came of it.
pub(crate) async fn add_mask(project: &str, selector: &str) -> Result<String, ClientError> {
    let decide = |stored: &Project| {
        let mut masks = stored.listed.masks.clone();
        if masks.iter().any(|mask| mask == selector) {
            return Err(format!(
                "{selector} is a mask of “{project}” already; its next run applies it."
            ));
        }
        masks.push(selector.to_owned());
        Ok(ProjectUpdate {
            masks: Patch::Set(masks),
            ..ProjectUpdate::default()
        })
    };
    let saved = change(project, decide).await;
    let saved = saved.map_err(|failed| failed.error)?;
    Ok(saved.unwrap_or_else(|stopped| stopped))
}

/// Sends the update that is decided on for a project as it stands, and decides anew when it has changed meanwhile. Says what
/// the service says, or what stands against an update.
async fn change<T>(
    project: &str,
    decide: impl Fn(&Project) -> Result<ProjectUpdate, T>,
) -> Result<Result<String, T>, Failed> {
    let unsent = |error| Failed {
        error,
        was_sent: false,
    };
    let sent = |error| Failed {
        error,
        was_sent: true,
    };
    let path = format!("/project/{}", client::encoded(project));
    let mut attempt = 1;
    loop {
        let seen = client::see::<Project>(&path).await.map_err(unsent)?;
        let update = match decide(&seen.thing) {
            Ok(update) => update,
            Err(stopped) => return Ok(Err(stopped)),
        };
        match client::put_onto::<ProjectAnswer, _>(&path, &seen, &update).await {
            Ok(answer) => return Ok(Ok(answer.message)),
            Err(error)
                if error.code() == Some(ErrorCode::PreconditionFailed) && attempt < ATTEMPTS =>
            {
                attempt += 1;
            }
            Err(error) => return Err(sent(error)),
        }
    }
}
