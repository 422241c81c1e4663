//! The bounds of what a request may hold, each refused with the field's name.

mod selector;

use std::collections::HashSet;

use pentimento_api::crawl::{PagePath, RunContext, Scan};
use pentimento_api::error::ErrorCode;
use url::Url;

use crate::capture::devices;
use crate::error::{Error, Result};
use crate::page_path::{path_and_query, path_glob};
use crate::target::TargetPolicy;
use selector::{broken_selector, pseudo_element};

/// Pages × devices of one job at most.
pub const MAX_RESULTS: usize = 10_000;

const MAX_DEVICES: usize = 50;
const MAX_MASKS: usize = 200;
const MAX_SCANS: usize = 200;
const MAX_EXCLUDED: usize = 1_000;
/// Patterns that the scans of one request leave out in all: each is compiled and matched with every path of a sitemap.
const MAX_EXCLUDED_IN_ALL: usize = 2_000;
const MAX_SELECTOR_CHARACTERS: usize = 1_000;
const MAX_CUSTOM_CSS_CHARACTERS: usize = 4_096;
const MAX_PATH_CHARACTERS: usize = 2_048;
const MAX_LABEL_CHARACTERS: usize = 200;
const MAX_TEXT_CHARACTERS: usize = 10_000;
const MAX_PR_DESCRIPTION_CHARACTERS: usize = 2_000;
const MAX_LIST_ENTRIES: usize = 100;
const MAX_REF_CHARACTERS: usize = 1_000;
const MAX_COMMIT_CHARACTERS: usize = 64;
/// Longest name of a variant, in characters.
pub(crate) const MAX_VARIANT_CHARACTERS: usize = 200;
/// Most bytes of it: with the longest address it fits an entry of PostgreSQL's indexes, 2,704 bytes.
const MAX_VARIANT_BYTES: usize = 400;
/// Longest label of a change, in characters.
pub(crate) const MAX_GROUP_CHARACTERS: usize = 200;
const CONCURRENCY: std::ops::RangeInclusive<u32> = 1..=20;

/// Checks a project's name.
///
/// # Errors
/// 400 unless it has 1–100 letters, digits, `.`, `_` or `-`.
pub fn check_project_name(name: &str) -> Result<()> {
    check_name("project", name)
}

/// Checks a name that `field` gives a project.
///
/// # Errors
/// 400 unless it has 1–100 letters, digits, `.`, `_` or `-`.
pub fn check_name(field: &str, name: &str) -> Result<()> {
    let allowed =
        |character: char| character.is_ascii_alphanumeric() || matches!(character, '.' | '_' | '-');
    if (1..=100).contains(&name.len()) && name.chars().all(allowed) {
        return Ok(());
    }
    Err(Error::invalid(format!(
        "`{field}` must have 1–100 letters, digits, `.`, `_` or `-`."
    )))
}

/// Checks and trims a run context: the description is cut, other texts and lists are bounded.
///
/// # Errors
/// 400 that names the field.
pub fn check_run_context(mut context: RunContext) -> Result<RunContext> {
    if let Some(description) = &mut context.pr_description {
        check_no_nul("runContext.prDescription", description)?;
        *description = description
            .chars()
            .take(MAX_PR_DESCRIPTION_CHARACTERS)
            .collect();
    }
    for (field, text) in [
        ("changeDescription", &context.change_description),
        ("gitCommitSha", &context.git_commit_sha),
        ("gitCommitMessage", &context.git_commit_message),
        ("prTitle", &context.pr_title),
    ] {
        if let Some(text) = text {
            check_length(&format!("runContext.{field}"), text, MAX_TEXT_CHARACTERS)?;
        }
    }
    for (field, list) in [
        ("expectedChanges", &context.expected_changes),
        ("scope", &context.scope),
    ] {
        let Some(list) = list else { continue };
        check_count(&format!("runContext.{field}"), list.len(), MAX_LIST_ENTRIES)?;
        for (index, text) in list.iter().enumerate() {
            check_length(
                &format!("runContext.{field}[{index}]"),
                text,
                MAX_TEXT_CHARACTERS,
            )?;
        }
    }
    Ok(context)
}

/// Longest address, in characters: as it is sent, and with everything escaped, as it is kept.
pub(crate) const MAX_URL_CHARACTERS: usize = 2_048;

/// Longest text that may name a page that is kept already; a character takes up to twelve when it is escaped.
pub(crate) const MAX_KEPT_URL_CHARACTERS: usize = 12 * MAX_URL_CHARACTERS;

