//! What a call of `POST /approve` wants, checked.

use std::collections::HashSet;

use pentimento_api::approve::{ApproveFilter, ApproveRequest, SeenTriage, TriageAction};
use pentimento_api::error::ErrorCode;
use pentimento_api::result::Decision;

use crate::error::{Error, Result};
use crate::jobs::checks::{
    MAX_GROUP_CHARACTERS, MAX_KEPT_URL_CHARACTERS, MAX_VARIANT_CHARACTERS, check_length,
};

/// Longest note, in characters.
const MAX_NOTE_CHARACTERS: usize = 2_000;

/// Longest name of somebody who decides, in characters.
const MAX_NAME_CHARACTERS: usize = 200;

/// Which results a call decides on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Selection {
    All,
    Where(Filter),
    Page { url: String, variant_name: String },
}

/// Which changed pages a call decides on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Filter {
    /// Those of these verdicts; of any when absent.
    pub(super) decisions: Option<Vec<Decision>>,
    /// Those that show this change; any when absent.
    pub(super) change_group: Option<String>,
    /// Ids of results that are left as they are.
    pub(super) except: HashSet<String>,
}

/// What a call wants, checked.
#[derive(Debug, Clone)]
pub(super) struct Wish {
    pub(super) selection: Selection,
    pub(super) action: TriageAction,
    /// Without one, a decision that stands already keeps its note; an empty one takes it away.
    pub(super) note: Option<String>,
    /// The decision that the caller has seen.
    pub(super) seen: Option<SeenTriage>,
}

/// Checks a request's fields.
///
/// # Errors
/// 400 that names the field.
pub(super) fn check_wish(request: ApproveRequest) -> Result<Wish> {
    for (field, text, limit) in [
        ("url", &request.url, MAX_KEPT_URL_CHARACTERS),
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
        (Some(_), None, Some(_)) => {
            return Err(Error::invalid(
                "`variantName` goes with `url`, and `where` with neither; leave it out, or send `url` in place of `where`.",
            ));
        }
        (Some(filter), None, None) => Selection::Where(check_filter(filter)?),
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
    check_scope(action, request.seen.is_some(), &selection)?;
    Ok(Wish {
        selection,
        action,
        note: request.note,
        seen: request.seen,
    })
}

/// Refuses what is about certain pages alone, and asked of others.
fn check_scope(action: TriageAction, has_seen: bool, selection: &Selection) -> Result<()> {
    let word = match action {
        TriageAction::Approve => None,
        TriageAction::Reject => Some("`action`: `reject`"),
        TriageAction::Withdraw => Some("`action`: `withdraw`"),
    };
    match selection {
        Selection::Page { .. } => Ok(()),
        // Whoever takes back a whole group's decisions says which ones: others' are none of theirs.
        Selection::Where(filter) if filter.change_group.is_some() => {
            if action == TriageAction::Withdraw && !has_seen {
                return Err(Error::invalid(
                    "`seen` is missing; it says which decisions of the group are withdrawn.",
                ));
            }
            Ok(())
        }
        Selection::All | Selection::Where(_) => match word.or(has_seen.then_some("`seen`")) {
            None => Ok(()),
            Some(what) => Err(Error::invalid(format!(
                "{what} is about one page, or about one change; send the page's `url` and `variantName`, or `where.changeGroup`."
            ))),
        },
    }
}

fn check_filter(filter: ApproveFilter) -> Result<Filter> {
    match &filter.change_group {
        Some(group) => check_length("where.changeGroup", group, MAX_GROUP_CHARACTERS)?,
        None if filter.decision.is_none() => {
            return Err(Error::invalid(
                "`where.decision` is missing; name the decisions, or a `where.changeGroup`.",
            ));
        }
        None if !filter.except.is_empty() => {
            return Err(Error::invalid(
                "`where.except` leaves results of a `where.changeGroup` out; name the group.",
            ));
        }
        None => {}
    }
    let except = filter.except.iter().map(ToString::to_string);
    Ok(Filter {
        decisions: filter
            .decision
            .as_deref()
            .map(parse_decisions)
            .transpose()?,
        except: except.collect(),
        change_group: filter.change_group,
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
