//! The table of stages: one row for each pair of a shader and its twin on the processor, in the
//! order they run.
//!
//! A stage named `x` is `shaders/x.wgsl` (with `shaders/common.wgsl` in front) and `cpu/x.rs`. A
//! new stage is those two files, a row here, and its call in `cpu.rs`; the GPU side runs whatever
//! the table lists. Tests check every shader's bindings and workgroup against this file, and such constants as they list.
//! One that finds something new needs a buffer and a place in the results as well: "Adding a stage" in `docs/ARCHITECTURE.md`.

use bytemuck::{Pod, Zeroable};

use crate::metric::COEFFICIENTS;
use crate::score::{C1, C2, single};

/// A buffer that stages read or write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Resource {
    Config,
    /// The ranges of rows of a batch.
    Jobs,
    /// Pixels of both pictures.
    Pixels,
    /// List of the blocks in which something differs.
    Blocks,
    /// List of the stacks of blocks with windows that touch a difference.
    Stacks,
    /// Row flags and ignored bits.
    Marks,
    /// Changed bits of each block.
    Changed,
    /// Anti-aliased bits of each block.
    AntiAliased,
    /// Bits left to the host.
    Doubtful,
    /// Summaries of the two tiles of each block.
    Tiles,
    /// Loss of each stack.
    Losses,
}

impl Resource {
    /// Each of them, in the order of their declaration.
    pub(crate) const ALL: [Self; 11] = [
        Self::Config,
        Self::Jobs,
        Self::Pixels,
        Self::Blocks,
        Self::Stacks,
        Self::Marks,
        Self::Changed,
        Self::AntiAliased,
        Self::Doubtful,
        Self::Tiles,
        Self::Losses,
    ];
}

/// How a stage uses a buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    Uniform,
    Read,
    Write,
}

/// What one workgroup covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Grid {
    /// Four blocks of the list.
    FourBlocks,
    /// One block of the list.
    Block,
    /// One stack of the list.
    Stack,
}

/// One row of the table.
#[derive(Debug)]
pub(crate) struct Stage {
    pub(crate) name: &'static str,
    pub(crate) source: &'static str,
    /// Threads along x and y.
    #[cfg_attr(
        not(test),
        expect(dead_code, reason = "shaders say it themselves; a test compares")
    )]
    pub(crate) workgroup: [u32; 2],
    pub(crate) grid: Grid,
    /// The binding number is the place in the list.
    pub(crate) bindings: &'static [(Resource, Access)],
}

macro_rules! shader {
    ($name:literal) => {
        concat!(
            include_str!("../../shaders/common.wgsl"),
            include_str!(concat!("../../shaders/", $name, ".wgsl"))
        )
    };
}

const CONFIG: (Resource, Access) = (Resource::Config, Access::Uniform);
const JOBS: (Resource, Access) = (Resource::Jobs, Access::Read);
const PIXELS: (Resource, Access) = (Resource::Pixels, Access::Read);
const BLOCKS: (Resource, Access) = (Resource::Blocks, Access::Read);
const MARKS: (Resource, Access) = (Resource::Marks, Access::Read);

/// Every stage, in the order they run.
pub(crate) const STAGES: [Stage; 4] = [
    Stage {
        name: "color_delta",
        source: shader!("color_delta"),
        workgroup: [64, 1],
        grid: Grid::FourBlocks,
        bindings: &[
            CONFIG,
            JOBS,
            PIXELS,
            BLOCKS,
            MARKS,
            (Resource::Changed, Access::Write),
            (Resource::Doubtful, Access::Write),
        ],
    },
    Stage {
        name: "antialias",
        source: shader!("antialias"),
        workgroup: [32, 8],
        grid: Grid::Block,
        bindings: &[
            CONFIG,
            JOBS,
            PIXELS,
            BLOCKS,
            MARKS,
            (Resource::Changed, Access::Write),
            (Resource::AntiAliased, Access::Write),
            (Resource::Doubtful, Access::Write),
        ],
    },
    Stage {
        name: "tiles",
        source: shader!("tiles"),
        workgroup: [32, 4],
        grid: Grid::Block,
        bindings: &[
            CONFIG,
            JOBS,
            PIXELS,
            BLOCKS,
            (Resource::Changed, Access::Read),
            (Resource::Tiles, Access::Write),
        ],
    },
    Stage {
        name: "ssim",
        source: shader!("ssim"),
        workgroup: [128, 1],
        grid: Grid::Stack,
        bindings: &[
            CONFIG,
            JOBS,
            PIXELS,
            (Resource::Stacks, Access::Read),
            MARKS,
            (Resource::Losses, Access::Write),
        ],
    },
];

