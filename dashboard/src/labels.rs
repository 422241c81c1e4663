//! The one place where an enum of the interface becomes a word, a colour class and an icon.

use pentimento_api::comparison::{Region, RegionKind};
use pentimento_api::job::{JobOverview, JobStatus};
use pentimento_api::keys::KeyState;
use pentimento_api::result::{Decision, TriageStatus};
use pentimento_api::review::Outcome;
use pentimento_api::summary::RunDecision;
use pentimento_api::webhook::{DeliveryStatus, Webhook};

use crate::components::icon::Glyph;

/// How a value is shown. The class only names a meaning; its colour is in `tokens.css`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Label {
    pub(crate) word: &'static str,
    pub(crate) class: &'static str,
    pub(crate) glyph: Glyph,
}

const fn label(word: &'static str, class: &'static str, glyph: Glyph) -> Label {
    Label { word, class, glyph }
}

pub(crate) fn outcome(outcome: Outcome) -> Label {
    match outcome {
        Outcome::Regression => label("Changed", "tone-changed", Glyph::Delta),
        Outcome::Error => label("Error", "tone-error", Glyph::Alert),
        Outcome::NewBaseline => label("New", "tone-new", Glyph::Plus),
        Outcome::Match => label("Unchanged", "tone-match", Glyph::Equal),
        Outcome::Pending => label("Pending", "tone-quiet", Glyph::Clock),
    }
}

/// A page whose captures in one run do not agree with each other.
pub(crate) fn unstable() -> Label {
    label("Unstable", "tone-unstable", Glyph::Wave)
}

/// A capture that is its page's baseline.
pub(crate) fn baseline() -> Label {
    label("Baseline", "tone-live", Glyph::Flag)
}

/// How a job stands: its status, and what a job that has begun waits for.
pub(crate) fn job(job: &JobOverview) -> Label {
    if job.takes_uploads {
        label("Taking uploads", "tone-live", Glyph::Clock)
    } else {
        job_status(job.status)
    }
}

pub(crate) fn job_status(status: JobStatus) -> Label {
    match status {
        JobStatus::Initializing => label("Finding pages", "tone-live", Glyph::Clock),
        JobStatus::Processing => label("Comparing", "tone-live", Glyph::Clock),
        JobStatus::Finishing => label("Finishing", "tone-live", Glyph::Clock),
        JobStatus::Summarizing => label("Summarizing", "tone-live", Glyph::Clock),
        JobStatus::Completed => label("Completed", "tone-quiet", Glyph::Flag),
        JobStatus::Approved => label("Approved", "tone-approved", Glyph::Check),
        JobStatus::Failed => label("Failed", "tone-error", Glyph::Alert),
    }
}

pub(crate) fn triage(status: TriageStatus) -> Label {
    match status {
        TriageStatus::Pending => label("Undecided", "tone-quiet", Glyph::Circle),
        TriageStatus::Approved => label("Approved", "tone-approved", Glyph::Check),
        TriageStatus::Rejected => label("Rejected", "tone-rejected", Glyph::Cross),
    }
}

pub(crate) fn decision(decision: Decision) -> Label {
    match decision {
        Decision::Intentional => label("Intentional", "tone-approved", Glyph::Check),
        Decision::Bug => label("Bug", "tone-rejected", Glyph::Alert),
        Decision::Noise => label("Noise", "tone-quiet", Glyph::Equal),
        Decision::NeedsReview => label("Needs review", "tone-changed", Glyph::Eye),
    }
}

pub(crate) fn key_state(state: KeyState) -> Label {
    match state {
        KeyState::Active => label("Active", "tone-approved", Glyph::Check),
        KeyState::Rotated => label("Rotated", "tone-changed", Glyph::Clock),
        KeyState::Expired => label("Expired", "tone-quiet", Glyph::Clock),
        KeyState::Revoked => label("Revoked", "tone-rejected", Glyph::Cross),
    }
}

/// How a webhook stands.
pub(crate) fn webhook(webhook: &Webhook) -> Label {
    match (webhook.enabled, &webhook.failing_since) {
        (true, None) => label("On", "tone-approved", Glyph::Check),
        (true, Some(_)) => label("Failing", "tone-error", Glyph::Alert),
        (false, _) if webhook.disabled_reason.is_some() => {
            label("Given up", "tone-error", Glyph::Alert)
        }
        (false, _) => label("Stopped", "tone-quiet", Glyph::Circle),
    }
}

pub(crate) fn delivery(status: DeliveryStatus) -> Label {
    match status {
        DeliveryStatus::Pending => label("Waiting", "tone-live", Glyph::Clock),
        DeliveryStatus::Delivered => label("Delivered", "tone-approved", Glyph::Check),
        DeliveryStatus::Failed => label("Failed", "tone-error", Glyph::Alert),
    }
}

pub(crate) fn region_kind(region: &Region) -> Label {
    if region.loose_rows.is_some() {
        return label("Rows", "tone-quiet", Glyph::Align);
    }
    match region.kind {
        RegionKind::Added => label("Added", "tone-quiet", Glyph::Plus),
        RegionKind::Removed => label("Removed", "tone-quiet", Glyph::Minus),
        RegionKind::Recoloured => label("Recoloured", "tone-quiet", Glyph::Drop),
        RegionKind::Shifted => label("Moved", "tone-quiet", Glyph::Move),
        RegionKind::Edited => label("Edited", "tone-quiet", Glyph::Pencil),
    }
}

pub(crate) fn run_decision(decision: RunDecision) -> Label {
    match decision {
        RunDecision::Pass => label("Pass", "tone-approved", Glyph::Check),
        RunDecision::Review => label("Needs review", "tone-changed", Glyph::Eye),
        RunDecision::Fail => label("Fail", "tone-rejected", Glyph::Cross),
    }
}
