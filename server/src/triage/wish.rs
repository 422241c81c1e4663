//! What a call of `POST /approve` wants, checked.

use pentimento_api::approve::{ApproveRequest, SeenTriage, TriageAction};
use pentimento_api::error::ErrorCode;
use pentimento_api::result::Decision;

use crate::error::{Error, Result};
use crate::jobs::checks::{MAX_URL_CHARACTERS, MAX_VARIANT_CHARACTERS, check_length};

/// Longest note, in characters.
const MAX_NOTE_CHARACTERS: usize = 2_000;

/// Longest name of somebody who decides, in characters.
const MAX_NAME_CHARACTERS: usize = 200;

/// Which results a call decides on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Selection {
    All,
    ByDecision(Vec<Decision>),
    Page { url: String, variant_name: String },
}

/// What a call wants, checked.
#[derive(Debug, Clone)]
pub(super) struct Wish {
    pub(super) selection: Selection,
    pub(super) action: TriageAction,
    pub(super) note: Option<String>,
    /// Of one page, the decision that the caller has seen.
    pub(super) seen: Option<SeenTriage>,
}

/// Checks a request's fields.
///
/// # Errors
/// 400 that names the field.
pub(super) fn check_wish(request: ApproveRequest) -> Result<Wish> {
    for (field, text, limit) in [
        ("url", &request.url, MAX_URL_CHARACTERS),
        ("variantName", &request.variant_name, MAX_VARIANT_CHARACTERS),
        ("note", &request.note, MAX_NOTE_CHARACTERS),
    ] {
        if let Some(text) = text {
            check_length(field, text, limit)?;
        }
    }
    if let Some(by) = request
        .seen
        .as_ref()
        .and_then(|seen| seen.triaged_by.as_ref())
    {
        check_length("seen.triagedBy", by, MAX_NAME_CHARACTERS)?;
    }
    let selection = match (request.filter, request.url, request.variant_name) {
        (Some(_), Some(_), _) => {
            return Err(Error::refused(
                ErrorCode::WhereWithUrl,
                "`where` and `url` exclude each other; send one of them.",
            ));
        }
        (Some(filter), None, _) => Selection::ByDecision(parse_decisions(&filter.decision)?),
        (None, Some(url), Some(variant_name)) => Selection::Page { url, variant_name },
        (None, Some(_), None) => {
            return Err(Error::invalid(
                "`variantName` is missing; a page is named by `url` and `variantName`.",
            ));
        }
        (None, None, Some(_)) => {
            return Err(Error::invalid(
                "`url` is missing; a page is named by `url` and `variantName`.",
            ));
        }
        (None, None, None) => Selection::All,
    };
    let action = request.action.unwrap_or(TriageAction::Approve);
    if !matches!(selection, Selection::Page { .. }) {
        let word = match action {
            TriageAction::Approve => None,
            TriageAction::Reject => Some("`action`: `reject`"),
            TriageAction::Withdraw => Some("`action`: `withdraw`"),
        };
        if let Some(what) = word.or_else(|| request.seen.is_some().then_some("`seen`")) {
            return Err(Error::invalid(format!(
                "{what} is about one page; send its `url` and `variantName`."
            )));
        }
    }
    Ok(Wish {
        selection,
        action,
        note: request.note,
        seen: request.seen,
    })
}

fn parse_decisions(words: &[String]) -> Result<Vec<Decision>> {
    if words.is_empty() {
        return Err(Error::invalid(
            "`where.decision` is empty; name at least one decision.",
        ));
    }
    words
        .iter()
        .map(|word| {
            Decision::ALL
                .into_iter()
                .find(|decision| decision.as_str() == word)
                .ok_or_else(|| {
                    let known = Decision::ALL.map(Decision::as_str).join(", ");
                    Error::refused(
                        ErrorCode::UnknownDecision,
                        format!(
                            "`where.decision` holds `{word}`, which is no decision; use {known}."
                        ),
                    )
                })
        })
        .collect()
}
