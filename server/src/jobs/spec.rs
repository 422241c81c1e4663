//! What a job or project captures: parsed and checked at the edge, stored as JSON.

use std::collections::BTreeSet;

use pentimento_api::crawl::{CrawlRequest, PagePath, RunContext, Scan};
use pentimento_api::error::ErrorCode;
use serde::{Deserialize, Serialize};
use url::Url;

use crate::capture::devices;
use crate::error::{Error, Result};
use crate::target::TargetPolicy;

/// Pages × devices of one job at most.
pub const MAX_RESULTS: usize = 10_000;

const MAX_DEVICES: usize = 50;
const MAX_MASKS: usize = 200;
const MAX_SCANS: usize = 200;
const MAX_SELECTOR_CHARACTERS: usize = 1_000;
const MAX_CUSTOM_CSS_CHARACTERS: usize = 4_096;
const MAX_PATH_CHARACTERS: usize = 2_048;
const MAX_LABEL_CHARACTERS: usize = 200;
const MAX_TEXT_CHARACTERS: usize = 10_000;
const MAX_PR_DESCRIPTION_CHARACTERS: usize = 2_000;
const MAX_LIST_ENTRIES: usize = 100;
const DEFAULT_CONCURRENCY: u32 = 4;
const CONCURRENCY: std::ops::RangeInclusive<u32> = 1..=20;

/// What is captured, and how: a project's saved configuration, and a job's pinned one.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct CaptureConfig {
    /// The origin to test, without a path.
    pub test_origin: Option<String>,
    /// The origin to compare with.
    pub base_origin: Option<String>,
    /// One page: path with query.
    pub url_path: Option<String>,
    /// The sitemap to read.
    pub sitemap_url: Option<String>,
    /// Pages by path.
    pub paths: Vec<PagePath>,
    /// Globs over the sitemap.
    pub scans: Vec<Scan>,
    /// Device names as they were sent.
    pub devices: Vec<String>,
    /// Selectors of what is hidden.
    pub masks: Vec<String>,
    /// CSS applied before capturing.
    pub custom_css: Option<String>,
    /// Pages captured at once.
    pub concurrency: u32,
}

/// The fields of a request that describe what to capture, checked one by one; absent ones stay absent.
#[derive(Debug, Clone, Default)]
pub struct SentConfig {
    /// See [`CaptureConfig::test_origin`]; from `url` when only that was sent.
    pub test_origin: Option<String>,
    /// See [`CaptureConfig::base_origin`].
    pub base_origin: Option<String>,
    /// See [`CaptureConfig::url_path`].
    pub url_path: Option<String>,
    /// See [`CaptureConfig::sitemap_url`].
    pub sitemap_url: Option<String>,
    /// See [`CaptureConfig::paths`].
    pub paths: Option<Vec<PagePath>>,
    /// See [`CaptureConfig::scans`].
    pub scans: Option<Vec<Scan>>,
    /// See [`CaptureConfig::devices`].
    pub devices: Option<Vec<String>>,
    /// See [`CaptureConfig::masks`].
    pub masks: Option<Vec<String>>,
    /// See [`CaptureConfig::custom_css`].
    pub custom_css: Option<String>,
    /// See [`CaptureConfig::concurrency`].
    pub concurrency: Option<u32>,
}

impl SentConfig {
    /// Checks the fields of a request.
    ///
    /// # Errors
    /// 400 that names the field.
    pub fn parse(request: &CrawlRequest) -> Result<Self> {
        let url = request
            .url
            .as_deref()
            .map(|text| parse_url("url", text))
            .transpose()?;
        let test_origin = match (&request.test_origin, &url) {
            (Some(text), _) => Some(parse_origin("testOrigin", text)?),
            (None, Some(url)) => Some(url.origin().ascii_serialization()),
            (None, None) => None,
        };
        Ok(Self {
            test_origin,
            base_origin: request
                .base_origin
                .as_deref()
                .map(|text| parse_origin("baseOrigin", text))
                .transpose()?,
            url_path: url.as_ref().map(path_and_query),
            sitemap_url: request
                .sitemap_url
                .as_deref()
                .map(|text| parse_url("sitemapUrl", text))
                .transpose()?
                .map(String::from),
            paths: request.paths.clone().map(check_paths).transpose()?,
            scans: request.scans.clone().map(check_scans).transpose()?,
            devices: request.devices.clone().map(check_devices).transpose()?,
            masks: request.masks.clone().map(check_masks).transpose()?,
            custom_css: request
                .custom_css
                .clone()
                .map(check_custom_css)
                .transpose()?,
            concurrency: request.concurrency.map(check_concurrency).transpose()?,
        })
    }

