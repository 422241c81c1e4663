//! Many pairs compared together: those of one caller, and those of callers who come at once.

use std::time::Instant;

use rayon::prelude::*;

use super::{Comparator, Concluded};
use crate::comparison::Comparison;
use crate::error::Error;
use crate::gathering::OwnedPair;
use crate::loaded::Keep;
use crate::many::{self, Ask};
use crate::options::CompareOptions;
use crate::picture::Picture;
use crate::workers;

impl Comparator {
    /// Compares two pictures as [`Comparator::compare`] does, for callers of which many come at once: on a graphics card those
    /// who wait for it are compared together, in as few submissions as they fit.
    ///
    /// It blocks the calling thread, which then may compare for others, too.
    ///
    /// # Errors
    /// As [`Comparator::compare`].
    pub fn compare_together(&self, pair: &OwnedPair) -> Result<Comparison, Error> {
        let has_card = self
            .keeper()
            .is_some_and(|keeper| keeper.current(Instant::now()).is_some());
        let (baseline, current) = pair.pictures();
        if !has_card {
            return self.compare_owned(pair);
        }
        if baseline.same(current) {
            let concluded = self.identical(baseline, &pair.options)?;
            return Ok(concluded.comparison);
        }
        // Who is on one of rayon's threads would keep it from those who compare.
        let gathered = (rayon::current_thread_index().is_none())
            .then(|| {
                self.gathering
                    .compare(pair, |pairs| self.compare_all(pairs))
            })
            .flatten();
        gathered.unwrap_or_else(|| self.compare_owned(pair))
    }

    fn compare_owned(&self, pair: &OwnedPair) -> Result<Comparison, Error> {
        let (baseline, current) = pair.pictures();
        self.compare(baseline, current, &pair.options)
    }

    fn compare_all(&self, pairs: &[&OwnedPair]) -> Vec<Result<Comparison, Error>> {
        if let [pair] = pairs {
            return vec![self.compare_owned(pair)];
        }
        let asks = pairs.iter().map(|pair| Ask {
            pictures: pair.pictures(),
            options: &pair.options,
        });
        self.compare_asked(&asks.collect::<Vec<_>>())
    }

    /// Compares many pairs with the same settings; one result a pair, in their order, each as
    /// [`Comparator::compare`] gives it.
    ///
    /// Small pairs share submissions on a GPU, and processors on the CPU: this is the faster way
    /// for a folder of viewports.
    pub fn compare_many(
        &self,
        pairs: &[(Picture<'_>, Picture<'_>)],
        options: &CompareOptions,
    ) -> Vec<Result<Comparison, Error>> {
        let asks = pairs.iter().map(|&pictures| Ask { pictures, options });
        self.compare_asked(&asks.collect::<Vec<_>>())
    }

    fn compare_asked(&self, asks: &[Ask<'_, '_>]) -> Vec<Result<Comparison, Error>> {
        rayon::scope(|_| {
            let groups = many::groups(asks);
            let load = |index: usize| {
                let group = groups.get(index).cloned().unwrap_or_default();
                let asks = asks[group].par_iter();
                workers::map_pages(asks, |&ask| self.load(ask, Keep::Differing))
            };
            let mut results = Vec::with_capacity(asks.len());
            let mut loaded = load(0);
            for next in 1..=groups.len() {
                let (measured, after) = rayon::join(|| self.measure(loaded), || load(next));
                let facts = |concluded: Concluded<'_>| concluded.comparison;
                results.extend(measured.into_iter().map(|result| result.map(facts)));
                loaded = after;
            }
            results
        })
    }
}
