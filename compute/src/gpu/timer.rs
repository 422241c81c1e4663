//! How long passes run on the card itself, by its own clock.

use wgpu::{
    Buffer, BufferDescriptor, BufferUsages, CommandEncoder, ComputePassDescriptor,
    ComputePassTimestampWrites, Device, QuerySet, QuerySetDescriptor, QueryType,
};

/// The times of one submission.
#[derive(Debug)]
pub(crate) struct Timer {
    set: QuerySet,
    resolved: Buffer,
    /// Where the host can read them.
    read_back: Buffer,
}

impl Timer {
    /// Two times for each of so many passes. The device must have the feature.
    pub(crate) fn new(device: &Device, passes: u32) -> Self {
        let times = 2 * passes;
        let bytes = u64::from(times) * 8;
        let buffer = |label, usage| {
            device.create_buffer(&BufferDescriptor {
                label: Some(label),
                size: bytes,
                usage,
                mapped_at_creation: false,
            })
        };
        Self {
            set: device.create_query_set(&QuerySetDescriptor {
                label: Some("times"),
                ty: QueryType::Timestamp,
                count: times,
            }),
            resolved: buffer(
                "times",
                BufferUsages::QUERY_RESOLVE | BufferUsages::COPY_SRC,
            ),
            read_back: buffer(
                "times, read back",
                BufferUsages::MAP_READ | BufferUsages::COPY_DST,
            ),
        }
    }

    /// Where the pass with this number notes its begin and end.
    pub(crate) fn writes(&self, pass: u32) -> ComputePassTimestampWrites<'_> {
        ComputePassTimestampWrites {
            query_set: &self.set,
            beginning_of_pass_write_index: Some(2 * pass),
            end_of_pass_write_index: Some(2 * pass + 1),
        }
    }

    /// Adds a pass that does nothing but note its begin and end: copies lie in no pass.
    pub(crate) fn encode_empty(&self, encoder: &mut CommandEncoder, pass: u32) {
        encoder.begin_compute_pass(&ComputePassDescriptor {
            label: Some("time"),
            timestamp_writes: Some(self.writes(pass)),
        });
    }

    /// Adds the copies that make the times readable.
    pub(crate) fn encode_read_back(&self, encoder: &mut CommandEncoder) {
        encoder.resolve_query_set(&self.set, 0..self.set.count(), &self.resolved, 0);
        encoder.copy_buffer_to_buffer(&self.resolved, 0, &self.read_back, 0, self.resolved.size());
    }

    /// Asks for the times to become readable; the wait for the submission covers it.
    pub(crate) fn map(&self) {
        self.read_back.map_async(wgpu::MapMode::Read, .., |_| {});
    }

    /// Begin and end of each pass in seconds since the first began; `period` is what one tick takes in
    /// nanoseconds. `None` when the clock began anew meanwhile, as one of few bits does.
    pub(crate) fn seconds(&self, period: f32) -> Option<Vec<f64>> {
        let range = self.read_back.get_mapped_range(..).ok()?;
        let ticks: Vec<u64> = (range.as_chunks::<8>().0.iter())
            .map(|ticks| u64::from_le_bytes(*ticks))
            .collect();
        drop(range);
        self.read_back.unmap();
        let first = *ticks.first().filter(|_| ticks.is_sorted())?;
        let seconds = |ticks: u64| (ticks - first) as f64 * f64::from(period) / 1e9;
        Some(ticks.into_iter().map(seconds).collect())
    }
}
