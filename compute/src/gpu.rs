//! The stages on a graphics adapter: the parts of pages in which something differs are sent in
//! batches that fit the adapter's limits, each batch runs through all stages in one submission, and
//! masks, tile summaries and losses come back.

pub(crate) mod adapter;
mod batch;
mod buffers;
mod chunk;
mod collect;
mod copying;
mod driver;
mod health;
#[cfg(test)]
pub(crate) mod mishaps;
mod opened;
mod pipeline;
mod planner;
mod profile;
mod resident;
mod seams;
mod timer;
mod upload;

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::sync_channel;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use rayon::prelude::*;

use crate::backend::{Backend, BackendReport};
use crate::dirty::Dirty;
use crate::error::Error;
use crate::gpu::batch::Batch;
use crate::gpu::buffers::Slot;
use crate::gpu::collect::{Found, collect};
use crate::gpu::driver::Driver;
use crate::gpu::health::Health;
use crate::gpu::opened::{Opened, Pool};
use crate::gpu::pipeline::build_pipelines;
use crate::gpu::planner::Planner;
use crate::gpu::resident::Baseline;
use crate::measured::Measured;
use crate::pair::Pair;
use crate::workers;

pub(crate) use adapter::LARGEST_BUFFER_BYTES;
pub(crate) use seams::seam_rows;

/// How long one batch may take, and whatever else is asked of the driver. A software adapter needs about a second for the largest; beyond
/// this the device hangs.
const PATIENCE: Duration = Duration::from_mins(1);

/// Batches under way at once: one is filled while another is sent and worked on.
const SLOTS: usize = 2;

/// Comparisons in a row that may fail before the device counts as lost: one that stays full would cost each its try, and its
/// keeper lets it rest.
const MOST_FAILURES: u32 = 5;

/// Batches that are planned before the one that is filled is on its way.
const PLANNED_AHEAD: usize = 2;

/// An opened adapter with its compiled stages.
#[derive(Debug)]
pub(crate) struct Gpu {
    info: wgpu::AdapterInfo,
    health: Arc<Health>,
    driver: Driver<Pool>,
    /// Whoever holds it has its turn: buffers then bound the graphics memory in use.
    turn: Mutex<Turn>,
}

/// What is known of the comparisons so far.
#[derive(Debug, Default)]
struct Turn {
    /// Batches that were sent.
    submissions: u64,
    /// Comparisons that failed since one went well.
    failures: u32,
    /// In tests, whether there is no thread for the next comparison.
    #[cfg(test)]
    lacks_threads: bool,
}

impl Gpu {
    /// Opens the best adapter there is, a software one if need be.
    pub(crate) fn open_any() -> Result<Self, Error> {
        Self::open(adapter::candidates().first().ok_or(Error::NoAdapter)?)
    }

    /// Opens an adapter.
    pub(crate) fn open(adapter: &wgpu::Adapter) -> Result<Self, Error> {
        let info = adapter.get_info();
        let (device, queue) = pollster::block_on(adapter.request_device(&wgpu::DeviceDescriptor {
            label: Some("pentimento"),
            required_limits: adapter::needed_limits(&adapter.limits()),
            required_features: adapter::wanted_features(adapter),
            // Buffers are few and long-lived, so large blocks to cut them from would only crowd the card.
            memory_hints: wgpu::MemoryHints::MemoryUsage,
            ..Default::default()
        }))
        .map_err(|error| Error::Gpu(error.to_string()))?;
        let health = Health::watch(&device);
        let opened = Opened {
            pipelines: build_pipelines(&device),
            device,
            queue,
            health: Arc::clone(&health),
        };
        health.check()?;
        let pool = Pool::keeping(Arc::new(opened), 0);
        Ok(Self {
            info,
            driver: Driver::start(pool, &health, PATIENCE)?,
            health,
            turn: Mutex::default(),
        })
    }

    /// Closes it, however long that takes.
    pub(crate) fn close(self) {
        self.driver.end();
    }

    /// Whether nothing of it is left on the card since it was lost.
    pub(crate) fn has_ended(&self) -> bool {
        self.driver.has_ended()
    }

    /// Keeps baselines on the card, up to so many bytes; 0 keeps none.
    pub(crate) fn keep_baselines(self, budget_bytes: u64) -> Self {
        self.driver.tell(move |pool| pool.keep(budget_bytes));
        self
    }