    /// The configuration that these fields make by themselves, with the defaults.
    ///
    /// # Errors
    /// 400 when the test origin is missing.
    pub fn into_config(self) -> Result<CaptureConfig> {
        if self.test_origin.is_none() {
            return Err(Error::invalid(
                "`testOrigin` is missing; send it, or a `url` whose origin is to be tested.",
            ));
        }
        Ok(self.over(&CaptureConfig::default()))
    }

    /// `stored` with the sent fields in its place.
    pub fn over(self, stored: &CaptureConfig) -> CaptureConfig {
        let concurrency = self.concurrency.unwrap_or(match stored.concurrency {
            0 => DEFAULT_CONCURRENCY,
            stored => stored,
        });
        let devices = self.devices.unwrap_or_else(|| stored.devices.clone());
        CaptureConfig {
            test_origin: self.test_origin.or_else(|| stored.test_origin.clone()),
            base_origin: self.base_origin.or_else(|| stored.base_origin.clone()),
            url_path: self.url_path.or_else(|| stored.url_path.clone()),
            sitemap_url: self.sitemap_url.or_else(|| stored.sitemap_url.clone()),
            paths: self.paths.unwrap_or_else(|| stored.paths.clone()),
            scans: self.scans.unwrap_or_else(|| stored.scans.clone()),
            devices: if devices.is_empty() {
                vec![devices::DEFAULT.to_owned()]
            } else {
                devices
            },
            masks: self.masks.unwrap_or_else(|| stored.masks.clone()),
            custom_css: self.custom_css.or_else(|| stored.custom_css.clone()),
            concurrency,
        }
    }

    /// Refuses sent fields that differ from the project's stored configuration. Order does not count in lists, and
    /// `concurrency` is not compared.
    ///
    /// # Errors
    /// 400 `config_mismatch` that names each field and both values.
    pub fn must_match(&self, project: &str, stored: &CaptureConfig) -> Result<()> {
        let mut differences = Vec::new();
        let mut text = |field: &str, sent: Option<&String>, stored: Option<&String>| {
            if let Some(sent) = sent
                && Some(sent) != stored
            {
                let stored =
                    stored.map_or_else(|| "nothing".to_owned(), |stored| format!("`{stored}`"));
                differences.push(format!(
                    "`{field}` was sent as `{sent}` and is stored as {stored}"
                ));
            }
        };
        text(
            "testOrigin",
            self.test_origin.as_ref(),
            stored.test_origin.as_ref(),
        );
        text(
            "sitemapUrl",
            self.sitemap_url.as_ref(),
            stored.sitemap_url.as_ref(),
        );
        text(
            "customCss",
            self.custom_css.as_ref(),
            stored.custom_css.as_ref(),
        );
        let mut set = |field: &str, sent: Option<BTreeSet<&str>>, stored: BTreeSet<&str>| {
            if let Some(sent) = sent
                && sent != stored
            {
                differences.push(format!(
                    "`{field}` was sent as {sent:?} and is stored as {stored:?}"
                ));
            }
        };
        set(
            "devices",
            self.devices.as_deref().map(string_set),
            string_set(&stored.devices),
        );
        set(
            "masks",
            self.masks.as_deref().map(string_set),
            string_set(&stored.masks),
        );
        set(
            "paths",
            self.paths.as_deref().map(path_set),
            path_set(&stored.paths),
        );
        set(
            "scans",
            self.scans.as_deref().map(scan_set),
            scan_set(&stored.scans),
        );
        if differences.is_empty() {
            return Ok(());
        }
        Err(Error::refused(
            ErrorCode::ConfigMismatch,
            format!(
                "The project `{project}` has a saved configuration, and what was sent differs: {}. Leave these fields out to use the saved values, or change them with PUT /project/{project}.",
                differences.join("; ")
            ),
        ))
    }
}

fn string_set(values: &[String]) -> BTreeSet<&str> {
    values.iter().map(String::as_str).collect()
}

fn path_set(paths: &[PagePath]) -> BTreeSet<&str> {
    paths.iter().map(|page| page.path.as_str()).collect()
}

fn scan_set(scans: &[Scan]) -> BTreeSet<&str> {
    scans.iter().map(|scan| scan.pattern.as_str()).collect()
}

