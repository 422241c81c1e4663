//! A draft that was left, laid over what is stored by now.

use std::collections::{HashMap, HashSet};

use super::draft::Draft;
use super::lines::{entries, text_of};

impl Draft {
    /// What was changed in the draft since `old` was stored, on top of `fresh`. Of lists of pages, masks and devices both what was
    /// changed here and what others changed counts; of all else, what was changed here.
    pub(crate) fn onto(&self, old: &Self, fresh: &Self) -> Self {
        macro_rules! each {
            ($($field:ident),+ $(,)?) => {
                Self {
                    paths: pages(&self.paths, &old.paths, &fresh.paths),
                    spaced_paths: fresh.spaced_paths.clone(),
                    masks: text_list(&self.masks, &old.masks, &fresh.masks),
                    devices: list(&self.devices, &old.devices, &fresh.devices),
                    $($field: if self.$field == old.$field {
                        fresh.$field.clone()
                    } else {
                        self.$field.clone()
                    },)+
                }
            };
        }
        each!(
            name,
            test_origin,
            base_origin,
            environment,
            base_environment,
            sitemap_url,
            scans,
            device_to_add,
            custom_css,
            capture_profile,
            clock,
            diff_threshold,
            intent,
            ai_summary_threshold,
            ai_prompt_instructions,
            concurrency,
            baseline_policy,
            schedule,
            hour_utc,
            schedule_key,
            test_gate,
            base_gate,
        )
    }
}

/// Pages by their paths: their labels are one's own where one has changed them.
fn pages(mine: &str, old: &str, fresh: &str) -> String {
    if fresh == old {
        return mine.to_owned();
    }
    let labels = |text| {
        let lines = entries(text).map(|line| (line.split_whitespace().next().unwrap_or(""), line));
        lines.collect::<HashMap<&str, &str>>()
    };
    let (in_mine, in_old) = (labels(mine), labels(old));
    let in_fresh = labels(fresh);
    let path_of = |line: &str| line.split_whitespace().next().unwrap_or("").to_owned();
    let kept = entries(fresh).filter_map(|line| {
        let path = path_of(line);
        match (in_mine.get(&*path), in_old.get(&*path)) {
            (None, Some(_)) => None,
            (Some(mine), old) if old != Some(mine) => Some(*mine),
            _ => Some(line),
        }
    });
    let added = entries(mine).filter(|line| {
        let path = path_of(line);
        !in_old.contains_key(&*path) && !in_fresh.contains_key(&*path)
    });
    let lines: Vec<String> = kept.chain(added).map(str::to_owned).collect();
    text_of(&lines)
}

fn text_list(mine: &str, old: &str, fresh: &str) -> String {
    if fresh == old {
        return mine.to_owned();
    }
    let [mine, old, fresh] =
        [mine, old, fresh].map(|text| entries(text).map(str::to_owned).collect::<Vec<_>>());
    text_of(&list(&mine, &old, &fresh))
}

/// What is stored by now, without what was taken out here, and with what was put in.
fn list(mine: &[String], old: &[String], fresh: &[String]) -> Vec<String> {
    if fresh == old {
        return mine.to_vec();
    }
    let [in_mine, in_old, in_fresh] =
        [mine, old, fresh].map(|entries| entries.iter().collect::<HashSet<_>>());
    let stays = |entry: &&String| !in_old.contains(entry) || in_mine.contains(entry);
    let is_new = |entry: &&String| !in_old.contains(entry) && !in_fresh.contains(entry);
    let kept = fresh.iter().filter(stays);
    kept.chain(mine.iter().filter(is_new)).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::pages;
    use crate::settings::draft::tests::stored;

    #[test]
    fn what_others_saved_meanwhile_stays() {
        let (old, mut mine, mut fresh) = (stored(), stored(), stored());
        mine.masks = "#mine".to_owned();
        mine.intent = "mine".to_owned();
        mine.devices.push("Pixel 7".to_owned());
        fresh.masks = ".ad\n#theirs".to_owned();
        fresh.environment = "theirs".to_owned();
        fresh.intent = "theirs".to_owned();
        let both = mine.onto(&old, &fresh);
        assert_eq!(both.masks, "#theirs\n#mine", "`.ad` was taken out here");
        assert_eq!(
            (both.environment.as_str(), both.intent.as_str()),
            ("theirs", "mine")
        );
        assert_eq!(both.devices, ["Desktop Chrome", "iPhone 13", "Pixel 7"]);
        assert!(old.onto(&old, &fresh) == fresh, "nothing was changed here");
    }

    #[test]
    fn pages_are_the_same_by_their_paths() {
        let old = "/ Home\n/cart\n/gone\n/kept Label";
        let fresh = "/ Start\n/cart Basket\n/gone Relabelled\n/theirs";
        let mine = "/ Home\n/cart Korb\n/kept Other\n/mine";
        assert_eq!(
            pages(mine, old, fresh),
            "/ Start\n/cart Korb\n/theirs\n/mine"
        );
    }

    #[test]
    fn without_another_hand_the_draft_is_as_it_was_left() {
        let mut mine = stored();
        mine.masks = " .ad\n\n#half-typed".to_owned();
        assert!(mine.onto(&stored(), &stored()) == mine);
    }
}
