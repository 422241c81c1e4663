//! What is sent of a draft: the fields that differ from what is stored.

use pentimento_api::capture::CaptureProfile;
use pentimento_api::crawl::Scan;
use pentimento_api::patch::Patch;
use pentimento_api::project::{ProjectUpdate, Schedule};

use super::draft::Draft;
use super::lines::entries;
use super::scan::ScanDraft;

/// What stands against saving.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Complaint {
    /// The field, as the interface names it; empty where it is about no single one.
    pub(crate) field: String,
    pub(crate) text: String,
}

impl Complaint {
    fn of(field: &str, text: &str) -> Self {
        Self {
            field: field.to_owned(),
            text: text.to_owned(),
        }
    }

    /// What is stored in another way than it was, as [`Draft::contested`] names it. When an answer was lost it may be what was
    /// sent then.
    pub(crate) fn contested(fields: &[(&'static str, &'static str)]) -> Self {
        let words: Vec<&str> = fields.iter().map(|(_, words)| *words).collect();
        let first = fields.first().map_or("", |(name, _)| name);
        Self::of(
            first,
            &format!(
                "Saved differently meanwhile, by somebody else or by an earlier try of yours: {}. Save to replace it with what stands here, or discard to see what is stored.",
                words.join(", ")
            ),
        )
    }

    /// A refusal of the service, which quotes the field first that it is about: `paths[3].path`.
    pub(crate) fn refused(text: String) -> Self {
        let field = (text.split('`').nth(1))
            .and_then(|quoted| quoted.split(['.', '[', ' ', '=']).next())
            .unwrap_or_default()
            .to_owned();
        Self { field, text }
    }
}

impl Draft {
    /// What is sent so that the project becomes this draft: the fields alone that differ from `stored`, so that what others
    /// change meanwhile stays.
    pub(crate) fn update(&self, stored: &Self) -> Result<ProjectUpdate, Complaint> {
        let mut update = ProjectUpdate {
            test_origin: changed(&self.test_origin, &stored.test_origin, |text| line(text)),
            base_origin: changed(&self.base_origin, &stored.base_origin, |text| line(text)),
            environment: changed(&self.environment, &stored.environment, |text| line(text)),
            base_environment: changed(&self.base_environment, &stored.base_environment, |text| {
                line(text)
            }),
            sitemap_url: changed(&self.sitemap_url, &stored.sitemap_url, |text| line(text)),
            paths: changed(&self.paths, &stored.paths, |_| Patch::Set(self.pages())),
            devices: changed(&self.all_devices(), &stored.devices, |names| {
                Patch::Set(names.clone())
            }),
            masks: changed(&self.masks, &stored.masks, |text| {
                Patch::Set(entries(text).map(str::to_owned).collect())
            }),
            custom_css: changed(&self.custom_css, &stored.custom_css, |text| whole(text)),
            intent: changed(&self.intent, &stored.intent, |text| whole(text)),
            ai_prompt_instructions: changed(
                &self.ai_prompt_instructions,
                &stored.ai_prompt_instructions,
                |text| whole(text),
            ),
            baseline_policy: changed(&self.baseline_policy, &stored.baseline_policy, |policy| {
                Patch::Set(*policy)
            }),
            ..ProjectUpdate::default()
        };
        if self.scans != stored.scans {
            update.scans = Patch::Set(self.scans()?);
        }
        if self.profile() != stored.profile() {
            update.capture_profile = Patch::Set(self.profile());
        }
        self.set_schedule(stored, &mut update);
        self.set_numbers(stored, &mut update)?;
        update.test_auth = (self.test_gate.patch(&stored.test_gate))
            .map_err(|text| Complaint::of("testAuth", text))?;
        // A credential goes with its origin by itself.
        if self.has_base() {
            update.base_auth = (self.base_gate.patch(&stored.base_gate))
                .map_err(|text| Complaint::of("baseAuth", text))?;
        }
        Ok(update)
    }