pub(super) fn parse_url(field: &str, text: &str) -> Result<Url> {
    check_length(field, text, MAX_URL_CHARACTERS)?;
    let url = TargetPolicy::parse(text).map_err(|error| Error::target(field, &error))?;
    check_escaped(field, url.as_str(), MAX_URL_CHARACTERS)?;
    Ok(url)
}

/// Refuses what is too long as it is kept.
fn check_escaped(field: &str, escaped: &str, limit: usize) -> Result<()> {
    if escaped.len() <= limit {
        return Ok(());
    }
    Err(Error::invalid(format!(
        "`{field}` has {} characters with everything escaped that an address does not hold as it is; {limit} are the most.",
        escaped.len()
    )))
}

pub(super) fn parse_origin(field: &str, text: &str) -> Result<String> {
    let url = parse_url(field, text)?;
    if url.path() != "/" || url.query().is_some() {
        return Err(Error::refused(
            ErrorCode::InvalidUrl,
            format!(
                "`{field}` is an origin without a path, such as `{}`; name pages in `paths`.",
                url.origin().ascii_serialization()
            ),
        ));
    }
    Ok(url.origin().ascii_serialization())
}

pub(super) fn check_paths(paths: Vec<PagePath>) -> Result<Vec<PagePath>> {
    check_count("paths", paths.len(), MAX_RESULTS)?;
    for (index, page) in paths.iter().enumerate() {
        if !page.path.starts_with('/') || page.path.starts_with("//") {
            return Err(Error::invalid(format!(
                "`paths[{index}].path` must start with one `/`; got `{}`.",
                clip(&page.path)
            )));
        }
        check_line(
            &format!("paths[{index}].path"),
            &page.path,
            MAX_PATH_CHARACTERS,
        )?;
        if let Ok(address) = Url::parse(&format!("http://localhost{}", page.path)) {
            check_escaped(
                &format!("paths[{index}].path"),
                &path_and_query(&address),
                MAX_PATH_CHARACTERS,
            )?;
        }
        check_line(
            &format!("paths[{index}].label"),
            &page.label,
            MAX_LABEL_CHARACTERS,
        )?;
    }
    Ok(paths)
}

pub(super) fn check_scans(scans: Vec<Scan>) -> Result<Vec<Scan>> {
    check_count("scans", scans.len(), MAX_SCANS)?;
    let options = scans.iter().flat_map(|scan| &scan.options);
    let excluded = options.flat_map(|options| options.exclude.iter().flatten());
    check_count(
        "scans[].options.exclude",
        excluded.count(),
        MAX_EXCLUDED_IN_ALL,
    )?;
    for (index, scan) in scans.iter().enumerate() {
        let excluded = scan
            .options
            .iter()
            .flat_map(|options| options.exclude.iter().flatten());
        if scan
            .options
            .as_ref()
            .is_some_and(|options| options.limit == Some(0))
        {
            return Err(Error::invalid(format!(
                "`scans[{index}].options.limit` must be 1 or more; leave it out for all pages."
            )));
        }
        check_count(
            &format!("scans[{index}].options.exclude"),
            excluded.clone().count(),
            MAX_EXCLUDED,
        )?;
        for pattern in std::iter::once(&scan.pattern).chain(excluded) {
            check_line(&format!("scans[{index}]"), pattern, MAX_SELECTOR_CHARACTERS)?;
            path_glob(pattern).map_err(|error| {
                Error::invalid(format!(
                    "`scans[{index}]`: `{}` is no glob over paths: {error}.",
                    clip(pattern)
                ))
            })?;
        }
    }
    Ok(scans)
}

/// A device named twice, in whatever case, is one.
pub(super) fn check_devices(names: Vec<String>) -> Result<Vec<String>> {
    check_count("devices", names.len(), MAX_DEVICES)?;
    for (index, name) in names.iter().enumerate() {
        check_line(&format!("devices[{index}]"), name, MAX_VARIANT_CHARACTERS)?;
        if devices::find(name).is_none() {
            let near = devices::near_matches(name);
            let hint = match near.split_last() {
                None => String::new(),
                Some((only, [])) => format!(" did you mean {only}?"),
                Some((last, others)) => format!(" did you mean {} or {last}?", others.join(", ")),
            };
            return Err(Error::invalid(format!(
                "`devices[{index}]`: no device is named `{}`;{hint} GET /devices lists all of them.",
                clip(name)
            )));
        }
    }
    let mut seen = HashSet::new();
    Ok(names
        .into_iter()
        .filter(|name| seen.insert(name.trim().to_lowercase()))
        .collect())
}

