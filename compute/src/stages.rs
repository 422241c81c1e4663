//! The table of stages: one row for each pair of a shader and its twin on the processor, in the
//! order they run.
//!
//! A stage named `x` is `shaders/x.wgsl` (with `shaders/common.wgsl` in front) and `cpu/x.rs`. A
//! new stage is those two files, a row here, and its call in `cpu.rs`; the GPU side runs whatever
//! the table lists. Tests check every shader against this file.

use bytemuck::{Pod, Zeroable};

use crate::mask::words_per_row;
use crate::metric::COEFFICIENTS;
use crate::pair::Pair;
use crate::score::{C1, C2, WINDOW, weights};
use crate::tile::TILE;

/// A buffer that stages read or write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Resource {
    Config,
    /// Pixels of the baseline, RGBA.
    Baseline,
    /// Pixels of the current picture, RGBA.
    Current,
    /// Ignored bits.
    Ignored,
    /// Changed bits.
    Changed,
    /// Bits left to the host.
    Doubtful,
    /// Summaries of tiles.
    Tiles,
    /// Loss of each core tile's windows.
    Losses,
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
    /// Words of the mask along x, rows of pixels along y.
    Words,
    /// One tile, of all rows in the chunk.
    Tiles,
    /// One tile, of the core rows only.
    CoreTiles,
}

/// One row of the table.
#[derive(Debug)]
pub(crate) struct Stage {
    pub(crate) name: &'static str,
    pub(crate) source: &'static str,
    /// Threads along x and y.
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
const BASELINE: (Resource, Access) = (Resource::Baseline, Access::Read);
const CURRENT: (Resource, Access) = (Resource::Current, Access::Read);
const IGNORED: (Resource, Access) = (Resource::Ignored, Access::Read);

/// Every stage, in the order they run.
pub(crate) const STAGES: [Stage; 3] = [
    Stage {
        name: "color_delta",
        source: shader!("color_delta"),
        workgroup: [8, 8],
        grid: Grid::Words,
        bindings: &[
            CONFIG,
            BASELINE,
            CURRENT,
            IGNORED,
            (Resource::Changed, Access::Write),
            (Resource::Doubtful, Access::Write),
        ],
    },
    Stage {
        name: "tiles",
        source: shader!("tiles"),
        workgroup: [16, 4],
        grid: Grid::Tiles,
        bindings: &[
            CONFIG,
            BASELINE,
            CURRENT,
            IGNORED,
            (Resource::Changed, Access::Read),
            (Resource::Tiles, Access::Write),
        ],
    },
    Stage {
        name: "ssim",
        source: shader!("ssim"),
        workgroup: [16, 16],
        grid: Grid::CoreTiles,
        bindings: &[
            CONFIG,
            BASELINE,
            CURRENT,
            IGNORED,
            (Resource::Tiles, Access::Read),
            (Resource::Losses, Access::Write),
        ],
    },
];

/// The settings of one chunk, as `struct Config` in `shaders/common.wgsl` has them.
#[repr(C)]
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
pub(crate) struct Config {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) first_row: u32,
    pub(crate) rows: u32,
    pub(crate) words_per_row: u32,
    pub(crate) tiles_per_row: u32,
    pub(crate) core_first: u32,
    pub(crate) core_rows: u32,
    pub(crate) has_ignored: u32,
    pub(crate) threshold_low: u32,
    pub(crate) threshold_high: u32,
    pub(crate) coefficients: [i32; 6],
    pub(crate) ssim_c1: f32,
    pub(crate) ssim_c2: f32,
    pub(crate) pad: u32,
    pub(crate) weights: [f32; 12],
}

impl Config {
    /// Settings of the whole page; the chunk's own are left at 0.
    pub(crate) fn of_page(pair: &Pair<'_>) -> Self {
        let (tiles_per_row, _) = pair.tiles();
        let mut config = Self::zeroed();
        (config.width, config.height) = (pair.size.width, pair.size.height);
        config.words_per_row =
            u32::try_from(words_per_row(pair.size.width)).expect("words of a row fit 32 bits");
        config.tiles_per_row = tiles_per_row;
        config.has_ignored = u32::from(pair.ignored.is_some());
        (config.threshold_low, config.threshold_high) = (pair.threshold.low, pair.threshold.high);
        config.coefficients = COEFFICIENTS;
        (config.ssim_c1, config.ssim_c2) = (single(C1), single(C2));
        config.weights[..WINDOW].copy_from_slice(&weights().map(single));
        config
    }
}

impl Stage {
    /// Workgroups along x and y for a chunk.
    pub(crate) fn workgroups(&self, config: &Config) -> [u32; 2] {
        match self.grid {
            Grid::Words => [
                config.words_per_row.div_ceil(self.workgroup[0]),
                config.rows.div_ceil(self.workgroup[1]),
            ],
            Grid::Tiles => [config.tiles_per_row, config.rows.div_ceil(TILE)],
            Grid::CoreTiles => [config.tiles_per_row, config.core_rows],
        }
    }
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "constants near 1 lose digits only"
)]
fn single(value: f64) -> f32 {
    value as f32
}

#[cfg(test)]
mod shader_tests;
