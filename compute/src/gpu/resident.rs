//! Baselines that stay in the card's memory, so that comparing another picture with the same one
//! sends only half.
//!
//! Rows are kept as they come by: those that a comparison has sent, and no others. A baseline is
//! known by the hash of its file.

use std::collections::HashMap;

use wgpu::{Buffer, BufferDescriptor, BufferUsages, CommandEncoder, Device, ErrorFilter};

use crate::gpu::batch::Lists;
use crate::gpu::chunk::Part;
use crate::stages::Job;

/// Where the baseline's pixels of a part come from.
#[derive(Debug)]
pub(crate) enum Source {
    /// The host sends them.
    Host,
    /// The host sends them, and they are kept in this buffer.
    HostToKeep(Buffer),
    /// They lie in this buffer.
    Card(Buffer),
}

/// The baseline of a part, where it may stay on the card.
#[derive(Debug)]
pub(crate) struct Baseline {
    key: u128,
    rows: u32,
}

/// What is kept, least recently used ones going first.
#[derive(Debug, Default)]
pub(crate) struct Residents {
    budget_bytes: u64,
    kept: HashMap<u128, Resident>,
    /// Counts uses.
    clock: u64,
    /// In tests, whether the card has no room for any more.
    #[cfg(test)]
    pub(crate) is_crowded: bool,
    /// In tests, whether the driver reports an error of the next batch.
    #[cfg(test)]
    pub(crate) refuses_next: bool,
    /// Rows that did not have to be sent.
    pub(crate) spared_rows: u64,
}

#[derive(Debug)]
struct Resident {
    /// The whole picture, row by row as shaders want it.
    buffer: Buffer,
    pixel_words: u32,
    /// Which rows have been sent.
    present: Vec<bool>,
    last_used: u64,
}

impl Residents {
    pub(crate) fn new(budget_bytes: u64) -> Self {
        Self {
            budget_bytes,
            ..Self::default()
        }
    }

    pub(crate) fn budget_bytes(&self) -> u64 {
        self.budget_bytes
    }

    /// Decides for each part of a batch, and counts on what is to be kept being sent.
    pub(crate) fn sources(
        &mut self,
        device: &Device,
        lists: &Lists,
        baselines: &[Option<Baseline>],
    ) -> Vec<Source> {
        #[cfg(test)]
        if std::mem::take(&mut self.refuses_next) {
            // Longer than any device allows, and nobody here waits for the error.
            drop(device.create_buffer(&BufferDescriptor {
                label: Some("refused"),
                size: u64::MAX,
                usage: BufferUsages::COPY_DST,
                mapped_at_creation: false,
            }));
        }
        let parts = lists.jobs.iter().zip(baselines);
        parts
            .map(|(job, baseline)| match baseline {
                Some(baseline) => self.source(device, job, baseline),
                None => Source::Host,
            })
            .collect()
    }

    fn source(&mut self, device: &Device, job: &Job, baseline: &Baseline) -> Source {
        let key = baseline.key;
        self.clock += 1;
        // One of the other kind of pixels is of no use, and would stay for ever: it is asked for.
        self.kept
            .retain(|kept, resident| *kept != key || resident.pixel_words == job.pixel_words);
        if !self.kept.contains_key(&key) {
            let bytes = job.row_bytes() * u64::from(baseline.rows);
            if bytes > self.budget_bytes.min(device.limits().max_buffer_size) {
                return Source::Host;
            }
            self.make_room(bytes);
            #[cfg(test)]
            let bytes = if self.is_crowded { u64::MAX } else { bytes };
            match Resident::new(device, job, baseline, bytes) {
                Ok(resident) => drop(self.kept.insert(key, resident)),
                Err(error) => {
                    self.settle_for_less(&error);
                    return Source::Host;
                }
            }
        }
        let resident = self.kept.get_mut(&key).expect("it was put there");
        resident.last_used = self.clock;
        let rows = &mut resident.present[job.first_row as usize..][..job.rows as usize];
        if rows.iter().all(|&present| present) {
            self.spared_rows += u64::from(job.rows);
            return Source::Card(resident.buffer.clone());
        }
        rows.fill(true);
        Source::HostToKeep(resident.buffer.clone())
    }

    /// The card is shared, and others may fill it: from now on as much as it has taken is enough, or half of what was asked
    /// for where that is more.
    fn settle_for_less(&mut self, error: &wgpu::Error) {
        self.budget_bytes = self.used_bytes().max(self.budget_bytes / 2);
        let (error, mib) = (error.to_string(), self.budget_bytes >> 20);
        tracing::warn!(error, mib, "the GPU has no room for more baselines");
    }

    fn used_bytes(&self) -> u64 {
        self.kept.values().map(|kept| kept.buffer.size()).sum()
    }

