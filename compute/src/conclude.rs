//! From the raw results of the stages to the facts of a comparison.

use crate::backend::Backend;
use crate::comparison::{Comparison, DeltaSums};
use crate::cpu::ssim::loss_of_few;
use crate::error::Error;
use crate::faint::faint_tiles;
use crate::measured::Measured;
use crate::one_sided;
use crate::options::CompareOptions;
use crate::pair::{Pair, Side};
use crate::regions::find_regions;
use crate::score::{score, window_count};

/// Windows of a page whose score is counted in 64 bits. What a window loses in 32 bits may be 1.5e-6 off, which in a score, of 100,
/// would be more than 1e-4 if all were off the same way; of so many and more they are not.
const FEW_WINDOWS: u64 = 1024;

/// Adds what only one picture has, counts, and finds the regions.
///
/// Fails when a strip could not be decoded after all.
pub(crate) fn conclude(
    pair: &mut Pair<'_>,
    measured: Measured,
    options: &CompareOptions,
    backend: Backend,
) -> Result<Comparison, Error> {
    let one_sided = one_sided::measure(pair);
    let mut deltas = (measured.tiles.iter()).fold(DeltaSums::default(), |sums, tile| {
        sums.plus(DeltaSums::of(tile))
    });
    let mut mask = measured.changed;
    for lone in &one_sided {
        mask.fill(lone.place.area);
        deltas = deltas.plus(lone.deltas);
    }
    if let Some(ignored) = &pair.ignored {
        mask.remove(ignored);
    }
    let faint = faint_tiles(pair, &measured.differing, [&mask, &measured.anti_aliased]);
    let pixels_of = |side: Side| {
        let lone = one_sided.iter().filter(|lone| lone.place.side == side);
        lone.map(|lone| lone.deltas.changed).sum()
    };
    let unaligned_pixels =
        (!pair.layout.is_in_place()).then(|| one_sided::count_unaligned(pair, &options.ignore));
    let windows = window_count(pair.size, pair.ignored.as_ref());
    let loss = if windows <= FEW_WINDOWS {
        loss_of_few(pair, &measured.differing)
    } else {
        measured.loss
    };
    let regions = find_regions(pair, &mask, &measured.tiles, &one_sided);
    let comparison = Comparison {
        baseline: pair.baseline.size,
        current: pair.current.size,
        changed_pixels: mask.count(),
        anti_aliased_pixels: measured.anti_aliased.count(),
        inserted_pixels: pixels_of(Side::Current),
        removed_pixels: pixels_of(Side::Baseline),
        unaligned_pixels,
        total_pixels: pair.total_pixels,
        score: score(loss, windows),
        mean_delta: deltas.mean(),
        max_delta: deltas.largest(),
        regions,
        mask,
        faint,
        backend,
        layout: pair.layout.clone(),
    };
    // Only now has every strip been read that is read at all.
    pair.check()?;
    Ok(comparison)
}