/// Checks a project's name.
///
/// # Errors
/// 400 unless it has 1–100 letters, digits, `.`, `_` or `-`.
pub fn check_project_name(name: &str) -> Result<()> {
    let allowed =
        |character: char| character.is_ascii_alphanumeric() || matches!(character, '.' | '_' | '-');
    if (1..=100).contains(&name.len()) && name.chars().all(allowed) {
        return Ok(());
    }
    Err(Error::invalid(
        "`project` must have 1–100 letters, digits, `.`, `_` or `-`.",
    ))
}

/// Checks and trims a run context: the description is cut, other texts and lists are bounded.
///
/// # Errors
/// 400 that names the field.
pub fn check_run_context(mut context: RunContext) -> Result<RunContext> {
    if let Some(description) = &mut context.pr_description {
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

fn parse_url(field: &str, text: &str) -> Result<Url> {
    check_length(field, text, MAX_PATH_CHARACTERS)?;
    TargetPolicy::parse(text).map_err(|error| Error::target(field, &error))
}

fn parse_origin(field: &str, text: &str) -> Result<String> {
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

/// Path with query: what a page is keyed by, whatever its origin.
pub fn path_and_query(url: &Url) -> String {
    match url.query() {
        Some(query) => format!("{}?{query}", url.path()),
        None => url.path().to_owned(),
    }
}

fn check_paths(paths: Vec<PagePath>) -> Result<Vec<PagePath>> {
    check_count("paths", paths.len(), MAX_RESULTS)?;
    for (index, page) in paths.iter().enumerate() {
        if !page.path.starts_with('/') || page.path.starts_with("//") {
            return Err(Error::invalid(format!(
                "`paths[{index}].path` must start with one `/`; got `{}`.",
                clip(&page.path)
            )));
        }
        check_length(
            &format!("paths[{index}].path"),
            &page.path,
            MAX_PATH_CHARACTERS,
        )?;
        check_length(
            &format!("paths[{index}].label"),
            &page.label,
            MAX_LABEL_CHARACTERS,
        )?;
    }
    Ok(paths)
}

fn check_scans(scans: Vec<Scan>) -> Result<Vec<Scan>> {
    check_count("scans", scans.len(), MAX_SCANS)?;
    for (index, scan) in scans.iter().enumerate() {
        let excluded = scan
            .options
            .iter()
            .flat_map(|options| options.exclude.iter().flatten());
        for pattern in std::iter::once(&scan.pattern).chain(excluded) {
            check_length(&format!("scans[{index}]"), pattern, MAX_SELECTOR_CHARACTERS)?;
            crate::discover::path_glob(pattern).map_err(|error| {
                Error::invalid(format!(
                    "`scans[{index}]`: `{}` is no glob over paths: {error}.",
                    clip(pattern)
                ))
            })?;
        }
    }
    Ok(scans)
}

fn check_devices(names: Vec<String>) -> Result<Vec<String>> {
    check_count("devices", names.len(), MAX_DEVICES)?;
    for (index, name) in names.iter().enumerate() {
        if devices::find(name).is_none() {
            let near = devices::near_matches(name);
            let hint = if near.is_empty() {
                format!(
                    "known are {}",
                    devices::names().collect::<Vec<_>>().join(", ")
                )
            } else {
                format!("did you mean {}?", near.join(" or "))
            };
            return Err(Error::invalid(format!(
                "`devices[{index}]`: no device is named `{}`; {hint}",
                clip(name)
            )));
        }
    }
    Ok(names)
}

fn check_masks(masks: Vec<String>) -> Result<Vec<String>> {
    check_count("masks", masks.len(), MAX_MASKS)?;
    for (index, selector) in masks.iter().enumerate() {
        check_length(
            &format!("masks[{index}]"),
            selector,
            MAX_SELECTOR_CHARACTERS,
        )?;
        if selector.trim().is_empty() {
            return Err(Error::invalid(format!(
                "`masks[{index}]` is empty; give a CSS selector."
            )));
        }
    }
    Ok(masks)
}

fn check_custom_css(css: String) -> Result<String> {
    check_length("customCss", &css, MAX_CUSTOM_CSS_CHARACTERS)?;
    Ok(css)
}

fn check_concurrency(concurrency: u32) -> Result<u32> {
    if CONCURRENCY.contains(&concurrency) {
        return Ok(concurrency);
    }
    Err(Error::invalid(format!(
        "`concurrency` must be {}–{}; got {concurrency}.",
        CONCURRENCY.start(),
        CONCURRENCY.end()
    )))
}

fn check_length(field: &str, text: &str, limit: usize) -> Result<()> {
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

fn clip(text: &str) -> String {
    text.chars().take(100).collect()
}
