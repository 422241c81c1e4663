//! The door to the crate: picks a backend once, then compares pairs with it.

use crate::backend::{Backend, BackendChoice, BackendReport};
use crate::comparison::{CompareOptions, Comparison, DeltaSums};
use crate::cpu;
use crate::error::Error;
use crate::gpu::Gpu;
use crate::layout::Layout;
use crate::load::page_size;
use crate::mask::{BitMask, union_of};
use crate::measured::Measured;
use crate::metric::Threshold;
use crate::one_sided;
use crate::pair::{Pair, Side};
use crate::picture::Picture;
use crate::regions::find_regions;
use crate::score::{score, window_count};

/// Compares pairs of screenshots on the backend it was built for.
///
/// It is meant to be built once and shared. Comparing blocks the calling thread and uses all
/// processors.
#[derive(Debug)]
pub struct Comparator {
    gpu: Option<Gpu>,
    report: BackendReport,
}

impl Comparator {
    /// Looks for the wanted hardware and prepares it.
    ///
    /// # Errors
    /// With [`BackendChoice::Gpu`] only: [`Error::NoAdapter`] when there is none, [`Error::Gpu`]
    /// when it cannot be opened.
    pub fn new(choice: BackendChoice) -> Result<Self, Error> {
        let cpu = |reason: String| Self {
            gpu: None,
            report: BackendReport::cpu(reason),
        };
        match choice {
            BackendChoice::Cpu => Ok(cpu("the CPU was asked for".into())),
            BackendChoice::Gpu => {
                let gpu = Gpu::open_any()?;
                let report = gpu.report("a graphics adapter was asked for");
                Ok(Self {
                    gpu: Some(gpu),
                    report,
                })
            }
            BackendChoice::Auto => Ok(match Gpu::open_hardware() {
                Ok(gpu) => {
                    let report = gpu.report("a graphics card was found");
                    Self {
                        gpu: Some(gpu),
                        report,
                    }
                }
                Err(reason) => cpu(reason),
            }),
        }
    }

    /// Which backend compares now, and why; a GPU that was lost shows as the CPU.
    pub fn report(&self) -> BackendReport {
        match &self.gpu {
            Some(gpu) if gpu.is_lost() => BackendReport::cpu(format!(
                "the device {} was lost",
                self.report.adapter.as_deref().unwrap_or("GPU")
            )),
            _ => self.report.clone(),
        }
    }

    /// Compares two pictures.
    ///
    /// Files of the same bytes are the same picture: they are not decoded, so damage beyond the
    /// header is not noticed. A GPU that fails is replaced by the CPU for this comparison, which
    /// gives the same numbers, with a warning.
    ///
    /// # Errors
    /// As [`crate::read_size`] for each file and for the page that holds both; [`Error::Corrupt`]
    /// when one cannot be decoded; [`Error::Threshold`].
    pub fn compare<'a>(
        &self,
        baseline: impl Into<Picture<'a>>,
        current: impl Into<Picture<'a>>,
        options: &CompareOptions,
    ) -> Result<Comparison, Error> {
        let (baseline, current) = (baseline.into(), current.into());
        if baseline == current {
            return self.identical(baseline, options);
        }
        // On a thread of the pool: the many small steps of decoding side by side then hand over
        // work without waking threads.
        rayon::scope(|_| self.compare_pixels(baseline, current, options))
    }

    fn compare_pixels(
        &self,
        baseline: Picture<'_>,
        current: Picture<'_>,
        options: &CompareOptions,
    ) -> Result<Comparison, Error> {
        let pair = Pair::load(baseline, current, options)?;
        let gpu = self.gpu.as_ref().filter(|gpu| !gpu.is_lost());
        if let Some(gpu) = gpu.filter(|_| pair.fits_gpu()) {
            match gpu.measure(&pair) {
                Ok(measured) => return conclude(pair, measured, options, Backend::Gpu),
                Err(error) => {
                    tracing::warn!(%error, size = %pair.size, "comparing on the CPU instead");
                }
            }
        }
        let measured = cpu::measure(&pair);
        conclude(pair, measured, options, Backend::Cpu)
    }

    fn identical(
        &self,
        picture: Picture<'_>,
        options: &CompareOptions,
    ) -> Result<Comparison, Error> {
        Threshold::new(options.threshold)?;
        let size = page_size(picture, picture)?;
        let ignored = union_of(size, &options.ignore).map_or(0, |mask| mask.count());
        Ok(Comparison {
            baseline: size,
            current: size,
            layout: Layout::in_place(size, size),
            changed_pixels: 0,
            anti_aliased_pixels: 0,
            inserted_pixels: 0,
            removed_pixels: 0,
            unaligned_pixels: None,
            total_pixels: size.pixels() - ignored,
            score: 100.0,
            mean_delta: 0.0,
            max_delta: 0.0,
            regions: Vec::new(),
            mask: BitMask::new(size),
            backend: self.report().backend,
        })
    }
}

/// From raw results to facts.
fn conclude(
    pair: Pair<'_>,
    measured: Measured,
    options: &CompareOptions,
    backend: Backend,
) -> Result<Comparison, Error> {
    let (columns, _) = pair.tiles();
    let one_sided = one_sided::measure(&pair);
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
    let pixels_of = |side: Side| {
        let lone = one_sided.iter().filter(|lone| lone.place.side == side);
        lone.map(|lone| lone.deltas.changed).sum()
    };
    Ok(Comparison {
        baseline: pair.baseline.size,
        current: pair.current.size,
        changed_pixels: mask.count(),
        anti_aliased_pixels: measured.anti_aliased.count(),
        inserted_pixels: pixels_of(Side::Current),
        removed_pixels: pixels_of(Side::Baseline),
        unaligned_pixels: (!pair.layout.is_in_place())
            .then(|| one_sided::count_unaligned(&pair, &options.ignore)),
        total_pixels: pair.total_pixels,
        score: score(
            measured.loss,
            window_count(pair.size, pair.ignored.as_ref()),
        ),
        mean_delta: deltas.mean(),
        max_delta: deltas.largest(),
        regions: find_regions(&pair, &measured.tiles, columns, &one_sided),
        mask,
        backend,
        layout: pair.finish()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encode::encode_rgb;
    use crate::geometry::Size;

    fn striped(step: u32) -> Vec<u8> {
        let size = Size {
            width: 50,
            height: 60,
        };
        encode_rgb(size, |y, row| row.fill(if y % step == 0 { 0 } else { 255 })).unwrap()
    }

    #[test]
    fn a_lost_device_is_replaced_by_the_cpu() {
        let comparator = Comparator::new(BackendChoice::Gpu)
            .expect("no adapter to test on: apt-get install mesa-vulkan-drivers libvulkan1");
        let compare = || {
            comparator
                .compare(&striped(2), &striped(3), &CompareOptions::default())
                .unwrap()
        };
        let before = compare();
        comparator.gpu.as_ref().unwrap().lose();
        let after = compare();
        assert_eq!(
            (before.backend, after.backend),
            (Backend::Gpu, Backend::Cpu)
        );
        assert_eq!(
            (before.changed_pixels, before.mask),
            (after.changed_pixels, after.mask)
        );
        assert_eq!(comparator.report().backend, Backend::Cpu);
    }
}