    fn turn(&self) -> MutexGuard<'_, Turn> {
        // Nothing that panics while it is held goes by: see `run_batches`.
        self.turn.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Rows of baselines that did not have to be sent, because they lay on the card.
    pub(crate) fn spared_rows(&self) -> u64 {
        (self.driver.ask(|pool| pool.residents.spared_rows)).unwrap_or(0)
    }

    /// Batches that were sent, of all comparisons so far.
    pub(crate) fn submissions(&self) -> u64 {
        self.turn().submissions
    }

    /// The device itself, for whoever times its parts: there nothing has a deadline but waiting for the card.
    fn opened(&self) -> Result<Arc<Opened>, Error> {
        self.driver.ask(|pool| Arc::clone(&pool.opened))
    }

    /// Whether the processor does the work of a card.
    pub(crate) fn is_software(&self) -> bool {
        adapter::is_software(&self.info)
    }

    /// The adapter's name.
    pub(crate) fn name(&self) -> &str {
        &self.info.name
    }

    /// Names the adapter and its driver.
    pub(crate) fn report(&self, reason: &str) -> BackendReport {
        let driver = format!("{} {}", self.info.driver, self.info.driver_info);
        BackendReport {
            backend: Backend::Gpu,
            adapter: Some(self.info.name.clone()),
            driver: Some(driver.trim().to_owned()).filter(|driver| !driver.is_empty()),
            reason: reason.to_owned(),
        }
    }

