//! Pages in two versions, made of what happened between them.

use pentimento_compute::{Alignment, Band};

use super::{WIDTH, compare, lane};
use crate::pages::Page;

/// What happens to the next rows of a page.
#[derive(Debug, Clone, Copy)]
pub(super) enum Step {
    Keep(u32),
    Insert(u32),
    Remove(u32),
}

/// A page in two versions, and the bands that tell what happened between them.
pub(super) struct Story {
    pub(super) before: Page,
    pub(super) after: Page,
    pub(super) bands: Vec<Band>,
}

impl Story {
    pub(super) fn of(steps: &[Step]) -> Self {
        let rows = |step: &Step| match *step {
            Step::Keep(rows) | Step::Insert(rows) | Step::Remove(rows) => rows,
        };
        let total: u32 = steps.iter().map(rows).sum();
        let (kept, inserted, removed) = (
            Page::prose(WIDTH, total, 100),
            Page::noise(WIDTH, total, 200),
            Page::noise(WIDTH, total, 300),
        );
        let (mut before, mut after) = (Vec::new(), Vec::new());
        let (mut y, mut at_before, mut at_after) = (0, 0, 0);
        let mut bands = Vec::new();
        for step in steps.iter().filter(|step| rows(step) > 0) {
            let count = rows(step);
            let place = y..y + count;
            let (in_before, in_after) = match step {
                Step::Keep(_) => {
                    before.push((&kept, place.clone()));
                    after.push((&kept, place));
                    (true, true)
                }
                Step::Insert(_) => {
                    after.push((&inserted, place));
                    (false, true)
                }
                Step::Remove(_) => {
                    before.push((&removed, place));
                    (true, false)
                }
            };
            bands.push(Band {
                y,
                rows: count,
                baseline_y: in_before.then_some(at_before),
                current_y: in_after.then_some(at_after),
                moved: None,
            });
            y += count;
            at_before += if in_before { count } else { 0 };
            at_after += if in_after { count } else { 0 };
        }
        Self {
            before: Page::stacked(&before),
            after: Page::stacked(&after),
            bands,
        }
    }

    /// Changes pixels of kept rows, away from where anything happened, if there are such; returns how many.
    pub(super) fn plant(&mut self, places: &[(u32, u32)]) -> u64 {
        let is_kept =
            |band: &&Band| band.baseline_y.is_some() && band.current_y.is_some() && band.rows > 8;
        let kept: Vec<Band> = self.bands.iter().filter(is_kept).copied().collect();
        if kept.is_empty() {
            return 0;
        }
        let mut planted = std::collections::HashSet::new();
        for &(x, pick) in places {
            let band = kept[pick as usize % kept.len()];
            let y = band.current_y.unwrap() + 4 + pick / 7 % (band.rows - 8);
            if planted.insert((x % WIDTH, y)) {
                self.after = self.after.clone().inverted_at(x % WIDTH, y);
            }
        }
        planted.len() as u64
    }

    pub(super) fn check(&self, planted: u64) {
        let there = compare(&self.before, &self.after, Alignment::Auto);
        let back = compare(&self.after, &self.before, Alignment::Auto);
        let swapped: Vec<Band> = self.bands.iter().map(|band| swap(*band)).collect();
        assert_eq!(there.layout.lanes, [lane(0, WIDTH, &self.bands)]);
        assert_eq!(back.layout.lanes, [lane(0, WIDTH, &swapped)]);
        let lone = |is_lone: fn(&Band) -> bool| -> u64 {
            let rows = self.bands.iter().filter(|band| is_lone(band));
            rows.map(|band| u64::from(band.rows)).sum::<u64>() * u64::from(WIDTH)
        };
        let inserted = lone(|band| band.baseline_y.is_none());
        let removed = lone(|band| band.current_y.is_none());
        assert_eq!(
            (
                there.inserted_pixels,
                there.removed_pixels,
                there.changed_pixels
            ),
            (inserted, removed, inserted + removed + planted)
        );
        let off = compare(&self.before, &self.after, Alignment::Off);
        // What was put at the end, or taken from there, displaced nothing.
        let unaligned = (!there.layout.is_in_place()).then_some(off.changed_pixels);
        assert_eq!(there.unaligned_pixels, unaligned);
    }
}

pub(super) fn swap(band: Band) -> Band {
    Band {
        baseline_y: band.current_y,
        current_y: band.baseline_y,
        ..band
    }
}

/// Kept rows with what happens between them; the last rows are kept.
pub(super) fn steps(kept: std::ops::Range<u32>, happens: Vec<(u32, Step)>) -> Vec<Step> {
    let (first, more_rows) = (kept.start, kept.end - kept.start);
    let mut steps: Vec<Step> = happens
        .into_iter()
        .flat_map(|(more, step)| [Step::Keep(first + more % more_rows), step])
        .collect();
    steps.push(Step::Keep(first));
    steps
}
