//! What a job or project captures: parsed and checked at the edge, stored as JSON.

use std::collections::BTreeSet;

use pentimento_api::capture::CaptureProfile;
use pentimento_api::crawl::{CrawlRequest, PagePath, Scan};
use pentimento_api::error::ErrorCode;
use pentimento_api::job::ComparisonMode;
use serde::{Deserialize, Serialize};

use crate::capture::devices;
use crate::error::{Error, Result};
use crate::jobs::checks::{
    MAX_RESULTS, check_concurrency, check_custom_css, check_devices, check_masks, check_paths,
    check_scans, parse_origin, parse_url,
};
use crate::jobs::sets::{lower_case, page_set, path_set, scan_set, scan_values, string_set};
use crate::page_path::path_and_query;

/// Pages of a job that are captured at once when nothing is said.
pub(crate) const DEFAULT_CONCURRENCY: u32 = 4;

/// Percentage of changed pixels above which a page is changed, when nothing is said.
pub(crate) const DEFAULT_DIFF_THRESHOLD: f64 = 0.0;

/// Percentage of changed pixels below which a language model describes nothing, when nothing is said.
pub(crate) const DEFAULT_AI_SUMMARY_THRESHOLD: f64 = 0.01;

/// What is captured, and how: a project's saved configuration, and a job's pinned one.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct CaptureConfig {
    /// The origin to test, without a path.
    pub test_origin: Option<String>,
    /// The origin to compare with.
    pub base_origin: Option<String>,
    /// One page of a job: path with query. A project saves none.
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
    /// Percentage of changed pixels above which a page is changed; 0 when absent.
    pub diff_threshold: Option<f64>,
    /// Percentage of changed pixels below which a language model describes nothing; 0.01 when absent.
    pub ai_summary_threshold: Option<f64>,
    /// What a language model is told of the project.
    pub ai_prompt_instructions: Option<String>,
    /// The steps before pictures are taken.
    pub capture_profile: CaptureProfile,
}

impl CaptureConfig {
    /// What a run of it compares with.
    pub fn mode(&self) -> ComparisonMode {
        match self.base_origin {
            Some(_) => ComparisonMode::Live,
            None => ComparisonMode::Managed,
        }
    }

    /// Percentage of changed pixels above which a page is changed.
    pub fn diff_threshold(&self) -> f64 {
        self.diff_threshold.unwrap_or(DEFAULT_DIFF_THRESHOLD)
    }

    /// Percentage of changed pixels below which a language model describes nothing.
    pub fn ai_summary_threshold(&self) -> f64 {
        self.ai_summary_threshold
            .unwrap_or(DEFAULT_AI_SUMMARY_THRESHOLD)
    }

