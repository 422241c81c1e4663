//! Timing the card itself, for the check program.

use std::time::Instant;

use rayon::prelude::*;
use wgpu::{BufferDescriptor, BufferUsages, CommandEncoderDescriptor, Features};

use crate::dirty::Dirty;
use crate::error::Error;
use crate::gpu::Gpu;
use crate::gpu::batch::{Batch, group};
use crate::gpu::buffers::Slot;
use crate::gpu::chunk::{Part, plan};
use crate::gpu::resident::Source;
use crate::gpu::timer::Timer;
use crate::pair::Pair;

/// Runs of each measurement; the shortest counts.
const RUNS: u32 = 5;

/// Copies in one submission when bandwidth is measured, so that the submission itself does not show.
const COPIES: u32 = 16;

/// How long the stages take on the card, transfers left out.
pub(crate) struct Profile {
    /// Bytes of pixels that were worked on.
    pub(crate) pixel_bytes: u64,
    pub(crate) submissions: usize,
    /// Seconds of each stage by the card's own clock, when it has one.
    pub(crate) stages: Option<Vec<(&'static str, f64)>>,
    /// Seconds of all stages by the host's clock, submissions included.
    pub(crate) wall_s: f64,
}

impl Gpu {
    /// Runs the stages over pixels that lie on the card already.
    pub(crate) fn profile(&self, pairs: &[Pair<'_>]) -> Result<Profile, Error> {
        let parts = (pairs.par_iter().enumerate())
            .map(|(index, pair)| plan(index, pair, &Dirty::find(pair)))
            .collect::<Result<Vec<_>, Error>>()?;
        let batches = group(parts.into_iter().flatten().collect());
        let timer = (self.opened.device.features())
            .contains(Features::TIMESTAMP_QUERY)
            .then(|| Timer::new(&self.opened.device));
        let names = self
            .opened
            .pipelines
            .iter()
            .map(|stage| (stage.name(), 0.0));
        let mut profile = Profile {
            pixel_bytes: 0,
            submissions: batches.len(),
            stages: timer.is_some().then(|| names.collect()),
            wall_s: 0.0,
        };
        let mut slot = None;
        for batch in &batches {
            profile.pixel_bytes += batch.parts.iter().map(Part::pixel_bytes).sum::<u64>();
            let fitting = Slot::fit(slot.take(), &self.opened, batch);
            let sources: Vec<Source> = batch.parts.iter().map(|_| Source::Host).collect();
            fitting.fill(batch, &sources)?;
            self.upload_alone(&fitting, batch, &sources)?;
            let (wall_s, stages) = self.stages_alone(&fitting, batch, timer.as_ref())?;
            profile.wall_s += wall_s;
            for (total, seconds) in profile.stages.iter_mut().flatten().zip(stages) {
                total.1 += seconds;
            }
            slot = Some(fitting);
        }
        Ok(profile)
    }

    fn upload_alone(
        &self,
        slot: &Slot,
        batch: &Batch<'_>,
        sources: &[Source],
    ) -> Result<(), Error> {
        let mut encoder = self
            .opened
            .device
            .create_command_encoder(&CommandEncoderDescriptor::default());
        slot.encode_upload(&mut encoder, batch, sources);
        let submission = self.opened.queue.submit([encoder.finish()]);
        slot.map_staging();
        self.wait(submission)
    }

    /// Seconds of the shortest run, and of each stage in it.
    fn stages_alone(
        &self,
        slot: &Slot,
        batch: &Batch<'_>,
        timer: Option<&Timer>,
    ) -> Result<(f64, Vec<f64>), Error> {
        let mut best = (f64::INFINITY, Vec::new());
        for _ in 0..RUNS {
            let mut encoder = self
                .opened
                .device
                .create_command_encoder(&CommandEncoderDescriptor::default());
            for (number, (stage, bind)) in (0..).zip(self.opened.pipelines.iter().zip(&slot.binds))
            {
                let timer = timer.map(|timer| (timer, number));
                stage.encode(&mut encoder, bind, &batch.config, timer);
            }
            if let Some(timer) = timer {
                timer.encode_read_back(&mut encoder);
            }
            let start = Instant::now();
            let submission = self.opened.queue.submit([encoder.finish()]);
            if let Some(timer) = timer {
                timer.map();
            }
            self.wait(submission)?;
            let wall_s = start.elapsed().as_secs_f64();
            let stages =
                timer.and_then(|timer| timer.seconds(self.opened.queue.get_timestamp_period()));
            if wall_s < best.0 {
                best = (wall_s, stages.unwrap_or_default());
            }
        }
        Ok(best)
    }

    /// Bytes that the card copies from one of its buffers to another in a second.
    pub(crate) fn copy_bandwidth(&self, bytes: u64) -> Result<f64, Error> {
        let buffer = || {
            self.opened.device.create_buffer(&BufferDescriptor {
                label: Some("copied"),
                size: bytes,
                usage: BufferUsages::COPY_SRC | BufferUsages::COPY_DST,
                mapped_at_creation: false,
            })
        };
        let (from, to) = (buffer(), buffer());
        let mut shortest = f64::INFINITY;
        // The first run clears the buffers, too.
        for _ in 0..=RUNS {
            let mut encoder = self
                .opened
                .device
                .create_command_encoder(&CommandEncoderDescriptor::default());
            for _ in 0..COPIES {
                encoder.copy_buffer_to_buffer(&from, 0, &to, 0, bytes);
            }
            let commands = encoder.finish();
            let start = Instant::now();
            let submission = self.opened.queue.submit([commands]);
            self.wait(submission)?;
            shortest = shortest.min(start.elapsed().as_secs_f64());
        }
        self.health.check()?;
        Ok(bytes as f64 * f64::from(COPIES) / shortest)
    }
}
