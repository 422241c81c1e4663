//! Stage `color_delta`: which pixels changed, one bit each, and which are left to the host. Twin of
//! `shaders/color_delta.wgsl`.

use crate::mask::{WORD_BITS, words_per_row};
use crate::metric::Decision;
use crate::pair::Pair;
use crate::tile::TILE;

/// Fills the words of one row of tiles (16 rows of pixels); words of identical pixels stay 0.
pub(crate) fn color_delta(pair: &Pair, tile_row: u32, changed: &mut [u32], doubtful: &mut [u32]) {
    let stride = words_per_row(pair.size.width);
    let rows = tile_row * TILE..((tile_row + 1) * TILE).min(pair.size.height);
    for (row, y) in rows.enumerate() {
        if pair.same_run(y, 0..pair.size.width) {
            continue;
        }
        for word in 0..stride {
            let (changed_bits, doubtful_bits) = word_bits(pair, word, y);
            changed[row * stride + word] = changed_bits;
            doubtful[row * stride + word] = doubtful_bits;
        }
    }
}

/// The changed and the doubtful bits of 32 pixels.
fn word_bits(pair: &Pair, word: usize, y: u32) -> (u32, u32) {
    let first = u32::try_from(word).expect("words of a row fit 32 bits") * WORD_BITS;
    let columns = first..(first + WORD_BITS).min(pair.size.width);
    if pair.same_run(y, columns.clone()) {
        return (0, 0);
    }
    let (mut changed, mut doubtful) = (0, 0);
    for x in columns {
        let place = pair.place(x, y);
        let decision = if place.only_one {
            decide_only_one(place.baseline, place.current)
        } else {
            pair.threshold.decide(place.baseline, place.current)
        };
        match decision {
            Decision::Same => {}
            Decision::Changed => changed |= 1 << (x - first),
            Decision::Doubtful => doubtful |= 1 << (x - first),
        }
    }
    let counted = !pair.ignored_word(word, y);
    (changed & counted, doubtful & counted)
}

/// A place that one picture lacks has changed, whatever the colours; a translucent one is left to
/// the host for its distance.
fn decide_only_one(baseline: [u8; 4], current: [u8; 4]) -> Decision {
    if baseline[3] == 255 && current[3] == 255 {
        Decision::Changed
    } else {
        Decision::Doubtful
    }
}