    /// The fields whose values differ and that captures depend on, by their names on the wire. The order of lists and the
    /// labels of paths do not count.
    pub fn capture_changes(&self, other: &Self) -> Vec<&'static str> {
        let devices = [lower_case(&self.devices), lower_case(&other.devices)];
        let fields = [
            ("testOrigin", self.test_origin == other.test_origin),
            ("baseOrigin", self.base_origin == other.base_origin),
            ("sitemapUrl", self.sitemap_url == other.sitemap_url),
            ("paths", path_set(&self.paths) == path_set(&other.paths)),
            (
                "scans",
                scan_values(&self.scans) == scan_values(&other.scans),
            ),
            (
                "devices",
                string_set(&devices[0]) == string_set(&devices[1]),
            ),
            ("masks", string_set(&self.masks) == string_set(&other.masks)),
            ("customCss", self.custom_css == other.custom_css),
        ];
        let changed = fields.into_iter().filter(|(_, same)| !same);
        changed.map(|(field, _)| field).collect()
    }

    /// The same with the thresholds, instructions and capture profile of a saved configuration: a run says nothing of them.
    #[must_use]
    pub fn judged_as(self, saved: &Self) -> Self {
        Self {
            diff_threshold: saved.diff_threshold,
            ai_summary_threshold: saved.ai_summary_threshold,
            ai_prompt_instructions: saved.ai_prompt_instructions.clone(),
            capture_profile: saved.capture_profile.clone(),
            ..self
        }
    }
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
        if let (Some(url), Some(origin)) = (&url, &test_origin)
            && url.origin().ascii_serialization() != *origin
        {
            return Err(Error::invalid(format!(
                "`url` lies on another origin than `testOrigin`, `{origin}`; send a page of that origin, or leave `testOrigin` out."
            )));
        }
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
            // None by name mean the default one.
            devices: (request.devices.clone())
                .map(|names| match names.as_slice() {
                    [] => Ok(vec![devices::DEFAULT.to_owned()]),
                    _ => check_devices(names),
                })
                .transpose()?,
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
        Ok(CaptureConfig {
            test_origin: self.test_origin,
            base_origin: self.base_origin,
            url_path: self.url_path,
            sitemap_url: self.sitemap_url,
            paths: self.paths.unwrap_or_default(),
            scans: self.scans.unwrap_or_default(),
            devices: self
                .devices
                .unwrap_or_else(|| vec![devices::DEFAULT.to_owned()]),
            masks: self.masks.unwrap_or_default(),
            custom_css: self.custom_css.filter(|css| !css.is_empty()),
            concurrency: self.concurrency.unwrap_or(DEFAULT_CONCURRENCY),
            ..CaptureConfig::default()
        })
    }

    /// The project's saved configuration, for a run whose sent fields match it: only the single page and the
    /// concurrency are the run's own.
    ///
    /// # Errors
    /// 400 `config_mismatch`; see [`SentConfig::must_match`].
    pub fn on_project(&self, project: &str, saved: CaptureConfig) -> Result<CaptureConfig> {
        self.must_match(project, &saved)?;
        Ok(CaptureConfig {
            url_path: self.url_path.clone(),
            concurrency: self.concurrency.unwrap_or(saved.concurrency),
            ..saved
        })
    }

    /// Refuses sent fields that differ from the project's stored configuration. Order does not count in lists, and
    /// `concurrency` is not compared.
    ///
    /// # Errors
    /// 400 `config_mismatch` that names each field and both values.
    fn must_match(&self, project: &str, stored: &CaptureConfig) -> Result<()> {
        refuse_mismatch(project, &self.differences(stored))
    }

    /// What differs of the sent fields from the stored ones, `concurrency` included, a phrase for each field.
    pub(super) fn all_differences(&self, stored: &CaptureConfig) -> Vec<String> {
        let mut differences = self.differences(stored);
        if let Some(sent) = self.concurrency
            && sent != stored.concurrency
        {
            differences.push(format!(
                "`concurrency` was sent as {sent} and is stored as {}",
                stored.concurrency
            ));
        }
        differences
    }

    fn differences(&self, stored: &CaptureConfig) -> Vec<String> {
        let mut differences = Vec::new();
        let mut text = |field: &str, sent: Option<&String>, stored: Option<&String>| {
            // No CSS may also be sent as an empty text.
            if let Some(sent) = sent
                && Some(sent).filter(|sent| !sent.is_empty())
                    != stored.filter(|stored| !stored.is_empty())
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
            "baseOrigin",
            self.base_origin.as_ref(),
            stored.base_origin.as_ref(),
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
        let sent_devices = self.devices.as_deref().map(lower_case);
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
            sent_devices.as_deref().map(string_set),
            string_set(&lower_case(&stored.devices)),
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
        differences
    }
}

/// Refuses a job that would have too many captures by the pages that it names alone.
///
/// # Errors
/// 400 that says how many.
pub(super) fn check_extent(config: &CaptureConfig) -> Result<()> {
    let devices: BTreeSet<_> = lower_case(&config.devices).into_iter().collect();
    let mut pages = page_set(&config.paths);
    pages.extend(config.url_path.as_deref());
    let captures = pages.len() * devices.len();
    if captures <= MAX_RESULTS {
        return Ok(());
    }
    Err(Error::invalid(format!(
        "`paths` and `devices` make {captures} captures; {MAX_RESULTS} are the most of one job. Send fewer, or start several jobs."
    )))
}

/// Refuses a call whose sent fields differ from the project's stored configuration.
///
/// # Errors
/// 400 `config_mismatch` that names each difference, and how to change what is stored.
pub(super) fn refuse_mismatch(project: &str, differences: &[String]) -> Result<()> {
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