    /// The scans, those left out in which nothing was entered.
    pub(crate) fn scans(&self) -> Result<Vec<Scan>, Complaint> {
        let scans = self.scans.iter().filter(|scan| !scan.is_empty());
        scans
            .map(ScanDraft::scan)
            .collect::<Option<_>>()
            .ok_or_else(|| {
                Complaint::of(
                    "scans",
                    "The limit of a scan is a number of pages, or empty.",
                )
            })
    }

    fn profile(&self) -> CaptureProfile {
        let clock = self.clock.trim();
        CaptureProfile {
            clock: Some(clock.to_owned()).filter(|clock| !clock.is_empty()),
            ..self.capture_profile.clone()
        }
    }

    fn set_schedule(&self, stored: &Self, update: &mut ProjectUpdate) {
        update.schedule = changed(&self.schedule, &stored.schedule, |schedule| {
            schedule.map_or(Patch::Clear, Patch::Set)
        });
        // Without a schedule there is neither an hour nor a key.
        let Some(schedule) = self.schedule else {
            return;
        };
        let had_hour = has_hour(stored.schedule);
        if has_hour(Some(schedule)) && (!had_hour || self.hour_utc != stored.hour_utc) {
            update.schedule_hour_utc = Patch::Set(self.hour_utc);
        }
        // With another schedule the key is named: of one that has died the service then says so, rather than take the one that
        // makes the call.
        let is_kept = self.schedule == stored.schedule && self.schedule_key == stored.schedule_key;
        let has_none = self.schedule_key.is_empty() && stored.schedule_key.is_empty();
        if !is_kept && !has_none {
            update.schedule_key_id = line(&self.schedule_key);
        }
    }

    fn set_numbers(&self, stored: &Self, update: &mut ProjectUpdate) -> Result<(), Complaint> {
        update.concurrency = number(
            "concurrency",
            &self.concurrency,
            &stored.concurrency,
            "“Pages at once” is a whole number, 1 to 20.",
        )?;
        update.diff_threshold = percentage(
            "diffThreshold",
            &self.diff_threshold,
            &stored.diff_threshold,
            "The percentage above which a page is changed is a number, 0 to 100, such as 0.05.",
        )?;
        update.ai_summary_threshold = percentage(
            "aiSummaryThreshold",
            &self.ai_summary_threshold,
            &stored.ai_summary_threshold,
            "The percentage below which nothing is described is a number, 0 to 100, such as 0.05.",
        )?;
        Ok(())
    }
}

/// Whether such a schedule has an hour.
pub(crate) fn has_hour(schedule: Option<Schedule>) -> bool {
    matches!(schedule, Some(Schedule::Daily | Schedule::Weekly))
}

fn changed<T: PartialEq, S>(now: &T, stored: &T, send: impl FnOnce(&T) -> Patch<S>) -> Patch<S> {
    if now == stored {
        Patch::Absent
    } else {
        send(now)
    }
}

/// A text on one line; an empty one clears the field.
fn line(text: &str) -> Patch<String> {
    match text.trim() {
        "" => Patch::Clear,
        text => Patch::Set(text.to_owned()),
    }
}

/// A text as it stands.
fn whole(text: &str) -> Patch<String> {
    match text.trim() {
        "" => Patch::Clear,
        _ => Patch::Set(text.to_owned()),
    }
}

fn number<T: std::str::FromStr>(
    field: &str,
    now: &str,
    stored: &str,
    complaint: &str,
) -> Result<Patch<T>, Complaint> {
    match now.trim() {
        now if now == stored => Ok(Patch::Absent),
        "" => Ok(Patch::Clear),
        now => (now.parse().map(Patch::Set)).map_err(|_| Complaint::of(field, complaint)),
    }
}

