//! Timing each part of a comparison by itself, for the check program.
//!
//! Every batch has buffers of its own, so that what is worked on is as much as the pages hold: a
//! large page does not stay in the card's cache from run to run.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use wgpu::{CommandEncoder, CommandEncoderDescriptor, Features, SubmissionIndex};

use crate::error::Error;
use crate::gpu::batch::Batch;
use crate::gpu::buffers::{OUTPUTS, Slot};
use crate::gpu::collect::collect;
use crate::gpu::opened::Opened;
use crate::gpu::planner::Planner;
use crate::gpu::resident::Source;
use crate::gpu::timer::Timer;
use crate::gpu::{Gpu, SLOTS, finish, nothing_yet};
use crate::pair::Pair;
use crate::stages::Resource;
use crate::stopwatch::{shortest, shortest_after};

/// Runs of each measurement; the shortest counts.
const RUNS: u32 = 5;

/// How long the parts of a comparison take, each by itself.
pub(crate) struct Profile {
    /// Bytes of pixels that were worked on.
    pub(crate) pixel_bytes: u64,
    /// Seconds in which the host finds differences, plans batches and allocates masks.
    pub(crate) plan_s: f64,
    /// Seconds in which the host fills the staging memory.
    pub(crate) fill_s: f64,
    /// Seconds from staging memory that is filled to results that can be read, without any stage.
    pub(crate) send_s: f64,
    /// Seconds of both, batch by batch as in a call: one is filled while the one before is sent.
    pub(crate) transfer_s: f64,
    pub(crate) kernels: Kernels,
    /// Seconds in which the host takes results over and decides what was left to it.
    pub(crate) collect_s: f64,
}

/// How long the stages take.
pub(crate) struct Kernels {
    /// Seconds of each by the card's own clock, when it has one.
    pub(crate) stages: Option<Vec<(&'static str, f64)>>,
    /// Seconds of all by the host's clock, submission included.
    pub(crate) wall_s: f64,
}

/// Pairs with buffers for all of their batches.
struct Bench<'p> {
    opened: Arc<Opened>,
    pairs: &'p [Pair<'p>],
    /// Each batch, where its baselines come from, and its buffers.
    filled: Vec<(Batch<'p>, Vec<Source>, Slot)>,
}

impl Gpu {
    /// Times each part of comparing these pairs, the stages for so long at least, and how fast so many threads fill the staging
    /// memory in bytes a second.
    pub(crate) fn profile(
        &self,
        pairs: &[Pair<'_>],
        threads: &[usize],
        lasting: Duration,
    ) -> Result<(Profile, Vec<f64>), Error> {
        let bench = Bench::new(self.opened()?, pairs)?;
        let pixel_bytes = bench.pixel_bytes();
        let by_threads = (threads.iter())
            .map(|&threads| Ok(pixel_bytes as f64 / bench.fill_s(Some(threads))?))
            .collect::<Result<Vec<f64>, Error>>()?;
        let plan_s = shortest(RUNS, || {
            drop((nothing_yet(pairs), Planner::new(pairs)?.count()));
            Ok(())
        })?;
        let fill_s = bench.fill_s(None)?;
        self.warm_up()?;
        let (send_s, transfer_s) = (bench.send_s()?, bench.transfer_s()?);
        let kernels = bench.kernels(lasting)?;
        let profile = Profile {
            pixel_bytes,
            plan_s,
            fill_s,
            send_s,
            transfer_s,
            kernels,
            collect_s: bench.collect_s()?,
        };
        Ok((profile, by_threads))
    }
}

impl Opened {
    /// A timer of so many passes, when the card has a clock.
    pub(super) fn timer(&self, passes: u32) -> Option<Timer> {
        let device = &self.device;
        (device.features().contains(Features::TIMESTAMP_QUERY)).then(|| Timer::new(device, passes))
    }

    pub(super) fn times(&self, timer: &Timer) -> Option<Vec<f64>> {
        timer.seconds(self.queue.get_timestamp_period())
    }

    fn encoder(&self) -> CommandEncoder {
        let device = &self.device;
        device.create_command_encoder(&CommandEncoderDescriptor::default())
    }