    fn make_room(&mut self, bytes: u64) {
        let mut used = self.used_bytes();
        while used + bytes > self.budget_bytes {
            let oldest = self.kept.iter().min_by_key(|(_, kept)| kept.last_used);
            let Some((&key, kept)) = oldest else { return };
            used -= kept.buffer.size();
            self.kept.remove(&key);
        }
    }
}

impl Resident {
    /// Fails when the card has no room for it. No comparison fails for that, and no device is lost for it.
    fn new(
        device: &Device,
        job: &Job,
        baseline: &Baseline,
        bytes: u64,
    ) -> Result<Self, wgpu::Error> {
        let too_much = device.push_error_scope(ErrorFilter::OutOfMemory);
        let refused = device.push_error_scope(ErrorFilter::Validation);
        let buffer = device.create_buffer(&BufferDescriptor {
            label: Some("baseline"),
            size: bytes,
            usage: BufferUsages::COPY_SRC | BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let errors = [refused.pop(), too_much.pop()];
        if let Some(error) = errors.into_iter().find_map(pollster::block_on) {
            return Err(error);
        }
        Ok(Self {
            buffer,
            pixel_words: job.pixel_words,
            present: vec![false; baseline.rows as usize],
            last_used: 0,
        })
    }
}

impl Source {
    /// Whether the host has nothing to send.
    pub(crate) fn is_card(&self) -> bool {
        matches!(self, Self::Card(_))
    }

    /// Adds the copies between a part's place among the pixels and the buffer that keeps them.
    pub(crate) fn encode(&self, encoder: &mut CommandEncoder, job: &Job, pixels: &Buffer) {
        let at = 4 * u64::from(job.baseline_at);
        let kept_at = job.row_bytes() * u64::from(job.first_row);
        let bytes = job.side_bytes();
        match self {
            Self::Host => {}
            Self::HostToKeep(kept) => {
                encoder.copy_buffer_to_buffer(pixels, at, kept, kept_at, bytes);
            }
            Self::Card(kept) => encoder.copy_buffer_to_buffer(kept, kept_at, pixels, at, bytes),
        }
    }
}

impl Baseline {
    pub(crate) fn of(part: &Part<'_>) -> Option<Self> {
        let key = part.pair.baseline_key.filter(|_| is_eligible(part))?;
        let rows = part.pair.baseline.size.height;
        Some(Self { key, rows })
    }
}

/// Rows of the canvas must be rows of the baseline, and those of its file: white that stands for what could not be read fails
/// this comparison, and would spoil every later one with the same baseline.
fn is_eligible(part: &Part<'_>) -> bool {
    let (canvas, baseline) = (part.pair.size, &part.pair.baseline);
    part.pair.layout.is_in_place()
        && canvas.width == baseline.size.width
        && part.rows.end <= baseline.size.height
        && baseline.can_read(part.rows.clone())
}

#[cfg(test)]
mod tests {
    use crate::cpu;
    use crate::encode::encode_rgb;
    use crate::geometry::Size;
    use crate::gpu::Gpu;
    use crate::loaded::Keep;
    use crate::options::CompareOptions;
    use crate::pair::Pair;
    use crate::picture::Picture;
    use crate::strips::to_strips;

    /// A stored capture of three strips, with a line in every so many rows.
    fn lined(every: u32) -> Vec<u8> {
        let size = Size {
            width: 90,
            height: 150,
        };
        let ink = |y: u32| if y.is_multiple_of(every) { 0 } else { 200 };
        to_strips(&encode_rgb(size, |y, row| row.fill(ink(y))).unwrap()).unwrap()
    }

    #[test]
    fn what_could_not_be_read_of_a_baseline_does_not_stay_on_the_card() {
        let gpu = Gpu::open_any()
            .expect("no adapter to test on")
            .keep_baselines(1 << 20);
        let (before, after) = (lined(2), lined(5));
        let mut damaged = before.clone();
        let last = damaged.len() - 8;
        damaged[last..].fill(0xff);
        // Reading can fail once and go well the next time; the file is the same, and so is what it is known by.
        let pair = |before| {
            let [before, after] = [before, &after].map(|file: &Vec<u8>| Picture::strips(file));
            let options = CompareOptions::default();
            let mut pair = Pair::load(before, after, &options, Keep::Differing).unwrap();
            pair.baseline_key = Some(7);
            pair
        };
        let mut together = [pair(&damaged), pair(&before)];
        let found = gpu.measure(&together).unwrap();
        assert!(together[0].check().is_err());
        let expected = cpu::measure(&together[1]).changed;
        assert!(found[1].changed == expected, "in the same batch");
        let spared = gpu.spared_rows();
        assert!(gpu.measure(&[pair(&before)]).unwrap()[0].changed == expected);
        assert_eq!(gpu.spared_rows() - spared, 150);
    }
}
