//! Stage `color_delta`: which pixels changed, one bit each. Twin of `shaders/color_delta.wgsl`.
//!
//! Opaque pixels are first decided in 32-bit floats, 32 of them at a time in whatever vectors the
//! processor has; the few that come too close to the threshold for that, and translucent ones, are
//! decided exactly as the metric defines it.

use pulp::{Arch, Simd, WithSimd};

use crate::dirty::Dirty;
use crate::mask::{WORD_BITS, words_per_row};
use crate::metric::{Decision, FloatBounds, float_delta};
use crate::pair::{Pair, SharedRow};

/// Bytes of the pixels of one word in RGB.
const WORD_BYTES: usize = 3 * WORD_BITS as usize;

/// Fills the words of one row of tiles (16 rows of pixels); words of identical pixels stay 0.
pub(crate) fn color_delta(pair: &Pair<'_>, dirty: &Dirty, tile_row: u32, changed: &mut [u32]) {
    let stride = words_per_row(pair.size.width);
    // Of the latest lane: mostly there is one.
    let (mut runs, mut of_columns) = (Vec::new(), 0..0);
    for (y, words) in pair.pixel_rows(tile_row).zip(changed.chunks_mut(stride)) {
        for row in pair.unsettled_rows(y) {
            if of_columns != (row.from..row.until) {
                of_columns = row.from..row.until;
                runs.clear();
                runs.extend(dirty.runs(tile_row, row.from, row.until));
            }
            for columns in &runs {
                let run = SharedRow {
                    from: columns.start,
                    until: columns.end,
                    ..row
                };
                decide(pair, &run, y, words);
            }
        }
        if let Some(ignored) = &pair.ignored {
            for (word, ignored) in words.iter_mut().zip(ignored.row(y)) {
                *word &= !ignored;
            }
        }
    }
}

/// Pixels beyond the threshold when both pictures are laid over each other without any shift,
/// anti-aliased and one-sided ones included.
pub(crate) fn count_in_place(pair: &Pair<'_>, y: u32, ignored: Option<&[u32]>) -> u64 {
    let Some(row) = pair.unsettled_row_in_place(y) else {
        return 0;
    };
    let mut words = vec![0; words_per_row(row.until)];
    decide_run(pair, &row, y, &mut words);
    words
        .iter()
        .enumerate()
        .map(|(at, word)| word & !ignored.map_or(0, |ignored| ignored[at]))
        .map(|word| u64::from(word.count_ones()))
        .sum()
}

/// Fills those of a row's words that a run has a part in; the others to the left of it are done.
fn decide(pair: &Pair<'_>, run: &SharedRow<'_>, y: u32, words: &mut [u32]) {
    let words = &mut words[..run.until.div_ceil(WORD_BITS) as usize];
    let whole = run.from.next_multiple_of(WORD_BITS);
    if run.from < whole {
        // A lane may begin within a word.
        let until = run.until.min(whole);
        let part = SharedRow { until, ..*run };
        decide_one_by_one(
            pair,
            &part,
            y,
            &mut words[(run.from / WORD_BITS) as usize..],
        );
    }
    if whole < run.until {
        let rest = SharedRow {
            from: whole,
            ..*run
        };
        decide_run(pair, &rest, y, &mut words[(whole / WORD_BITS) as usize..]);
    }
}

/// Fills the words of a run that begins with a whole word.
fn decide_run(pair: &Pair<'_>, run: &SharedRow<'_>, y: u32, words: &mut [u32]) {
    if run.baseline.channels == 3 && run.current.channels == 3 {
        let columns = run.from..run.until;
        let (baseline, current) = (
            run.baseline.part(columns.clone()),
            run.current.part(columns),
        );
        let bounds = pair.threshold.float;
        let mut close = [0; 8];
        for (group, words) in words.chunks_mut(close.len()).enumerate() {
            let bytes = group * close.len() * WORD_BYTES;
            let close = &mut close[..words.len()];
            Arch::new().dispatch(DecideOpaque {
                baseline: &baseline[bytes..],
                current: &current[bytes..],
                bounds,
                changed: &mut *words,
                close: &mut *close,
            });
            for (at, (word, close)) in words.iter_mut().zip(close).enumerate() {
                let first = run.from
                    + u32::try_from(group * 8 + at).expect("words of a row fit 32 bits")
                        * WORD_BITS;
                for_each_bit(*close, |bit| {
                    *word |= u32::from(exceeds(pair, run, first + bit, y)) << bit;
                });
            }
        }
        return;
    }
    decide_one_by_one(pair, run, y, words);
}