    /// Seconds of one submission by the host's clock.
    pub(super) fn timed(
        &self,
        timer: Option<&Timer>,
        encode: impl FnOnce(&mut CommandEncoder),
    ) -> Result<f64, Error> {
        let mut encoder = self.encoder();
        encode(&mut encoder);
        if let Some(timer) = timer {
            timer.encode_read_back(&mut encoder);
        }
        let commands = encoder.finish();
        let start = Instant::now();
        let submission = self.queue.submit([commands]);
        if let Some(timer) = timer {
            timer.map();
        }
        self.wait(submission)?;
        Ok(start.elapsed().as_secs_f64())
    }
}

impl<'p> Bench<'p> {
    fn new(opened: Arc<Opened>, pairs: &'p [Pair<'p>]) -> Result<Self, Error> {
        let filled = Planner::new(pairs)?.map(|batch| {
            let sources: Vec<Source> = batch.parts.iter().map(|_| Source::Host).collect();
            let slot = Slot::new(None, &opened, &batch.lists);
            fill(&slot, &batch, None)?;
            Ok((batch, sources, slot))
        });
        Ok(Self {
            pairs,
            filled: filled.collect::<Result<_, Error>>()?,
            opened,
        })
    }

    fn pixel_bytes(&self) -> u64 {
        let batches = self.filled.iter();
        batches
            .map(|(batch, ..)| batch.lists.bytes_of(Resource::Pixels))
            .sum()
    }

    /// Seconds in which so many threads, or as many as usual, fill the staging memory.
    fn fill_s(&self, threads: Option<usize>) -> Result<f64, Error> {
        let fill =
            |()| (self.filled.iter()).try_for_each(|(batch, _, slot)| fill(slot, batch, threads));
        shortest_after(RUNS, || self.map_all(), fill)
    }

    fn send_s(&self) -> Result<f64, Error> {
        shortest(RUNS, || {
            let mut last = None;
            for (batch, sources, slot) in &self.filled {
                last = Some(self.send(batch, sources, slot));
            }
            last.map_or(Ok(()), |last| self.opened.wait(last))?;
            self.read_all()
        })
    }

    fn transfer_s(&self) -> Result<f64, Error> {
        shortest_after(
            RUNS,
            || self.map_all(),
            |()| {
                let mut under_way = VecDeque::new();
                for (batch, sources, slot) in &self.filled {
                    if under_way.len() == SLOTS
                        && let Some(submission) = under_way.pop_front()
                    {
                        self.opened.wait(submission)?;
                    }
                    fill(slot, batch, None)?;
                    under_way.push_back(self.send(batch, sources, slot));
                }
                (under_way.into_iter()).try_for_each(|submission| self.opened.wait(submission))?;
                self.read_all()
            },
        )
    }

    /// Sends a batch that was filled, and asks for what lies where its results would be.
    fn send(&self, batch: &Batch<'_>, sources: &[Source], slot: &Slot) -> SubmissionIndex {
        let mut encoder = self.opened.encoder();
        slot.encode_upload(&mut encoder, &batch.lists, sources);
        slot.encode_read_back(&mut encoder, &batch.lists);
        let submission = self.opened.queue.submit([encoder.finish()]);
        slot.map_results();
        submission
    }

    fn read_all(&self) -> Result<(), Error> {
        (self.filled.iter()).try_for_each(|(batch, _, slot)| read(slot, batch, |_| ()))
    }

    /// Makes all staging memory writable.
    fn map_all(&self) -> Result<(), Error> {
        for (.., slot) in &self.filled {
            slot.map_staging();
        }
        // An empty submission, so that there is one to wait for.
        self.opened.timed(None, |_| {}).map(|_| ())
    }