/// Workgroups along one axis at most: what WebGPU guarantees.
pub(crate) const MAX_GROUPS: u32 = 65_535;

/// Blocks that one workgroup of stage `color_delta` covers.
pub(crate) const BLOCKS_PER_GROUP: u32 = 4;

/// Words of pixels for one word of a mask, by kind of pixels.
pub(crate) const RGB_WORDS: u32 = 24;
pub(crate) const RGBA_WORDS: u32 = 32;

/// Stands for "nothing is ignored".
pub(crate) const NONE: u32 = u32::MAX;

/// Flag of a row that both pictures have.
pub(crate) const ROW_SHARED: u32 = 1;

/// Flag of a row whose neighbours on the canvas are not its neighbours in the pictures.
pub(crate) const ROW_SEAM: u32 = 2;

/// The settings of a batch, as `struct Config` in `shaders/common.wgsl` has them.
#[repr(C)]
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
pub(crate) struct Config {
    pub(crate) blocks: u32,
    pub(crate) stacks: u32,
    pub(crate) coefficients: [i32; 6],
    pub(crate) ssim_c1: f32,
    pub(crate) ssim_c2: f32,
    pub(crate) pad_0: u32,
    pub(crate) pad_1: u32,
}

/// A range of rows of one pair, as `struct Job` in `shaders/common.wgsl` has it.
#[repr(C)]
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
pub(crate) struct Job {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) first_row: u32,
    pub(crate) rows: u32,
    pub(crate) words_per_row: u32,
    pub(crate) shared_columns: u32,
    pub(crate) pixel_words: u32,
    pub(crate) baseline_at: u32,
    pub(crate) current_at: u32,
    pub(crate) row_flags_at: u32,
    pub(crate) ignored_at: u32,
    pub(crate) threshold_low: u32,
    pub(crate) threshold_high: u32,
    pub(crate) keep_anti_aliased: u32,
    /// 64 bytes in all: none lies in two lines of a cache.
    pub(crate) pad_0: u32,
    pub(crate) pad_1: u32,
}

/// An item of a list, as `struct Place` in `shaders/common.wgsl` has it.
#[repr(C)]
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
pub(crate) struct Place {
    pub(crate) job: u32,
    /// Column and row of blocks on the canvas.
    pub(crate) column: u32,
    pub(crate) row: u32,
    /// Blocks one below the other: 1, but for a stack.
    pub(crate) count: u32,
}

impl Config {
    /// Settings for lists of these lengths.
    pub(crate) fn new(blocks: u32, stacks: u32) -> Self {
        let mut config = Self::zeroed();
        (config.blocks, config.stacks) = (blocks, stacks);
        config.coefficients = COEFFICIENTS;
        (config.ssim_c1, config.ssim_c2) = (single(C1), single(C2));
        config
    }
}

impl Job {
    /// Bytes of a row of one picture's pixels.
    pub(crate) fn row_bytes(&self) -> u64 {
        4 * u64::from(self.words_per_row) * u64::from(self.pixel_words)
    }

    /// Bytes of one picture's pixels.
    pub(crate) fn side_bytes(&self) -> u64 {
        self.row_bytes() * u64::from(self.rows)
    }
}

impl Stage {
    /// Workgroups along x and y for a batch; 0 when there is nothing to do.
    pub(crate) fn workgroups(&self, config: &Config) -> [u32; 2] {
        let groups = match self.grid {
            Grid::FourBlocks => config.blocks.div_ceil(BLOCKS_PER_GROUP),
            Grid::Block => config.blocks,
            Grid::Stack => config.stacks,
        };
        [groups.min(MAX_GROUPS), groups.div_ceil(MAX_GROUPS)]
    }
}

#[cfg(test)]
mod shader_tests;
