//! Matching set beside the library `imara-diff`, and by itself.

use imara_diff::{Algorithm, Diff, InternedInput};

use super::*;

/// Numbers that look random.
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) % end
    }

    fn place(&mut self, rows: &[u64]) -> usize {
        usize::try_from(self.below(rows.len() as u64)).unwrap()
    }
}

/// What the library `imara-diff` matches.
fn by_library(one: &[u64], other: &[u64]) -> u32 {
    let mut input = InternedInput::<u64>::default();
    input.update_before(one.iter().copied());
    input.update_after(other.iter().copied());
    let diff = Diff::compute(Algorithm::Histogram, &input);
    length(one) - diff.count_removals()
}

/// How many rows are matched, all of which must be the same and in order.
fn matched(one: &[u64], other: &[u64]) -> u32 {
    let runs = matched_runs(one, other);
    let (mut baseline, mut current) = (0, 0);
    for run in &runs {
        assert!(
            run.baseline >= baseline && run.current >= current,
            "{runs:?}"
        );
        (baseline, current) = (run.baseline + run.rows, run.current + run.rows);
        let rows = |first: u32| first as usize..(first + run.rows) as usize;
        assert_eq!(one[rows(run.baseline)], other[rows(run.current)]);
    }
    row_count(&runs)
}

/// Lines of text, each with rows of its own, and blank rows between them.
fn page(random: &mut Random, lines: u64) -> Vec<u64> {
    let line = |_| {
        let (first, rows, blank) = (random.below(1 << 40), 5 + random.below(10), random.below(8));
        let rows = (0..rows).map(move |row| first + row);
        rows.chain(std::iter::repeat_n(0, usize::try_from(blank).unwrap()))
    };
    (0..lines).flat_map(line).collect()
}

#[test]
fn edited_pages_match_as_the_library_has_it() {
    let mut random = Random(1);
    let (mut same, mut ours, mut theirs) = (0, 0, 0);
    for _ in 0..300 {
        let before = page(&mut random, 40);
        let mut after = before.clone();
        for _ in 0..=random.below(12) {
            let at = random.place(&after);
            let end = (at + 20).min(after.len());
            match random.below(4) {
                0 => after[at] = random.below(1 << 40),
                1 => drop(after.splice(at..at, page(&mut random, 2))),
                2 => drop(after.drain(at..end)),
                _ => after[at..end].rotate_left((end - at) / 2),
            }
        }
        let both = (matched(&before, &after), by_library(&before, &after));
        same += u32::from(both.0 == both.1);
        ours += both.0;
        theirs += both.1;
    }
    // The library passes over some of a row's likes.
    assert!(same > 290 && ours >= theirs, "{same} {ours} {theirs}");
}

#[test]
fn a_long_block_that_went_past_many_short_ones_leaves_them_matched() {
    let mut random = Random(4);
    let mut rows = |count: u64| -> Vec<u64> { (0..count).map(|_| random.below(1 << 40)).collect() };
    let moved = rows(60);
    let (mut short_before, mut short_after) = (Vec::new(), Vec::new());
    for _ in 0..10 {
        let short = rows(20);
        // A row between them is another one each time, so that each is a run of its own.
        short_before.extend(short.iter().copied().chain(rows(1)));
        short_after.extend(short.into_iter().chain(rows(1)));
    }
    let before = [short_before, moved.clone()].concat();
    let after = [moved, short_after].concat();
    assert_eq!(
        by_library(&before, &after),
        60,
        "the longest is taken first"
    );
    assert_eq!(matched(&before, &after), 200);
    assert_eq!(matched(&after, &before), 200);
}

#[test]
fn rows_of_few_kinds_match_about_as_well_as_the_library_has_it() {
    let mut random = Random(2);
    let (mut ours, mut theirs) = (0, 0);
    for round in 0..3_000 {
        let kinds = [2, 5, 30, 200][round % 4];
        let mut rows = |count: u64| -> Vec<u64> {
            let count = random.below(count);
            (0..count).map(|_| random.below(kinds)).collect()
        };
        let (one, other) = (rows(150), rows(150));
        ours += matched(&one, &other);
        theirs += by_library(&one, &other);
    }
    assert!(ours * 50 >= theirs * 49, "{ours} {theirs}");
}

#[test]
fn what_is_left_when_there_were_too_many_looks_is_matched_by_unique_rows() {
    let mut random = Random(3);
    let before = page(&mut random, 200);
    let mut after = before.clone();
    let inserted = page(&mut random, 10);
    after.splice(900..900, inserted);
    after.drain(300..350);
    let mut histogram = Histogram::of(&before, &after);
    histogram.looks_left = 1;
    let mut runs = Vec::new();
    let all = Piece {
        one: 0..length(&before),
        other: 0..length(&after),
    };
    histogram.match_rows(vec![all], &mut runs);
    assert_eq!(row_count(&joined(runs)), matched(&before, &after));
}

#[test]
fn the_longest_chain_is_found() {
    let mut random = Random(4);
    for _ in 0..200 {
        let mut seconds: Vec<u32> = (0..9).collect();
        for at in (1..9).rev() {
            seconds.swap(at, usize::try_from(random.below(at as u64 + 1)).unwrap());
        }
        let pairs: Vec<(u32, u32)> = (0..).zip(seconds).collect();
        let ascends = |chain: &[(u32, u32)]| chain.is_sorted_by(|one, next| one.1 < next.1);
        let best = (0_u32..1 << 9)
            .map(|chosen| -> Vec<(u32, u32)> {
                let is_chosen = |pair: &&(u32, u32)| chosen >> pair.0 & 1 == 1;
                pairs.iter().filter(is_chosen).copied().collect()
            })
            .filter(|chain| ascends(chain))
            .map(|chain| chain.len())
            .max();
        let chain = longest_chain(&pairs);
        assert!(
            ascends(&chain) && Some(chain.len()) == best,
            "{pairs:?} {chain:?}"
        );
    }
}
