//! Fields that were changed here and by somebody else, each in another way.

use super::draft::Draft;

/// A field, as the interface names it, and in words.
type Field = (&'static str, &'static str);

impl Draft {
    /// What was changed in the draft since `old` was stored, and otherwise in `fresh`, which is stored by now. Lists of pages,
    /// masks and devices go together and are never contested.
    pub(crate) fn contested(&self, old: &Self, fresh: &Self) -> Vec<Field> {
        macro_rules! contested {
            ($($field:ident: $name:literal, $words:literal;)+) => {
                [$((
                    self.$field != old.$field && fresh.$field != old.$field && self.$field != fresh.$field,
                    ($name, $words),
                ),)+]
            };
        }
        let fields = contested! {
            test_origin: "testOrigin", "the tested origin";
            base_origin: "baseOrigin", "the reference origin";
            environment: "environment", "the environment";
            base_environment: "baseEnvironment", "the reference environment";
            sitemap_url: "sitemapUrl", "the sitemap";
            scans: "scans", "the scans";
            custom_css: "customCss", "the custom CSS";
            capture_profile: "captureProfile", "what is done before a picture is taken";
            clock: "captureProfile", "the time that it is for scripts";
            diff_threshold: "diffThreshold", "the percentage above which a page is changed";
            intent: "intent", "the intent";
            ai_summary_threshold: "aiSummaryThreshold", "the percentage below which nothing is described";
            ai_prompt_instructions: "aiPromptInstructions", "how findings are worded";
            concurrency: "concurrency", "the pages at once";
            baseline_policy: "baselinePolicy", "when captures become baselines";
            schedule: "schedule", "the schedule";
            hour_utc: "scheduleHourUtc", "the hour of the schedule";
            schedule_key: "scheduleKeyId", "the key of the schedule";
            test_gate: "testAuth", "the gate credential";
            base_gate: "baseAuth", "the gate credential of the reference";
        };
        // A credential was typed for the origin that was there: nobody else may lead it elsewhere.
        let elsewhere = [
            (
                self.test_gate != old.test_gate
                    && self.test_origin == old.test_origin
                    && fresh.test_origin != old.test_origin,
                ("testAuth", "the origin that the gate credential is for"),
            ),
            (
                self.base_gate != old.base_gate
                    && self.base_origin == old.base_origin
                    && fresh.base_origin != old.base_origin,
                (
                    "baseAuth",
                    "the origin that the gate credential of the reference is for",
                ),
            ),
        ];
        let all = fields.into_iter().chain(elsewhere);
        all.filter_map(|(is_contested, field)| is_contested.then_some(field))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::draft::tests::stored;
    use crate::settings::gate::GateChoice;

    fn names(mine: fn(&mut Draft), theirs: fn(&mut Draft)) -> Vec<&'static str> {
        let (old, mut draft, mut fresh) = (stored(), stored(), stored());
        mine(&mut draft);
        theirs(&mut fresh);
        let contested = draft.contested(&old, &fresh);
        contested.into_iter().map(|(name, _)| name).collect()
    }

    #[test]
    fn a_field_is_contested_that_both_changed_and_not_to_the_same() {
        let intent = |draft: &mut Draft| draft.intent = "mine".to_owned();
        assert_eq!(
            names(intent, |fresh| fresh.intent = "theirs".to_owned()),
            ["intent"]
        );
        assert!(names(intent, intent).is_empty(), "both want the same");
        assert!(names(intent, |fresh| fresh.concurrency = "7".to_owned()).is_empty());
        assert!(names(intent, |_| ()).is_empty());
        assert!(names(|_| (), intent).is_empty());
        let lists = |draft: &mut Draft| draft.masks = "#mine".to_owned();
        let theirs = |fresh: &mut Draft| fresh.masks = "#theirs".to_owned();
        assert!(names(lists, theirs).is_empty(), "lists go together");
    }

    #[test]
    fn a_credential_is_not_led_to_an_origin_that_its_writer_has_not_seen() {
        let credential = |draft: &mut Draft| draft.test_gate.choice = GateChoice::Basic;
        let moved = |fresh: &mut Draft| fresh.test_origin = "http://elsewhere.test".to_owned();
        assert_eq!(names(credential, moved), ["testAuth"]);
        assert!(
            names(moved, credential).is_empty(),
            "it goes with its origin"
        );
        let both = |draft: &mut Draft| {
            draft.test_gate.choice = GateChoice::Basic;
            draft.test_origin = "http://mine.test".to_owned();
        };
        assert_eq!(names(both, moved), ["testOrigin"]);
    }
}