/// Devices of a client-driven job are for information and may be any names.
pub(super) fn check_device_labels(names: Vec<String>) -> Result<Vec<String>> {
    check_count("devices", names.len(), MAX_DEVICES)?;
    for (index, name) in names.iter().enumerate() {
        check_line(&format!("devices[{index}]"), name, MAX_VARIANT_CHARACTERS)?;
    }
    Ok(names)
}

/// A git ref; which names git allows is git's affair.
pub(super) fn check_ref(branch: String) -> Result<String> {
    check_length("branch", &branch, MAX_REF_CHARACTERS)?;
    Ok(branch)
}

pub(super) fn check_commit(commit: String) -> Result<String> {
    check_length("commit", &commit, MAX_COMMIT_CHARACTERS)?;
    Ok(commit)
}

pub(crate) fn check_variant_name(name: &str) -> Result<()> {
    check_line("variantName", name, MAX_VARIANT_CHARACTERS)?;
    if name.len() > MAX_VARIANT_BYTES {
        return Err(Error::invalid(format!(
            "`variantName` has {} bytes; {MAX_VARIANT_BYTES} are the most.",
            name.len()
        )));
    }
    if name.trim().is_empty() {
        return Err(Error::invalid(
            "`variantName` is empty; name the variant, such as the device.",
        ));
    }
    Ok(())
}

pub(super) fn check_masks(masks: Vec<String>) -> Result<Vec<String>> {
    check_count("masks", masks.len(), MAX_MASKS)?;
    for (index, selector) in masks.iter().enumerate() {
        check_mask(&format!("masks[{index}]"), selector)?;
    }
    Ok(masks)
}

/// Checks a selector that `field` gives.
///
/// # Errors
/// 400 unless it is one that a capture can be masked by, as far as its text tells.
pub(crate) fn check_mask(field: &str, selector: &str) -> Result<()> {
    check_length(field, selector, MAX_SELECTOR_CHARACTERS)?;
    if selector.trim().is_empty() {
        return Err(Error::invalid(format!(
            "`{field}` is empty; give a CSS selector."
        )));
    }
    if let Some(why) = broken_selector(selector) {
        return Err(Error::invalid(format!(
            "`{field}` is no CSS selector: {why}."
        )));
    }
    if let Some(named) = pseudo_element(selector) {
        return Err(Error::invalid(format!(
            "`{field}` names the pseudo-element `{named}`, which cannot be masked by itself; name its element, with \
             which it is hidden."
        )));
    }
    Ok(())
}

pub(super) fn check_custom_css(css: String) -> Result<String> {
    check_length("customCss", &css, MAX_CUSTOM_CSS_CHARACTERS)?;
    Ok(css)
}

pub(super) fn check_concurrency(concurrency: u32) -> Result<u32> {
    if CONCURRENCY.contains(&concurrency) {
        return Ok(concurrency);
    }
    Err(Error::invalid(format!(
        "`concurrency` must be {}–{}; got {concurrency}.",
        CONCURRENCY.start(),
        CONCURRENCY.end()
    )))
}

/// Checks a text that is shown on one line: a name, a label, a path.
///
/// # Errors
/// 400 that names the field when it is too long or holds a control character.
pub(crate) fn check_line(field: &str, text: &str, limit: usize) -> Result<()> {
    check_length(field, text, limit)?;
    if text.chars().any(char::is_control) {
        return Err(Error::invalid(format!(
            "`{field}` holds a control character, such as a line break; leave it out."
        )));
    }
    Ok(())
}

/// PostgreSQL keeps no NUL in a text.
///
/// # Errors
/// 400 that names the field.
fn check_no_nul(field: &str, text: &str) -> Result<()> {
    if text.contains('\0') {
        return Err(Error::invalid(format!(
            "`{field}` holds a NUL character; leave it out."
        )));
    }
    Ok(())
}

pub(crate) fn check_length(field: &str, text: &str, limit: usize) -> Result<()> {
    check_no_nul(field, text)?;
    let length = text.chars().count();
    if length <= limit {
        return Ok(());
    }
    Err(Error::invalid(format!(
        "`{field}` has {length} characters; {limit} are the most."
    )))
}

fn check_count(field: &str, count: usize, limit: usize) -> Result<()> {
    if count <= limit {
        return Ok(());
    }
    Err(Error::invalid(format!(
        "`{field}` has {count} entries; {limit} are the most."
    )))
}

/// The beginning of what was sent, for an answer.
pub(crate) fn clip(text: &str) -> String {
    text.chars().take(100).collect()
}
