//! Parts of one or many pairs that are sent and worked on together.

use std::sync::Arc;

use bytemuck::Zeroable;

use crate::gpu::chunk::{Part, Stack, TILES_PER_BLOCK};
use crate::mask::words_per_row;
use crate::options::AntiAliasing;
use crate::stages::{Config, Job, NONE, Place, Resource};
use crate::tile::{TILE, Tile};

/// One submission.
pub(crate) struct Batch<'p> {
    pub(crate) parts: Vec<Part<'p>>,
    pub(crate) lists: Arc<Lists>,
}

/// What is known of a batch without looking at its pairs, for calls of the driver: those may outlive them.
#[derive(Debug)]
pub(crate) struct Lists {
    pub(crate) config: Config,
    /// One a part.
    pub(crate) jobs: Vec<Job>,
    pub(crate) blocks: Vec<Place>,
    pub(crate) stacks: Vec<Place>,
    pub(crate) marks: Vec<u32>,
    /// Words of all pixels.
    pixel_words: u32,
}

impl<'p> Batch<'p> {
    /// Parts that are sent together.
    pub(crate) fn new(parts: Vec<Part<'p>>) -> Self {
        let mut lists = Lists {
            config: Config::zeroed(),
            jobs: Vec::new(),
            blocks: Vec::new(),
            stacks: Vec::new(),
            marks: Vec::new(),
            pixel_words: 0,
        };
        for part in &parts {
            lists.add(part);
        }
        lists.config = Config::new(length(&lists.blocks), length(&lists.stacks));
        Self {
            parts,
            lists: Arc::new(lists),
        }
    }
}

impl Lists {
    fn add(&mut self, part: &Part<'_>) {
        let pair = part.pair;
        let row_flags_at = length(&self.marks);
        self.marks.extend(&part.row_flags);
        let mut ignored_at = NONE;
        if let Some(ignored) = &pair.ignored {
            ignored_at = length(&self.marks);
            self.marks
                .extend(part.rows.clone().flat_map(|y| ignored.row(y)));
        }
        let job = length(&self.jobs);
        let place = |stack: &Stack| Place {
            job,
            column: stack.column,
            row: stack.row,
            count: stack.count,
        };
        self.blocks.extend(part.blocks.iter().map(place));
        self.stacks.extend(part.stacks.iter().map(place));
        self.jobs.push(Job {
            width: pair.size.width,
            height: pair.size.height,
            first_row: part.rows.start,
            rows: part.row_count(),
            words_per_row: u32::try_from(words_per_row(pair.size.width))
                .expect("words of a row fit 32 bits"),
            shared_columns: pair.shared_columns,
            pixel_words: part.pixel_words,
            baseline_at: self.pixel_words,
            current_at: self.pixel_words + part.side_words(),
            row_flags_at,
            ignored_at,
            threshold_low: pair.threshold.low,
            threshold_high: pair.threshold.high,
            keep_anti_aliased: match pair.anti_aliasing {
                AntiAliasing::Include => 1,
                AntiAliasing::Exclude => 0,
            },
            pad_0: 0,
            pad_1: 0,
        });
        self.pixel_words += 2 * part.side_words();
    }

    /// Bytes that a buffer needs for it, at least one item.
    pub(crate) fn bytes_of(&self, resource: Resource) -> u64 {
        let (blocks, stacks) = (self.blocks.len(), self.stacks.len());
        let bits = blocks * TILE as usize * 4;
        let bytes = match resource {
            Resource::Config => size_of::<Config>(),
            Resource::Jobs => size_of_val(self.jobs.as_slice()),
            Resource::Pixels => self.pixel_words as usize * 4,
            Resource::Blocks => size_of_val(self.blocks.as_slice()),
            Resource::Stacks => size_of_val(self.stacks.as_slice()),
            Resource::Marks => size_of_val(self.marks.as_slice()),
            Resource::Changed | Resource::AntiAliased | Resource::Doubtful => bits,
            Resource::Tiles => blocks * TILES_PER_BLOCK as usize * size_of::<Tile>(),
            Resource::Losses => stacks * 4,
        };
        bytes as u64
    }

    /// The bytes of an input that is ready; pixels and results are not.
    pub(crate) fn ready_bytes(&self, resource: Resource) -> &[u8] {
        match resource {
            Resource::Config => bytemuck::bytes_of(&self.config),
            Resource::Jobs => bytemuck::cast_slice(&self.jobs),
            Resource::Blocks => bytemuck::cast_slice(&self.blocks),
            Resource::Stacks => bytemuck::cast_slice(&self.stacks),
            Resource::Marks => bytemuck::cast_slice(&self.marks),
            _ => &[],
        }
    }
}

fn length<T>(items: &[T]) -> u32 {
    u32::try_from(items.len()).expect("lists of a batch fit 32 bits")
}
