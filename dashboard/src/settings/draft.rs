//! All settings of a project as they stand in the form.

use pentimento_api::capture::CaptureProfile;
use pentimento_api::crawl::PagePath;
use pentimento_api::project::{BaselinePolicy, Project, Schedule};

use super::gate::GateDraft;
use super::lines::{SpacedPaths, paths_of, text_of_masks, text_of_paths};
use super::scan::ScanDraft;

/// What a project is captured on that names no device.
pub(crate) const DEFAULT_DEVICE: &str = "Desktop Chrome";

/// The form's content. What is a number or a list in the end is a text here, as it was typed.
#[derive(Clone, PartialEq)]
pub(crate) struct Draft {
    /// Of a new project; others keep theirs.
    pub(crate) name: String,
    pub(crate) test_origin: String,
    pub(crate) base_origin: String,
    pub(crate) environment: String,
    pub(crate) base_environment: String,
    pub(crate) sitemap_url: String,
    /// One page a line.
    pub(crate) paths: String,
    /// How paths are stored that hold blanks.
    pub(crate) spaced_paths: SpacedPaths,
    pub(crate) scans: Vec<ScanDraft>,
    pub(crate) devices: Vec<String>,
    /// A device that was typed and not added yet; it counts.
    pub(crate) device_to_add: String,
    /// One selector a line.
    pub(crate) masks: String,
    pub(crate) custom_css: String,
    pub(crate) capture_profile: CaptureProfile,
    /// Empty while time goes on.
    pub(crate) clock: String,
    pub(crate) diff_threshold: String,
    pub(crate) intent: String,
    pub(crate) ai_summary_threshold: String,
    pub(crate) ai_prompt_instructions: String,
    pub(crate) concurrency: String,
    pub(crate) baseline_policy: BaselinePolicy,
    pub(crate) schedule: Option<Schedule>,
    pub(crate) hour_utc: u8,
    /// Empty for the key that saves.
    pub(crate) schedule_key: String,
    pub(crate) test_gate: GateDraft,
    pub(crate) base_gate: GateDraft,
}

impl Default for Draft {
    /// What a new project has, as the service would complete it.
    fn default() -> Self {
        Self {
            name: String::new(),
            test_origin: String::new(),
            base_origin: String::new(),
            environment: String::new(),
            base_environment: String::new(),
            sitemap_url: String::new(),
            paths: String::new(),
            spaced_paths: SpacedPaths::default(),
            scans: Vec::new(),
            devices: vec![DEFAULT_DEVICE.to_owned()],
            device_to_add: String::new(),
            masks: String::new(),
            custom_css: String::new(),
            capture_profile: CaptureProfile::default(),
            clock: String::new(),
            diff_threshold: "0".to_owned(),
            intent: String::new(),
            ai_summary_threshold: "0.01".to_owned(),
            ai_prompt_instructions: String::new(),
            concurrency: "4".to_owned(),
            baseline_policy: BaselinePolicy::Approved,
            schedule: None,
            hour_utc: 0,
            schedule_key: String::new(),
            test_gate: GateDraft::default(),
            base_gate: GateDraft::default(),
        }
    }
}

impl Draft {
    pub(crate) fn of(project: &Project) -> Self {
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        let listed = &project.listed;
        let mut capture_profile = project.capture_profile.clone();
        Self {
            name: listed.name.clone(),
            test_origin: text(&listed.test_origin),
            base_origin: text(&listed.base_origin),
            environment: text(&project.environment),
            base_environment: text(&project.base_environment),
            sitemap_url: text(&listed.sitemap_url),
            paths: text_of_paths(&listed.paths),
            spaced_paths: SpacedPaths::of(&listed.paths),
            scans: listed.scans.iter().map(ScanDraft::of).collect(),
            devices: listed.devices.clone(),
            device_to_add: String::new(),
            masks: text_of_masks(&listed.masks),
            custom_css: text(&listed.custom_css),
            clock: capture_profile.clock.take().unwrap_or_default(),
            capture_profile,
            diff_threshold: project.diff_threshold.to_string(),
            intent: text(&project.intent),
            ai_summary_threshold: project.ai_summary_threshold.to_string(),
            ai_prompt_instructions: text(&project.ai_prompt_instructions),
            concurrency: listed.concurrency.to_string(),
            baseline_policy: project.baseline_policy,
            schedule: project.schedule,
            hour_utc: project.schedule_hour_utc.unwrap_or(0),
            schedule_key: (project.schedule_key_id).map_or_else(String::new, |key| key.to_string()),
            test_gate: GateDraft::of(project.test_auth),
            base_gate: GateDraft::of(project.base_auth),
        }
    }

    /// The pages that were entered.
    pub(crate) fn pages(&self) -> Vec<PagePath> {
        paths_of(&self.paths, &self.test_origin, &self.spaced_paths)
    }

    /// The devices that were chosen, and the one that was typed and not added yet.
    pub(crate) fn all_devices(&self) -> Vec<String> {
        let typed = self.device_to_add.trim();
        let is_typed = |name: &String| name.to_lowercase() == typed.to_lowercase();
        let mut devices = self.devices.clone();
        if !typed.is_empty() && !devices.iter().any(is_typed) {
            devices.push(typed.to_owned());
        }
        devices
    }

    /// Whether there is an origin to compare with.
    pub(crate) fn has_base(&self) -> bool {
        !self.base_origin.trim().is_empty()
    }

    /// The draft without its secrets, which are kept no longer than the form is open.
    pub(crate) fn without_secrets(mut self, stored: &Self) -> Self {
        self.test_gate = stored.test_gate.clone();
        self.base_gate = stored.base_gate.clone();
        self
    }
}

#[cfg(test)]
pub(in crate::settings) mod tests {
    use super::*;
    use serde_json::json;

    pub(in crate::settings) const KEY: &str = "01890a5d-ac96-774b-bcce-b302099a8057";

    pub(in crate::settings) fn stored() -> Draft {
        Draft::of(
            &serde_json::from_value(json!({
                "name": "shop", "testOrigin": "https://a.test", "baseOrigin": "https://b.test",
                "paths": [{ "path": "/", "label": "Home" }, { "path": "/cart" }, { "path": "/a b" }],
                "scans": [{ "pattern": "/docs/**", "options": { "limit": 5 } }],
                "devices": ["Desktop Chrome", "iPhone 13"], "masks": [".ad"], "customCss": "a{}",
                "concurrency": 4, "createdAt": "", "updatedAt": "", "baselineVersion": "v",
                "baselinePolicy": "rolling", "schedule": "daily", "scheduleHourUtc": 4,
                "scheduleKeyId": KEY,
                "testAuth": { "configured": true }, "aiSummaryThreshold": 0.01, "diffThreshold": 0.5,
                "captureProfile": { "video": false, "clock": "2026-01-15T12:00:00Z" }
            }))
            .unwrap(),
        )
    }

    #[test]
    fn no_secret_is_kept() {
        let mut draft = stored();
        draft.test_gate.password = "sesame".to_owned();
        draft.intent = "x".to_owned();
        let kept = draft.without_secrets(&stored());
        assert_eq!(
            (kept.test_gate.password.as_str(), kept.intent.as_str()),
            ("", "x")
        );
    }
}
