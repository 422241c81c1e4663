//! The door to the crate: picks a backend once, then compares pairs with it.

mod together;

use std::time::Instant;

use rayon::prelude::*;

use crate::backend::{Backend, BackendChoice, BackendReport, ComparatorOptions};
use crate::card::{self, NoCard};
use crate::compared::Compared;
use crate::comparison::Comparison;
use crate::conclude::conclude;
use crate::cpu;
use crate::error::Error;
use crate::gathering::Gathering;
use crate::geometry::Size;
use crate::keeper::Keeper;
use crate::layout::Layout;
use crate::load::page_size;
use crate::loaded::Keep;
use crate::many::Ask;
use crate::mask::{BitMask, union_of};
use crate::measured::Measured;
use crate::metric::Threshold;
use crate::options::CompareOptions;
use crate::pair::Pair;
use crate::picture::Picture;
use crate::raster::Raster;
use crate::tile::tiles_of;
use crate::workers;

/// Compares pairs of screenshots on the backend it was built for.
///
/// It is meant to be built once and shared. Comparing blocks the calling thread. A large page is
/// shared among all processors, unless they are busy with other pages; up to the pixels of a
/// full-HD screen a comparison runs on the calling thread alone.
#[derive(Debug)]
pub struct Comparator {
    path: Path,
    gathering: Gathering,
}

/// Where pairs are measured.
#[derive(Debug)]
enum Path {
    /// On the processor: why.
    Cpu(String),
    /// On a graphics adapter, as long as it works.
    Gpu(Keeper),
}

/// A pair on its way to be measured.
struct Loading<'a, 'o> {
    options: &'o CompareOptions,
    way: Way<'a>,
}

