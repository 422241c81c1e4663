//! How long stages run on the card itself, by its own clock.

use wgpu::{
    Buffer, BufferDescriptor, BufferUsages, CommandEncoder, ComputePassTimestampWrites, Device,
    QuerySet, QuerySetDescriptor, QueryType,
};

use crate::stages::STAGES;

/// Two times for each stage.
#[expect(
    clippy::cast_possible_truncation,
    reason = "there are a handful of stages"
)]
const TIMES: u32 = 2 * STAGES.len() as u32;

/// The times of one submission.
#[derive(Debug)]
pub(crate) struct Timer {
    set: QuerySet,
    resolved: Buffer,
    /// Where the host can read them.
    read_back: Buffer,
}

impl Timer {
    /// The device must have the feature.
    pub(crate) fn new(device: &Device) -> Self {
        let bytes = u64::from(TIMES) * 8;
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
                count: TIMES,
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

    /// Where the stage with this number notes its begin and end.
    pub(crate) fn writes(&self, stage: u32) -> ComputePassTimestampWrites<'_> {
        ComputePassTimestampWrites {
            query_set: &self.set,
            beginning_of_pass_write_index: Some(2 * stage),
            end_of_pass_write_index: Some(2 * stage + 1),
        }
    }

    /// Adds the copies that make the times readable.
    pub(crate) fn encode_read_back(&self, encoder: &mut CommandEncoder) {
        encoder.resolve_query_set(&self.set, 0..TIMES, &self.resolved, 0);
        encoder.copy_buffer_to_buffer(&self.resolved, 0, &self.read_back, 0, self.resolved.size());
    }

    /// Asks for the times to become readable; the wait for the submission covers it.
    pub(crate) fn map(&self) {
        self.read_back.map_async(wgpu::MapMode::Read, .., |_| {});
    }

    /// Seconds of each stage; `period` is what one tick takes in nanoseconds.
    pub(crate) fn seconds(&self, period: f32) -> Option<Vec<f64>> {
        let range = self.read_back.get_mapped_range(..).ok()?;
        let ticks: Vec<u64> = (range.as_chunks::<8>().0.iter())
            .map(|ticks| u64::from_le_bytes(*ticks))
            .collect();
        drop(range);
        self.read_back.unmap();
        Some(
            ticks
                .as_chunks::<2>()
                .0
                .iter()
                .map(|[begin, end]| end.saturating_sub(*begin) as f64 * f64::from(period) / 1e9)
                .collect(),
        )
    }
}
