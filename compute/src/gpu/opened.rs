//! What lives on the device. Comparisons call it on its driver's thread, see `gpu::driver`, and nowhere else; the check program, which
//! may hang, times its parts without the way there.

use std::sync::Arc;
#[cfg(test)]
use std::sync::mpsc::Receiver;

use wgpu::{CommandEncoderDescriptor, PollType, SubmissionIndex};

use crate::error::Error;
use crate::gpu::batch::Lists;
use crate::gpu::buffers::Slot;
use crate::gpu::health::Health;
#[cfg(test)]
use crate::gpu::mishaps::Stay;
use crate::gpu::pipeline::Pipeline;
use crate::gpu::resident::{Baseline, Residents, Source};
use crate::gpu::{PATIENCE, SLOTS};

/// The device with its compiled stages.
#[derive(Debug)]
pub(crate) struct Opened {
    pub(crate) device: wgpu::Device,
    pub(crate) queue: wgpu::Queue,
    pub(crate) pipelines: Vec<Pipeline>,
    pub(crate) health: Arc<Health>,
}

/// Buffers that are kept between comparisons.
#[derive(Debug)]
pub(crate) struct Pool {
    pub(super) opened: Arc<Opened>,
    buffers: [Buffers; SLOTS],
    pub(super) residents: Residents,
    /// In tests, where the driver hangs, until when.
    #[cfg(test)]
    pub(super) hangs: Option<(Stay, Receiver<()>)>,
}

/// Buffers of one of the batches under way. Whoever fills or reads them shares them for as long, and gives them back: this is where
/// they end.
#[derive(Debug, Default)]
struct Buffers {
    slot: Option<Arc<Slot>>,
    /// Those of the batch before, which may be the same.
    before: Option<Arc<Slot>>,
    /// Where the baselines of the batch come from.
    sources: Vec<Source>,
    /// What was sent and not waited for.
    submission: Option<SubmissionIndex>,
}

/// Buffers to fill.
pub(crate) struct Prepared {
    pub(crate) slot: Arc<Slot>,
    /// Those with the results of the batch before.
    pub(crate) landed: Option<Arc<Slot>>,
    /// Of which parts the baseline lies on the card.
    pub(crate) on_card: Vec<bool>,
}

impl Opened {
    /// Sends a batch whose inputs are in buffers.
    fn submit(&self, slot: &Slot, lists: &Lists, sources: &[Source]) -> SubmissionIndex {
        slot.unmap_staging();
        let mut encoder =
            (self.device).create_command_encoder(&CommandEncoderDescriptor::default());
        slot.encode_upload(&mut encoder, lists, sources);
        for (stage, bind) in self.pipelines.iter().zip(&slot.binds) {
            stage.encode(&mut encoder, bind, &lists.config, None);
        }
        slot.encode_read_back(&mut encoder, lists);
        let submission = self.queue.submit([encoder.finish()]);
        slot.map();
        submission
    }

    pub(crate) fn wait(&self, submission: SubmissionIndex) -> Result<(), Error> {
        self.poll(PollType::Wait {
            submission_index: Some(submission),
            timeout: Some(PATIENCE),
        })
    }

    fn poll(&self, poll_type: PollType) -> Result<(), Error> {
        self.health.poll(|| self.device.poll(poll_type))
    }
}

impl Pool {
    /// No buffers yet; baselines stay on the card up to so many bytes.
    pub(crate) fn keeping(opened: Arc<Opened>, budget_bytes: u64) -> Self {
        Self {
            opened,
            buffers: Default::default(),
            residents: Residents::new(budget_bytes),
            #[cfg(test)]
            hangs: None,
        }
    }

    /// Forgets everything, and keeps baselines up to so many bytes from now on.
    pub(crate) fn keep(&mut self, budget_bytes: u64) {
        *self = Self::keeping(Arc::clone(&self.opened), budget_bytes);
    }

    /// Leaves what is under way after a failure: it keeps its buffers until it ends.
    pub(crate) fn start_over(&mut self) {
        self.keep(self.residents.budget_bytes());
        // A loss is only told to those who ask; who comes next takes none of it for its own.
        let _ = self.opened.poll(PollType::Poll);
    }

    /// Buffers for a batch, when the one before has ended at that buffers.
    pub(crate) fn prepare(
        &mut self,
        at: usize,
        lists: &Lists,
        baselines: &[Option<Baseline>],
    ) -> Result<Prepared, Error> {
        let landed = self.land(at)?;
        #[cfg(test)]
        self.hang_if_told(Stay::Preparing);
        let buffers = &mut self.buffers[at];
        let slot = match buffers.slot.take() {
            Some(slot) if slot.fits(lists) => slot,
            outgrown => Arc::new(Slot::new(outgrown.as_deref(), &self.opened, lists)),
        };
        buffers.slot = Some(Arc::clone(&slot));
        buffers.before.clone_from(&landed);
        buffers.sources = (self.residents).sources(&self.opened.device, lists, baselines);
        self.opened.health.check()?;
        Ok(Prepared {
            slot,
            landed,
            on_card: buffers.sources.iter().map(Source::is_card).collect(),
        })
    }

    /// Sends a batch when the buffers at its place are filled, and the results of the one before are taken over.
    pub(crate) fn send(&mut self, at: usize, lists: &Lists, prepared: Prepared) {
        #[cfg(test)]
        self.hang_if_told(Stay::Sending);
        if let Some(landed) = prepared.landed {
            landed.unmap_results();
        }
        let buffers = &mut self.buffers[at];
        buffers.before = None;
        buffers.submission = Some(self.opened.submit(&prepared.slot, lists, &buffers.sources));
    }

    /// The buffers with the results of the batch at a place, when it has ended; `None` when nothing was sent there.
    pub(crate) fn land(&mut self, at: usize) -> Result<Option<Arc<Slot>>, Error> {
        let Some(submission) = self.buffers[at].submission.take() else {
            return Ok(None);
        };
        #[cfg(test)]
        self.hang_if_told(Stay::Landing);
        self.opened.wait(submission)?;
        Ok(self.buffers[at].slot.clone())
    }
}