/// How a pair goes on.
enum Way<'a> {
    /// It needs no measuring.
    Done(Box<Result<Concluded<'a>, Error>>),
    ForGpu(Pair<'a>),
    /// The GPU path does not know its layout.
    ForCpu(Pair<'a>),
}

/// The facts of a pair, and its pictures where they were read.
struct Concluded<'a> {
    comparison: Comparison,
    pair: Option<Pair<'a>>,
}

impl Comparator {
    /// Looks for the wanted hardware and prepares it; with [`BackendChoice::Auto`] and a graphics
    /// card, measures for a moment which is faster. No baseline stays on the card.
    ///
    /// # Errors
    /// As [`Comparator::with_options`].
    pub fn new(backend: BackendChoice) -> Result<Self, Error> {
        Self::with_options(ComparatorOptions {
            backend,
            resident_bytes: 0,
        })
    }

    /// The same with all settings.
    ///
    /// # Errors
    /// With [`BackendChoice::Gpu`] only: [`Error::NoAdapter`] when there is none, [`Error::Gpu`]
    /// when it cannot be opened.
    pub fn with_options(options: ComparatorOptions) -> Result<Self, Error> {
        match options.backend {
            BackendChoice::Cpu => Ok(Self::on_cpu("the CPU was asked for")),
            BackendChoice::Gpu => {
                let card = card::any()?;
                // A card that is away for a moment is waited for: software in its place would stay.
                let again = if card.gpu.is_software() {
                    card::any_again
                } else {
                    card::hardware_again
                };
                let resident_bytes = options.resident_bytes;
                let keeper = Keeper::of(card, again, resident_bytes, Instant::now());
                Ok(Self::on_gpu(keeper))
            }
            BackendChoice::Auto => Ok(Self::on_the_faster(options.resident_bytes)),
        }
    }

    fn on_cpu(reason: impl Into<String>) -> Self {
        Self::on(Path::Cpu(reason.into()))
    }

    fn on_gpu(keeper: Keeper) -> Self {
        Self::on(Path::Gpu(keeper))
    }

    fn on(path: Path) -> Self {
        Self {
            path,
            gathering: Gathering::default(),
        }
    }

    fn on_the_faster(resident_bytes: u64) -> Self {
        let (again, now) = (card::faster_again, Instant::now());
        match card::faster() {
            Ok(card) => Self::on_gpu(Keeper::of(card, again, resident_bytes, now)),
            Err(NoCard::Unused(why)) => Self::on_cpu(why),
            Err(NoCard::Failed(why)) => {
                tracing::warn!(why, "comparing on the CPU until the GPU works");
                Self::on_gpu(Keeper::awaiting(why, again, resident_bytes, now))
            }
        }
    }

    /// Which backend compares now, and why; a GPU that was lost or failed shows as the CPU.
    pub fn report(&self) -> BackendReport {
        match &self.path {
            Path::Gpu(keeper) => keeper.report(Instant::now()),
            Path::Cpu(reason) => BackendReport::cpu(reason.as_str()),
        }
    }

    /// Why the GPU failed first, if it ever did, also where it works again: what it could not compare, the CPU did.
    pub fn failure(&self) -> Option<&str> {
        self.keeper().and_then(Keeper::failure)
    }

    fn keeper(&self) -> Option<&Keeper> {
        match &self.path {
            Path::Gpu(keeper) => Some(keeper),
            Path::Cpu(_) => None,
        }
    }

    /// Compares two pictures.
    ///
    /// Files of the same bytes are the same picture: they are not decoded, so damage beyond the
    /// header is not noticed. A GPU that fails is replaced by the CPU for this comparison, which
    /// gives the same numbers, with a warning ([`Comparator::failure`] says why); one that was lost is tried again later.
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
        let pair = (baseline.into(), current.into());
        let concluded = self.compare_one(pair, options, Keep::Differing)?;
        Ok(concluded.comparison)
    }

    /// The same for what is to be drawn as well: drawing then need not decode the current picture
    /// again, which takes longer than comparing.
    ///
    /// # Errors
    /// As [`Comparator::compare`].
    pub fn compare_to_draw<'a>(
        &self,
        baseline: impl Into<Picture<'a>>,
        current: impl Into<Picture<'a>>,
        options: &CompareOptions,
    ) -> Result<Compared<'a>, Error> {
        let pictures = (baseline.into(), current.into());
        let Concluded { comparison, pair } = self.compare_one(pictures, options, Keep::Current)?;
        let (baseline, current) = match pair {
            Some(pair) => (pair.baseline, pair.current),
            None => (Raster::open(pictures.0)?, Raster::open(pictures.1)?),
        };
        Ok(Compared {
            comparison,
            baseline,
            current,
        })
    }

    fn compare_one<'a>(
        &self,
        pair: (Picture<'a>, Picture<'a>),
        options: &CompareOptions,
        keep: Keep,
    ) -> Result<Concluded<'a>, Error> {
        if pair.0.same(pair.1) {
            // No thread is woken for what needs no work.
            return self.identical(pair.0, options);
        }
        // A page that cannot be compared is refused when it is loaded.
        let pixels = page_size(pair.0, pair.1).map_or(0, Size::pixels);
        workers::compare(pixels, || {
            let ask = Ask {
                pictures: pair,
                options,
            };
            let result = self.measure(vec![self.load_different(ask, keep)]).pop();
            result.expect("one result a pair")
        })
    }

    fn load<'a, 'o>(&self, ask: Ask<'a, 'o>, keep: Keep) -> Loading<'a, 'o> {
        let (baseline, current) = ask.pictures;
        if !baseline.same(current) {
            return self.load_different(ask, keep);
        }
        let options = ask.options;
        let way = Way::Done(Box::new(self.identical(baseline, options)));
        Loading { options, way }
    }

    /// Loads a pair whose files are known to differ.
    fn load_different<'a, 'o>(&self, ask: Ask<'a, 'o>, keep: Keep) -> Loading<'a, 'o> {
        let Ask { pictures, options } = ask;
        let (baseline, current) = pictures;
        let way = match Pair::load(baseline, current, options, keep) {
            Ok(mut pair) if pair.fits_gpu() => {
                if self.keeper().is_some_and(Keeper::keeps_baselines) {
                    pair.baseline_key = baseline.file.hash();
                }
                Way::ForGpu(pair)
            }
            Ok(pair) => Way::ForCpu(pair),
            Err(error) => Way::Done(Box::new(Err(error))),
        };
        Loading { options, way }
    }

    /// Measures what was loaded: together on the GPU what it can take, side by side on the CPU all
    /// else.
    fn measure<'a>(&self, loaded: Vec<Loading<'a, '_>>) -> Vec<Result<Concluded<'a>, Error>> {
        let gpu = (self.keeper()).and_then(|keeper| keeper.current(Instant::now()));
        let mut results: Vec<Option<Result<Concluded<'a>, Error>>> = Vec::new();
        let (mut together, mut alone) = (Vec::new(), Vec::new());
        for (index, Loading { options, way }) in loaded.into_iter().enumerate() {
            results.push(None);
            match way {
                Way::Done(result) => results[index] = Some(*result),
                Way::ForGpu(pair) if gpu.is_some() => together.push(((index, options), pair)),
                Way::ForGpu(pair) | Way::ForCpu(pair) => alone.push(((index, options), pair)),
            }
        }
        let (places, pairs): (Vec<_>, Vec<Pair<'a>>) = together.into_iter().unzip();
        match gpu
            .filter(|_| !pairs.is_empty())
            .map(|gpu| gpu.measure_or_fail(&pairs))
        {
            Some(Ok(measured)) => {
                let all = places.into_par_iter().zip(pairs).zip(measured);
                let concluded = workers::map_pages(all, |(((index, options), pair), measured)| {
                    let found = Concluded::of(pair, measured, options, Backend::Gpu);
                    (index, found)
                });
                for (index, result) in concluded {
                    results[index] = Some(result);
                }
            }
            Some(Err(error)) => {
                tracing::warn!(%error, pairs = pairs.len(), "comparing on the CPU instead");
                if let Some(keeper) = self.keeper() {
                    keeper.remember(&error);
                }
                alone.extend(places.into_iter().zip(pairs));
            }
            None => {}
        }
        let concluded =
            workers::map_pages(alone.into_par_iter(), |((index, options), mut pair)| {
                let measured = cpu::measure_in_room(&mut pair);
                let found = Concluded::of(pair, measured, options, Backend::Cpu);
                (index, found)
            });
        for (index, result) in concluded {
            results[index] = Some(result);
        }
        results
            .into_iter()
            .map(|result| result.expect("every pair was measured"))
            .collect()
    }

    fn identical<'a>(
        &self,
        picture: Picture<'_>,
        options: &CompareOptions,
    ) -> Result<Concluded<'a>, Error> {
        Threshold::new(options.threshold)?;
        let size = page_size(picture, picture)?;
        let ignored = union_of(size, options.ignore.iter().copied()).map_or(0, |mask| mask.count());
        let comparison = Comparison {
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
            faint: BitMask::new(tiles_of(size)),
            backend: self.report().backend,
        };
        Ok(Concluded {
            comparison,
            pair: None,
        })
    }
}

impl<'a> Concluded<'a> {
    fn of(
        mut pair: Pair<'a>,
        measured: Measured,
        options: &CompareOptions,
        backend: Backend,
    ) -> Result<Self, Error> {
        let comparison = conclude(&mut pair, measured, options, backend)?;
        Ok(Self {
            comparison,
            pair: Some(pair),
        })
    }
}

#[cfg(test)]
mod tests;
