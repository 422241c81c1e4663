//! An update of what a project captures: each field checked, then kept, cleared or set.

use jiff::Timestamp;
use pentimento_api::capture::CaptureProfile;
use pentimento_api::crawl::CrawlRequest;
use pentimento_api::patch::Patch;
use pentimento_api::project::ProjectUpdate;

use crate::capture::devices;
use crate::error::{Error, Result};
use crate::jobs::checks::{check_length, check_line};
use crate::jobs::sets::lower_case;
use crate::jobs::spec::{
    CaptureConfig, DEFAULT_AI_SUMMARY_THRESHOLD, DEFAULT_CONCURRENCY, DEFAULT_DIFF_THRESHOLD,
    SentConfig,
};

/// Most characters of what a language model is told of a project.
const MAX_INSTRUCTIONS_CHARACTERS: usize = 1_000;

/// Most characters of a capture profile's clock: times may be written with parts that say nothing more.
const MAX_CLOCK_CHARACTERS: usize = 40;

/// The configuration that `update` makes of `stored`.
///
/// # Errors
/// 400 that names the field.
pub(super) fn configure(update: &ProjectUpdate, stored: &CaptureConfig) -> Result<CaptureConfig> {
    if update.test_origin == Patch::Clear {
        return Err(Error::invalid(
            "`testOrigin` cannot be cleared: a project tests an origin; send the one to test.",
        ));
    }
    let sent = SentConfig::parse(&CrawlRequest {
        test_origin: update.test_origin.as_set().cloned(),
        base_origin: update.base_origin.as_set().cloned(),
        sitemap_url: update.sitemap_url.as_set().cloned(),
        paths: update.paths.as_set().cloned(),
        scans: update.scans.as_set().cloned(),
        devices: update.devices.as_set().cloned(),
        masks: update.masks.as_set().cloned(),
        custom_css: update.custom_css.as_set().cloned(),
        concurrency: update.concurrency.as_set().copied(),
        ..CrawlRequest::default()
    })?;
    let old = stored.clone();
    let default_devices = || vec![devices::DEFAULT.to_owned()];
    let devices = choose(
        &update.devices,
        sent.devices.or_else(|| Some(default_devices())),
        old.devices,
        default_devices(),
    );
    let custom_css = choose(
        &update.custom_css,
        Some(sent.custom_css),
        old.custom_css,
        None,
    );
    Ok(CaptureConfig {
        test_origin: choose(
            &update.test_origin,
            Some(sent.test_origin),
            old.test_origin,
            None,
        ),
        base_origin: choose(
            &update.base_origin,
            Some(sent.base_origin),
            old.base_origin,
            None,
        ),
        sitemap_url: choose(
            &update.sitemap_url,
            Some(sent.sitemap_url),
            old.sitemap_url,
            None,
        ),
        paths: choose(&update.paths, sent.paths, old.paths, Vec::new()),
        scans: choose(&update.scans, sent.scans, old.scans, Vec::new()),
        devices: spelled_as(&stored.devices, devices),
        masks: choose(&update.masks, sent.masks, old.masks, Vec::new()),
        custom_css: custom_css.filter(|css| !css.is_empty()),
        concurrency: choose(
            &update.concurrency,
            sent.concurrency,
            old.concurrency,
            DEFAULT_CONCURRENCY,
        ),
        url_path: None,
        diff_threshold: percentage(
            "diffThreshold",
            update.diff_threshold,
            old.diff_threshold,
            DEFAULT_DIFF_THRESHOLD,
        )?,
        ai_summary_threshold: percentage(
            "aiSummaryThreshold",
            update.ai_summary_threshold,
            old.ai_summary_threshold,
            DEFAULT_AI_SUMMARY_THRESHOLD,
        )?,
        ai_prompt_instructions: text(
            "aiPromptInstructions",
            &update.ai_prompt_instructions,
            old.ai_prompt_instructions,
            MAX_INSTRUCTIONS_CHARACTERS,
        )?,
        capture_profile: profile(&update.capture_profile)?
            .apply(old.capture_profile, CaptureProfile::default()),
    })
}

/// A text that may be absent; an empty one is none.
///
/// # Errors
/// 400 that names the field when it is too long.
pub(super) fn text(
    field: &str,
    update: &Patch<String>,
    stored: Option<String>,
    limit: usize,
) -> Result<Option<String>> {
    if let Some(sent) = update.as_set() {
        check_length(field, sent, limit)?;
    }
    let sent = update.as_set().filter(|sent| !sent.trim().is_empty());
    Ok(choose(update, Some(sent.cloned()), stored, None))
}

/// The same for a text on one line.
///
/// # Errors
/// 400 that names the field when it is too long or holds a control character.
pub(super) fn line(
    field: &str,
    update: &Patch<String>,
    stored: Option<String>,
    limit: usize,
) -> Result<Option<String>> {
    if let Some(sent) = update.as_set() {
        check_line(field, sent, limit)?;
    }
    text(field, update, stored, limit)
}