    /// The kind of adapter, for people.
    pub(crate) fn kind(&self) -> &'static str {
        match self.info.device_type {
            wgpu::DeviceType::DiscreteGpu => "discrete",
            wgpu::DeviceType::IntegratedGpu => "integrated",
            wgpu::DeviceType::VirtualGpu => "virtual",
            wgpu::DeviceType::Cpu => "software",
            wgpu::DeviceType::Other => "other",
        }
    }

    /// Whether the device is gone for good.
    pub(crate) fn is_lost(&self) -> bool {
        self.health.is_lost()
    }

    /// Why it is, once it is.
    pub(crate) fn why_lost(&self) -> Option<&str> {
        self.health.why_lost()
    }

    /// Runs every stage over the parts of all pairs in which something differs; one result a pair.
    pub(crate) fn measure(&self, pairs: &[Pair<'_>]) -> Result<Vec<Measured>, Error> {
        Ok(finish(self.run(pairs)?, pairs))
    }

    /// The same for who can do without: also where it panics, as it does on a machine that has no thread left to plan on.
    pub(crate) fn measure_or_fail(&self, pairs: &[Pair<'_>]) -> Result<Vec<Measured>, Error> {
        let measuring = AssertUnwindSafe(|| self.measure(pairs));
        catch_unwind(measuring)
            .unwrap_or_else(|_| Err(Error::Gpu("something panicked around its work".to_owned())))
    }

    /// The same before the host has decided what was left to it.
    pub(crate) fn run(&self, pairs: &[Pair<'_>]) -> Result<Vec<Found>, Error> {
        #[cfg(test)]
        self.panic_if_told();
        let mut planner = Planner::new(pairs)?;
        let mut found: Vec<Found>;
        if planner.is_short() {
            let batches: Vec<Batch<'_>> = planner.by_ref().collect();
            found = nothing_yet(pairs);
            self.run_batches(batches.into_iter(), &mut found)?;
        } else {
            (planner, found) = thread::scope(|scope| {
                let (send, batches) = sync_channel(PLANNED_AHEAD);
                let planning = scope.spawn(move || {
                    for batch in planner.by_ref() {
                        if send.send(batch).is_err() {
                            // Nobody takes them any more: the run has failed.
                            break;
                        }
                    }
                    planner
                });
                let mut found = nothing_yet(pairs);
                self.run_batches(batches.into_iter(), &mut found)?;
                let planner = planning.join().expect("comparing bytes does not panic");
                Ok::<_, Error>((planner, found))
            })?;
        }
        for (found, differing) in found.iter_mut().zip(planner.into_differing()) {
            found.measured.differing = differing;
        }
        Ok(found)
    }

    /// Runs all batches when it is this call's turn.
    fn run_batches<'p>(
        &self,
        batches: impl Iterator<Item = Batch<'p>>,
        found: &mut [Found],
    ) -> Result<(), Error> {
        let mut turn = self.turn();
        let running = AssertUnwindSafe(|| self.run_in_turn(&mut turn, batches, found));
        // Where `wgpu` panics instead of failing there is no telling what state it is in.
        let ran = catch_unwind(running)
            .unwrap_or_else(|_| Err(self.health.give_up("something panicked while it was used")));
        if let Err(error) = &ran {
            turn.failures += 1;
            if turn.failures == MOST_FAILURES {
                let why = error.of_gpu();
                (self.health).lose(&format!(
                    "{MOST_FAILURES} comparisons in a row failed, the last with: {why}"
                ));
            }
            let _ = self.driver.ask(Pool::start_over);
        } else {
            turn.failures = 0;
        }
        ran
    }

    /// Holds the adapter until all batches are done: one is filled while another runs. Nothing in
    /// here may wait for other threads of the pool: a waiting thread picks up other work, which can
    /// be a comparison that wants its turn. Nothing may call the driver but on its own thread, either; that has nothing to do while
    /// mapped memory is written and read here.
    fn run_in_turn<'p>(
        &self,
        turn: &mut Turn,
        batches: impl Iterator<Item = Batch<'p>>,
        found: &mut [Found],
    ) -> Result<(), Error> {
        self.driver.tell(|pool| pool.opened.health.forget());
        let mut under_way = VecDeque::new();
        for (batch, at) in batches.zip((0..SLOTS).cycle()) {
            let landing = (under_way.len() == SLOTS).then(|| under_way.pop_front());
            let landing = landing.flatten().map(|(_, batch)| batch);
            self.launch(at, &batch, landing.as_ref(), found)?;
            turn.submissions += 1;
            under_way.push_back((at, batch));
        }
        for (at, batch) in under_way {
            let landed = self.driver.ask(move |pool| pool.land(at))??;
            let slot = landed.expect("it was sent");
            take_over(&slot, &batch, found)?;
            self.driver.tell(move |_| slot.unmap_results());
        }
        Ok(())
    }

    /// Fills buffers with a batch and sends it, when the batch before has ended there. Meanwhile the results of that are taken over.
    fn launch(
        &self,
        at: usize,
        batch: &Batch<'_>,
        landing: Option<&Batch<'_>>,
        found: &mut [Found],
    ) -> Result<(), Error> {
        let lists = Arc::clone(&batch.lists);
        let baselines: Vec<_> = batch.parts.iter().map(Baseline::of).collect();
        let preparing = move |pool: &mut Pool| pool.prepare(at, &lists, &baselines);
        let prepared = self.driver.ask(preparing)??;
        thread::scope(|scope| {
            let taking = (prepared.landed.as_ref().zip(landing))
                .map(|(slot, landing)| scope.spawn(|| take_over(slot, landing, found)));
            let filled = prepared.slot.fill(batch, &prepared.on_card, None);
            let taken = taking.map_or(Ok(()), |thread| {
                thread.join().expect("copying bits does not panic")
            });
            filled.and(taken)
        })?;
        let lists = Arc::clone(&batch.lists);
        // Whoever waits for its end waits for this, too.
        (self.driver).tell(move |pool| pool.send(at, &lists, prepared));
        Ok(())
    }
}

/// Nothing is known of these pairs; where they differ stays to be told.
fn nothing_yet(pairs: &[Pair<'_>]) -> Vec<Found> {
    workers::map(pairs.par_iter(), |pair| Found {
        measured: Measured::nothing(pair, Dirty::unknown(pair)),
        doubtful: None,
    })
}

/// Takes the results of a batch over.
fn take_over(slot: &Slot, batch: &Batch<'_>, found: &mut [Found]) -> Result<(), Error> {
    slot.read(&batch.lists, |outputs| collect(batch, outputs, found))
}

/// Decides what was left to the host.
fn finish(mut found: Vec<Found>, pairs: &[Pair<'_>]) -> Vec<Measured> {
    workers::map(found.par_iter_mut().zip(pairs), |(found, pair)| {
        if let Some(doubtful) = &found.doubtful {
            found.measured.finish(pair, doubtful);
        }
    });
    found.into_iter().map(|found| found.measured).collect()
}