/// A percentage: a number, as the wire has it.
fn percentage(
    field: &str,
    now: &str,
    stored: &str,
    complaint: &str,
) -> Result<Patch<f64>, Complaint> {
    match number(field, now, stored, complaint)? {
        Patch::Set(value) if !f64::is_finite(value) => Err(Complaint::of(field, complaint)),
        patch => Ok(patch),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::draft::tests::stored;
    use crate::settings::gate::GateChoice;
    use serde_json::{Value, json};

    const KEY: &str = crate::settings::draft::tests::KEY;

    fn sent(change: impl FnOnce(&mut Draft)) -> Value {
        let mut draft = stored();
        change(&mut draft);
        serde_json::to_value(draft.update(&stored()).unwrap()).unwrap()
    }

    #[test]
    fn only_what_differs_is_sent() {
        assert_eq!(sent(|_| ()), json!({}));
        assert_eq!(
            sent(|draft| {
                draft.base_origin.clear();
                draft.masks = ".ad\n\n  #clock ".to_owned();
                draft.paths.push_str("\nhttps://a.test/new New");
                draft.capture_profile.fonts = false;
                draft.diff_threshold = "0.25".to_owned();
            }),
            json!({
                "baseOrigin": null, "masks": [".ad", "#clock"], "diffThreshold": 0.25,
                "paths": [
                    { "path": "/", "label": "Home" }, { "path": "/cart", "label": "" }, { "path": "/a b", "label": "" },
                    { "path": "/new", "label": "New" }
                ],
                "captureProfile": serde_json::to_value(CaptureProfile {
                    video: false, fonts: false, clock: Some("2026-01-15T12:00:00Z".to_owned()), ..CaptureProfile::default()
                }).unwrap(),
            })
        );
    }

    #[test]
    fn an_hour_goes_with_a_schedule_that_has_one() {
        assert_eq!(
            sent(|draft| draft.schedule = None),
            json!({ "schedule": null })
        );
        assert_eq!(
            sent(|draft| draft.schedule = Some(Schedule::Hourly)),
            json!({ "schedule": "hourly", "scheduleKeyId": KEY }),
            "the service would take the key that saves"
        );
        assert_eq!(
            sent(|draft| draft.schedule_key.clear()),
            json!({ "scheduleKeyId": null })
        );
        assert_eq!(
            sent(|draft| draft.hour_utc = 5),
            json!({ "scheduleHourUtc": 5 })
        );
        let new = Draft {
            test_origin: "https://a.test".to_owned(),
            schedule: Some(Schedule::Weekly),
            ..Draft::default()
        };
        assert_eq!(
            serde_json::to_value(new.update(&Draft::default()).unwrap()).unwrap(),
            json!({ "testOrigin": "https://a.test", "schedule": "weekly", "scheduleHourUtc": 0 })
        );
    }

    #[test]
    fn what_goes_with_the_reference_origin_is_not_sent_without_it() {
        let cleared = sent(|draft| {
            draft.base_gate.choice = GateChoice::Basic;
            draft.base_origin = " ".to_owned();
        });
        assert_eq!(cleared, json!({ "baseOrigin": null }));
    }

    #[test]
    fn a_device_that_was_typed_and_a_path_with_a_blank_are_sent_as_they_are() {
        let update = sent(|draft| {
            draft.device_to_add = " Pixel 7 ".to_owned();
            draft.paths = draft.paths.replace("/a%20b", "/a%20b Two words");
        });
        assert_eq!(
            update,
            json!({
                "devices": ["Desktop Chrome", "iPhone 13", "Pixel 7"],
                "paths": [{ "path": "/", "label": "Home" }, { "path": "/cart", "label": "" }, { "path": "/a b", "label": "Two words" }],
            })
        );
    }

    #[test]
    fn numbers_that_are_none_are_told_with_their_field() {
        let mut draft = stored();
        draft.concurrency = "many".to_owned();
        let complaint = draft.update(&stored()).unwrap_err();
        assert_eq!(complaint.field, "concurrency");
        for none in ["NaN", "inf", "much"] {
            let mut draft = stored();
            draft.diff_threshold = none.to_owned();
            let complaint = draft.update(&stored()).unwrap_err();
            assert_eq!(complaint.field, "diffThreshold", "{none}");
        }
        let refused = Complaint::refused("`paths[3].path` must start with one `/`.".to_owned());
        assert_eq!(refused.field, "paths");
        assert_eq!(Complaint::refused("Too busy.".to_owned()).field, "");
    }
}