/// The profile that is sent.
///
/// # Errors
/// 400 when its clock is no time that can be, or is written at length.
fn profile(update: &Patch<CaptureProfile>) -> Result<Patch<CaptureProfile>> {
    update.clone().try_map(|sent| {
        let Some(clock) = &sent.clock else {
            return Ok(sent);
        };
        check_length("captureProfile.clock", clock, MAX_CLOCK_CHARACTERS)?;
        match clock.parse::<Timestamp>() {
            Ok(_) => Ok(sent),
            Err(_) => Err(Error::invalid(
                "`captureProfile.clock` must be a time as RFC 3339 writes it, such as `2026-01-15T12:00:00Z`.",
            )),
        }
    })
}

/// A percentage that may be absent, and is `default` then; sent, that is none.
fn percentage(
    field: &str,
    update: Patch<f64>,
    stored: Option<f64>,
    default: f64,
) -> Result<Option<f64>> {
    let sent = update.try_map(|sent| match sent {
        0.0..=100.0 => Ok(Some(sent).filter(|sent| (sent - default).abs() > f64::EPSILON)),
        _ => Err(Error::invalid(format!(
            "`{field}` is a percentage of a page's pixels, 0–100; got {sent}."
        ))),
    })?;
    Ok(sent.apply(stored, None))
}

/// What becomes of a field: `checked` is its checked value when one was sent.
fn choose<S, T>(update: &Patch<S>, checked: Option<T>, stored: T, cleared: T) -> T {
    match (update, checked) {
        (Patch::Absent, _) => stored,
        (Patch::Set(_), Some(checked)) => checked,
        (Patch::Clear | Patch::Set(_), _) => cleared,
    }
}

/// Names count in any case, and baselines are kept by the name as it is stored: the same devices keep their spelling.
fn spelled_as(stored: &[String], devices: Vec<String>) -> Vec<String> {
    let spell = |name: String| {
        let wanted = lower_case(std::slice::from_ref(&name));
        let known = stored
            .iter()
            .find(|known| lower_case(std::slice::from_ref(known)) == wanted);
        known.cloned().unwrap_or(name)
    };
    devices.into_iter().map(spell).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn stored() -> CaptureConfig {
        CaptureConfig {
            test_origin: Some("http://a.test".to_owned()),
            base_origin: Some("http://b.test".to_owned()),
            devices: vec!["iPhone 13".to_owned(), "tablet".to_owned()],
            masks: vec![".ad".to_owned()],
            custom_css: Some("a{}".to_owned()),
            concurrency: 9,
            ..CaptureConfig::default()
        }
    }

    fn configured(update: serde_json::Value) -> Result<CaptureConfig> {
        configure(&serde_json::from_value(update).unwrap(), &stored())
    }

    #[test]
    fn what_is_left_out_stays_and_null_clears() {
        assert_eq!(configured(json!({})).unwrap(), stored());
        let cleared = json!({ "baseOrigin": null, "devices": null, "masks": null, "customCss": null, "concurrency": null });
        let cleared = configured(cleared).unwrap();
        assert_eq!(cleared.base_origin, None);
        assert_eq!(cleared.devices, ["Desktop Chrome"]);
        assert_eq!((cleared.masks.len(), cleared.custom_css), (0, None));
        assert_eq!(cleared.concurrency, DEFAULT_CONCURRENCY);
        let emptied = configured(json!({ "devices": [], "customCss": "" })).unwrap();
        assert_eq!(emptied.devices, ["Desktop Chrome"]);
        assert_eq!(emptied.custom_css, None);
    }

    #[test]
    fn devices_keep_their_stored_spelling() {
        let update = json!({ "devices": ["TABLET", "iphone 13", "Mobile"] });
        assert_eq!(
            configured(update).unwrap().devices,
            ["tablet", "iPhone 13", "Mobile"]
        );
    }

    #[test]
    fn values_out_of_bounds_are_named() {
        for (update, field) in [
            (json!({ "testOrigin": null }), "`testOrigin`"),
            (json!({ "testOrigin": "http://a.test/x" }), "`testOrigin`"),
            (json!({ "baseOrigin": "b" }), "`baseOrigin`"),
            (json!({ "concurrency": 21 }), "`concurrency`"),
            (json!({ "diffThreshold": 100.5 }), "`diffThreshold`"),
            (json!({ "aiSummaryThreshold": -1 }), "`aiSummaryThreshold`"),
            (
                json!({ "aiPromptInstructions": "x".repeat(1001) }),
                "`aiPromptInstructions`",
            ),
            (
                json!({ "captureProfile": { "clock": "noon" } }),
                "`captureProfile.clock`",
            ),
            // A time, and longer than one needs to be.
            (
                json!({ "captureProfile": { "clock": "2026-01-15T12:00:00.000000000+00:00[Africa/Abidjan]" } }),
                "`captureProfile.clock`",
            ),
        ] {
            let error = configured(update.clone()).unwrap_err().to_string();
            assert!(error.contains(field), "{update}: {error}");
        }
    }
}
