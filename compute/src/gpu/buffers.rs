//! The buffers of one batch on the adapter, kept from batch to batch: they only ever grow, and a
//! batch bounds how far.

use std::ops::Range;

use wgpu::{BindGroup, Buffer, BufferDescriptor, BufferUsages, CommandEncoder, MapMode};

use crate::error::Error;
use crate::gpu::batch::{Batch, Lists};
use crate::gpu::chunk::MAX_BINDING_BYTES;
use crate::gpu::opened::Opened;
use crate::gpu::resident::Source;
use crate::gpu::upload;
use crate::stages::Resource;

/// What is sent, in the order in which it lies in the staging buffer; pixels come last.
const INPUTS: [Resource; 6] = [
    Resource::Config,
    Resource::Jobs,
    Resource::Blocks,
    Resource::Stacks,
    Resource::Marks,
    Resource::Pixels,
];

/// What comes back, in the order in which it lies in the read-back buffer.
pub(crate) const OUTPUTS: [Resource; 5] = [
    Resource::Changed,
    Resource::AntiAliased,
    Resource::Doubtful,
    Resource::Tiles,
    Resource::Losses,
];

/// Bytes of the smallest buffer, so that small batches do not make buffers grow again and again.
const LEAST_BYTES: u64 = 16 << 10;

/// Where parts of the staging buffer may begin.
const ALIGNMENT: u64 = 16;

/// One set of buffers, large enough for a batch.
#[derive(Debug)]
pub(crate) struct Slot {
    /// One for each [`Resource`].
    on_card: Vec<Buffer>,
    /// Written by the host while it is mapped, which it is whenever no batch is under way.
    staging: Buffer,
    /// All results, one after the other, where the host can read them.
    read_back: Buffer,
    /// One for each stage.
    pub(crate) binds: Vec<BindGroup>,
}

/// Where the inputs of a batch lie in its staging buffer, and their bytes.
fn staged(lists: &Lists) -> (Vec<(Resource, u64, u64)>, u64) {
    let mut offset = 0;
    let places = INPUTS
        .iter()
        .map(|&resource| {
            let (place, bytes) = (offset, lists.bytes_of(resource));
            offset += bytes.next_multiple_of(ALIGNMENT);
            (resource, place, bytes)
        })
        .collect();
    (places, offset)
}

fn read_back_bytes(lists: &Lists) -> u64 {
    OUTPUTS
        .iter()
        .map(|&resource| lists.bytes_of(resource))
        .sum()
}

impl Slot {
    /// Whether these buffers hold the batch.
    pub(crate) fn fits(&self, lists: &Lists) -> bool {
        let (_, staging_bytes) = staged(lists);
        let fits = |&resource: &Resource| self.of(resource).size() >= lists.bytes_of(resource);
        self.staging.size() >= staging_bytes
            && self.read_back.size() >= read_back_bytes(lists)
            && Resource::ALL.iter().all(fits)
    }

    /// New buffers that hold the batch, none smaller than those that were kept so far.
    pub(crate) fn new(kept: Option<&Self>, opened: &Opened, lists: &Lists) -> Self {
        let (_, staging_bytes) = staged(lists);
        let buffer = |label: &str, kept: Option<&Buffer>, bytes: u64, usage: BufferUsages| {
            let size = roomy(bytes).max(kept.map_or(0, Buffer::size));
            opened.device.create_buffer(&BufferDescriptor {
                label: Some(label),
                size,
                usage,
                mapped_at_creation: usage.contains(BufferUsages::MAP_WRITE),
            })
        };
        let on_card: Vec<Buffer> = Resource::ALL
            .iter()
            .map(|&resource| {
                let label = format!("{resource:?}");
                let old = kept.map(|slot| slot.of(resource));
                buffer(&label, old, lists.bytes_of(resource), usage_of(resource))
            })
            .collect();
        let of = |resource: Resource| &on_card[resource as usize];
        let binds = (opened.pipelines.iter())
            .map(|stage| stage.bind(&opened.device, of))
            .collect();
        Self {
            binds,
            on_card,
            staging: buffer(
                "staging",
                kept.map(|slot| &slot.staging),
                staging_bytes,
                BufferUsages::MAP_WRITE | BufferUsages::COPY_SRC,
            ),
            read_back: buffer(
                "read back",
                kept.map(|slot| &slot.read_back),
                read_back_bytes(lists),
                BufferUsages::MAP_READ | BufferUsages::COPY_DST,
            ),
        }
    }

    fn of(&self, resource: Resource) -> &Buffer {
        &self.on_card[resource as usize]
    }

    /// Writes the inputs of a batch into the staging buffer, by so many threads or as many as are worth it. It calls no driver:
    /// the memory is mapped, and stays so.
    pub(crate) fn fill(
        &self,
        batch: &Batch<'_>,
        on_card: &[bool],
        threads: Option<usize>,
    ) -> Result<(), Error> {
        let (places, _) = staged(&batch.lists);
        for (resource, offset, bytes) in places {
            if resource == Resource::Pixels {
                let threads = threads.unwrap_or_else(|| upload::thread_count(bytes));
                upload::write_pixels(&self.staging, offset, batch, on_card, threads)?;
            } else if bytes > 0 {
                let mut view = self
                    .staging
                    .get_mapped_range_mut(offset..offset + bytes)
                    .map_err(|error| Error::Gpu(error.to_string()))?;
                view.copy_from_slice(batch.lists.ready_bytes(resource));
            }
        }
        Ok(())
    }