/// Sets the bits of a run in words of which the first has its first pixel.
fn decide_one_by_one(pair: &Pair<'_>, run: &SharedRow<'_>, y: u32, words: &mut [u32]) {
    let first_word = run.from / WORD_BITS * WORD_BITS;
    for (first, word) in (first_word..).step_by(WORD_BITS as usize).zip(words) {
        for x in first.max(run.from)..(first + WORD_BITS).min(run.until) {
            let changed = match pair
                .threshold
                .decide(run.baseline.pixel(x), run.current.pixel(x))
            {
                Decision::Same => false,
                Decision::Changed => true,
                Decision::Doubtful => exceeds(pair, run, x, y),
            };
            *word |= u32::from(changed) << (x - first);
        }
    }
}

/// Whether a pixel of a run changed, exactly as the metric defines it.
fn exceeds(pair: &Pair<'_>, run: &SharedRow<'_>, x: u32, y: u32) -> bool {
    let (before, after) = (run.baseline.pixel(x), run.current.pixel(x));
    pair.threshold.exceeds(before, after, pair.index(x, y))
}

/// Decides RGB pixels word by word; `close` gets those too close to the threshold.
struct DecideOpaque<'a> {
    baseline: &'a [u8],
    current: &'a [u8],
    bounds: FloatBounds,
    changed: &'a mut [u32],
    close: &'a mut [u32],
}

impl WithSimd for DecideOpaque<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let (mut baseline, mut current) = (self.baseline, self.current);
        for (changed, close) in self.changed.iter_mut().zip(self.close) {
            let (one, rest) = baseline.split_at(baseline.len().min(WORD_BYTES));
            let (other, other_rest) = current.split_at(current.len().min(WORD_BYTES));
            (baseline, current) = (rest, other_rest);
            (*changed, *close) =
                if let Some((one, other)) = one.first_chunk().zip(other.first_chunk()) {
                    decide_word(one, other, self.bounds)
                } else {
                    // The last word of a row: the pixels that are missing are the same in both.
                    let (mut padded_one, mut padded_other) = ([0; WORD_BYTES], [0; WORD_BYTES]);
                    padded_one[..one.len()].copy_from_slice(one);
                    padded_other[..other.len()].copy_from_slice(other);
                    decide_word(&padded_one, &padded_other, self.bounds)
                };
        }
    }
}

#[inline(always)]
fn decide_word(
    baseline: &[u8; WORD_BYTES],
    current: &[u8; WORD_BYTES],
    bounds: FloatBounds,
) -> (u32, u32) {
    if baseline == current {
        return (0, 0);
    }
    let differences = baseline
        .iter()
        .zip(current)
        .map(|(one, other)| one.abs_diff(*other));
    if differences.fold(0, u8::max) <= bounds.channel {
        return (0, 0);
    }
    let mut deltas = [0.0_f32; WORD_BITS as usize];
    for (at, delta) in deltas.iter_mut().enumerate() {
        let difference = |channel: usize| {
            f32::from(i16::from(baseline[3 * at + channel]) - i16::from(current[3 * at + channel]))
        };
        *delta = float_delta([difference(0), difference(1), difference(2)]);
    }
    let (mut changed, mut close) = (0, 0);
    for (bit, &delta) in deltas.iter().enumerate() {
        changed |= u32::from(delta > bounds.high) << bit;
        // The same pixels are never close, however low the threshold.
        close |= u32::from(delta > 0.0 && delta >= bounds.low && delta <= bounds.high) << bit;
    }
    (changed, close)
}

/// Calls with the number of each set bit, from the lowest.
pub(crate) fn for_each_bit(mut word: u32, mut call: impl FnMut(u32)) {
    while word != 0 {
        call(word.trailing_zeros());
        word &= word - 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metric::Threshold;

    /// Pixels that differ by as much in every channel, up or down, which are those that are furthest apart.
    #[test]
    fn words_are_decided_as_the_metric_says() {
        for threshold in [0.0, 0.02, 0.1, 0.5].map(|threshold| Threshold::new(threshold).unwrap()) {
            let mut decided = [0, 0];
            for (difference, corner) in
                (0..=255).flat_map(|by| (0..8).map(move |corner| (by, corner)))
            {
                let pixel = |sign: u8| {
                    [0, 1, 2].map(|channel| u8::from(corner >> channel & 1 == sign) * difference)
                };
                let (one, other) = (pixel(0), pixel(1));
                let at = usize::from(difference) % WORD_BITS as usize;
                let word = |pixel: [u8; 3]| {
                    let mut word = [200; WORD_BYTES];
                    word[3 * at..3 * at + 3].copy_from_slice(&pixel);
                    word
                };
                let (changed, close) = decide_word(&word(one), &word(other), threshold.float);
                let opaque = |[r, g, b]: [u8; 3]| [r, g, b, 255];
                let exceeds = threshold.exceeds(opaque(one), opaque(other), 0);
                if close == 0 {
                    assert_eq!(
                        changed,
                        u32::from(exceeds) << at,
                        "{threshold:?} {difference} {corner}"
                    );
                    decided[usize::from(exceeds)] += 1;
                } else {
                    assert_eq!(close, 1 << at);
                }
            }
            assert!(decided[0] >= 8 && decided[1] > 500, "{decided:?}");
        }
    }
}
