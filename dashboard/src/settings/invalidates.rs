//! What saving a draft makes invalid. The service has the last word; this tells it beforehand.

use std::collections::BTreeSet;

use pentimento_api::patch::Patch;

use super::draft::{DEFAULT_DEVICE, Draft};
use super::gate::GateDraft;
use super::lines::entries;

impl Draft {
    /// The fields that make the baselines invalid when the draft is saved, in words. Order and labels do not count.
    pub(crate) fn invalidates(&self, stored: &Self) -> Vec<&'static str> {
        let gate =
            |now: &GateDraft, stored: &GateDraft| !matches!(now.patch(stored), Ok(Patch::Absent));
        let differing = [
            (
                origin(&self.test_origin) != origin(&stored.test_origin),
                "the tested origin",
            ),
            (
                origin(&self.base_origin) != origin(&stored.base_origin),
                "the reference origin",
            ),
            (self.sitemap_url.trim() != stored.sitemap_url, "the sitemap"),
            (path_set(self) != path_set(stored), "the pages"),
            (scan_set(self) != scan_set(stored), "the scans"),
            (device_set(self) != device_set(stored), "the devices"),
            (mask_set(self) != mask_set(stored), "the masks"),
            (self.custom_css != stored.custom_css, "the custom CSS"),
            (
                gate(&self.test_gate, &stored.test_gate)
                    || self.has_base() && gate(&self.base_gate, &stored.base_gate),
                "a gate credential",
            ),
        ];
        let names = differing.into_iter().filter(|(differs, _)| *differs);
        names.map(|(_, name)| name).collect()
    }
}

fn origin(text: &str) -> String {
    text.trim().trim_end_matches('/').to_lowercase()
}

fn path_set(draft: &Draft) -> BTreeSet<String> {
    draft.pages().into_iter().map(|page| page.path).collect()
}

fn mask_set(draft: &Draft) -> BTreeSet<&str> {
    entries(&draft.masks).collect()
}

fn device_set(draft: &Draft) -> BTreeSet<String> {
    let mut devices = draft.all_devices();
    if devices.is_empty() {
        devices.push(DEFAULT_DEVICE.to_owned());
    }
    devices.iter().map(|name| name.to_lowercase()).collect()
}

fn scan_set(draft: &Draft) -> BTreeSet<String> {
    let scans = draft.scans.iter().filter(|scan| !scan.is_empty());
    let text = |scan: &super::scan::ScanDraft| {
        let exclude: BTreeSet<&str> = scan.exclude.split_whitespace().collect();
        format!("{} {} {exclude:?}", scan.pattern.trim(), scan.limit.trim())
    };
    scans.map(text).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::draft::tests::stored;
    use crate::settings::gate::GateChoice;
    use crate::settings::scan::ScanDraft;

    #[test]
    fn what_invalidates_baselines_is_told_before() {
        let invalidated = |change: fn(&mut Draft)| {
            let mut draft = stored();
            change(&mut draft);
            draft.invalidates(&stored())
        };
        let none: [&str; 0] = [];
        assert_eq!(invalidated(|_| ()), none);
        assert_eq!(
            invalidated(|draft| {
                draft.intent = "nothing".to_owned();
                draft.schedule = None;
                draft.paths = "/cart The cart\n/\n/a%20b".to_owned();
                draft.test_origin = "https://A.test/".to_owned();
                draft.devices = vec!["iphone 13".to_owned(), "Desktop Chrome".to_owned()];
                draft.scans.push(ScanDraft::default());
            }),
            none
        );
        let on_default = |devices: &[&str]| Draft {
            devices: devices.iter().map(|name| (*name).to_owned()).collect(),
            ..stored()
        };
        assert_eq!(
            on_default(&[]).invalidates(&on_default(&["Desktop Chrome"])),
            none
        );
        assert_eq!(
            invalidated(|draft| {
                draft.paths.push_str("\n/new");
                draft.scans[0].limit = "6".to_owned();
                draft.test_gate.choice = GateChoice::Open;
            }),
            ["the pages", "the scans", "a gate credential"]
        );
    }
}