    /// Gives the inputs to the card.
    pub(crate) fn unmap_staging(&self) {
        self.staging.unmap();
    }

    /// Adds the copies of all inputs to the commands.
    pub(crate) fn encode_upload(
        &self,
        encoder: &mut CommandEncoder,
        lists: &Lists,
        sources: &[Source],
    ) {
        let (places, _) = staged(lists);
        for (resource, offset, bytes) in places {
            if resource == Resource::Pixels {
                self.encode_pixels(encoder, offset, lists, sources);
            } else if bytes > 0 {
                encoder.copy_buffer_to_buffer(&self.staging, offset, self.of(resource), 0, bytes);
            }
        }
    }

    /// Pixels from the host go in as few copies as there are gaps between them.
    fn encode_pixels(
        &self,
        encoder: &mut CommandEncoder,
        offset: u64,
        lists: &Lists,
        sources: &[Source],
    ) {
        let pixels = self.of(Resource::Pixels);
        let mut copy = |run: &Range<u64>| {
            if !run.is_empty() {
                let bytes = run.end - run.start;
                encoder.copy_buffer_to_buffer(
                    &self.staging,
                    offset + run.start,
                    pixels,
                    run.start,
                    bytes,
                );
            }
        };
        let mut run = 0..0;
        for (job, source) in lists.jobs.iter().zip(sources) {
            let side_bytes = job.side_bytes();
            run.end += side_bytes;
            if source.is_card() {
                copy(&(run.start..run.end - side_bytes));
                run.start = run.end;
            }
            run.end += side_bytes;
        }
        copy(&run);
        for (job, source) in lists.jobs.iter().zip(sources) {
            source.encode(encoder, job, pixels);
        }
    }

    /// Adds the copies of all results to the commands.
    pub(crate) fn encode_read_back(&self, encoder: &mut CommandEncoder, lists: &Lists) {
        let mut offset = 0;
        for resource in OUTPUTS {
            let bytes = lists.bytes_of(resource);
            if bytes > 0 {
                encoder.copy_buffer_to_buffer(self.of(resource), 0, &self.read_back, offset, bytes);
            }
            offset += bytes;
        }
    }

    /// Asks for the results to become readable, and for the staging buffer to become writable again;
    /// the wait for the submission covers both.
    pub(crate) fn map(&self) {
        self.map_results();
        self.map_staging();
    }

    /// Asks for the results alone.
    pub(crate) fn map_results(&self) {
        // A failure shows when a range is taken.
        self.read_back.map_async(MapMode::Read, .., |_| {});
    }

    /// Asks for the staging buffer alone.
    pub(crate) fn map_staging(&self) {
        self.staging.map_async(MapMode::Write, .., |_| {});
    }

    /// Hands the results of a batch over, in the order of [`OUTPUTS`]. It calls no driver: the memory is mapped, and stays so.
    pub(crate) fn read<T>(
        &self,
        lists: &Lists,
        take: impl FnOnce([&[u8]; OUTPUTS.len()]) -> T,
    ) -> Result<T, Error> {
        let range = self
            .read_back
            .get_mapped_range(..read_back_bytes(lists).max(ALIGNMENT))
            .map_err(|error| Error::Gpu(error.to_string()))?;
        let mut rest: &[u8] = &range;
        let outputs = OUTPUTS.map(|resource| {
            let bytes = usize::try_from(lists.bytes_of(resource)).expect("a batch fits memory");
            let (output, after) = rest.split_at(bytes);
            rest = after;
            output
        });
        Ok(take(outputs))
    }

    /// Gives the memory of results that were taken over back to the card.
    pub(crate) fn unmap_results(&self) {
        self.read_back.unmap();
    }
}

/// A size to grow into.
fn roomy(bytes: u64) -> u64 {
    let roomy = bytes.next_power_of_two().max(LEAST_BYTES);
    // Staging holds the lists beside the pixels, and no shader looks at it.
    roomy.min(MAX_BINDING_BYTES.max(bytes.next_multiple_of(ALIGNMENT)))
}

fn usage_of(resource: Resource) -> BufferUsages {
    let input = BufferUsages::STORAGE | BufferUsages::COPY_DST;
    if resource == Resource::Pixels {
        // Baselines that are kept are copied from here.
        input | BufferUsages::COPY_SRC
    } else if resource == Resource::Config {
        // The smallest buffer is larger than its settings, and within what a uniform may have on any adapter.
        BufferUsages::UNIFORM | BufferUsages::COPY_DST
    } else if OUTPUTS.contains(&resource) {
        BufferUsages::STORAGE | BufferUsages::COPY_SRC
    } else {
        input
    }
}