    /// All stages over all batches, one stage after the other, each over all of them in a submission of its own: so none is timed
    /// while another is at its end. They go on for so long at least: a card that has had nothing to do takes a while to raise its
    /// clocks. The run that took least counts, by the card's clock, or by the host's when there is no other.
    fn kernels(&self, lasting: Duration) -> Result<Kernels, Error> {
        let pipelines = &self.opened.pipelines;
        let timer =
            (self.opened).timer(u32::try_from(self.filled.len()).expect("a page has few batches"));
        let mut shortest = f64::INFINITY;
        let mut kernels = None;
        let (start, mut runs) = (Instant::now(), 0);
        while runs <= RUNS || start.elapsed() < lasting {
            runs += 1;
            let (mut wall_s, mut stages) = (0.0, Some(Vec::new()));
            for (at, stage) in pipelines.iter().enumerate() {
                wall_s += self.opened.timed(timer.as_ref(), |encoder| {
                    for (pass, (batch, _, slot)) in (0..).zip(&self.filled) {
                        let timer = timer.as_ref().map(|timer| (timer, pass));
                        stage.encode(encoder, &slot.binds[at], &batch.lists.config, timer);
                    }
                })?;
                let noted = timer.as_ref().and_then(|timer| self.opened.times(timer));
                let latest = noted.map(|times| times.into_iter().fold(0.0, f64::max));
                stages = (stages.zip(latest)).map(|(mut stages, seconds)| {
                    stages.push((stage.name(), seconds));
                    stages
                });
            }
            let sum = |stages: &Vec<(&str, f64)>| stages.iter().map(|(_, seconds)| seconds).sum();
            let total = stages.as_ref().map_or(wall_s, sum);
            if total < shortest {
                shortest = total;
                kernels = Some(Kernels { stages, wall_s });
            }
        }
        Ok(kernels.expect("it ran several times"))
    }

    fn collect_s(&self) -> Result<f64, Error> {
        let read_back = || {
            let found = nothing_yet(self.pairs);
            self.opened.timed(None, |encoder| {
                for (batch, _, slot) in &self.filled {
                    slot.encode_read_back(encoder, &batch.lists);
                }
            })?;
            for (.., slot) in &self.filled {
                slot.map_results();
            }
            self.opened.timed(None, |_| {})?;
            Ok(found)
        };
        shortest_after(RUNS, read_back, |mut found| {
            for (batch, _, slot) in &self.filled {
                read(slot, batch, |outputs| collect(batch, outputs, &mut found))?;
            }
            finish(found, self.pairs);
            Ok(())
        })
    }
}

/// Fills staging memory, and gives it to the card.
fn fill(slot: &Slot, batch: &Batch<'_>, threads: Option<usize>) -> Result<(), Error> {
    slot.fill(batch, &vec![false; batch.parts.len()], threads)?;
    slot.unmap_staging();
    Ok(())
}

/// Takes results over, and gives their memory back.
fn read(
    slot: &Slot,
    batch: &Batch<'_>,
    take: impl FnOnce([&[u8]; OUTPUTS.len()]),
) -> Result<(), Error> {
    slot.read(&batch.lists, take)?;
    slot.unmap_results();
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encode::encode_rgb;
    use crate::geometry::Size;
    use crate::loaded::Keep;
    use crate::options::CompareOptions;
    use crate::picture::Picture;

    #[test]
    fn each_part_of_several_batches_is_timed() {
        let size = Size {
            width: 1280,
            height: 9000,
        };
        let page = |ink: u8| {
            encode_rgb(size, |y, row| {
                row.fill(255);
                row[0] = if y.is_multiple_of(16) { ink } else { 255 };
            })
        };
        let (before, after) = (page(255).unwrap(), page(0).unwrap());
        let (before, after) = (Picture::png(&before), Picture::png(&after));
        let options = CompareOptions::default();
        let pairs = [Pair::load(before, after, &options, Keep::Differing).unwrap()];
        let gpu = Gpu::open_any().expect("no adapter to test on");
        let (profile, by_threads) = gpu.profile(&pairs, &[1, 3], Duration::ZERO).unwrap();
        let before = gpu.submissions();
        gpu.measure(&pairs).unwrap();
        assert_eq!(gpu.submissions() - before, 5);
        // The parts overlap by what windows reach.
        let page_bytes = 2 * 3 * 1280 * 9000;
        assert!((page_bytes..page_bytes * 101 / 100).contains(&profile.pixel_bytes));
        let wall_s = profile.kernels.wall_s;
        let by_card = profile.kernels.stages.map_or(wall_s, |stages| {
            stages.iter().map(|(_, seconds)| seconds).sum()
        });
        for seconds in [
            profile.plan_s,
            profile.fill_s,
            profile.send_s,
            profile.transfer_s,
            profile.collect_s,
            by_card,
        ] {
            assert!(seconds > 0.0 && seconds < 60.0, "{seconds}");
        }
        assert!(by_card <= wall_s, "they are part of it");
        assert!(by_threads.len() == 2 && by_threads.iter().all(|&rate| rate > 1e6));
    }
}
