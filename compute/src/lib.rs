//! From two screenshots to measured facts: which pixels changed, how similar the pages are, where
//! the changes lie.
//!
//! [`Comparator`] is the way in. It runs the same stages (see `stages.rs`) as shaders on a graphics
//! adapter or as threads on the processor: both give the same mask, counts and regions to the
//! pixel, and the same score to 1e-4. The crate knows files and numbers only; networks, databases
//! and people are others' work.

mod align;
mod backend;
mod card;
mod chunks;
mod comparator;
mod compared;
mod comparison;
mod conclude;
mod contest;
mod covered;
mod cpu;
mod crop;
mod decode;
mod dirty;
mod doubt;
mod encode;
mod error;
mod faint;
mod file;
mod gathering;
mod geometry;
mod gpu;
pub mod gpu_check;
mod keeper;
mod layout;
mod load;
mod loaded;
mod many;
mod mask;
mod measured;
mod metric;
mod one_sided;
mod options;
mod pair;
mod picture;
mod pixel_chunks;
mod plain_rows;
mod png_rows;
mod pool;
mod raster;
mod regions;
mod render;
mod row_hash;
mod scale;
mod scanlines;
mod scattered;
mod score;
mod side_by_side;
#[cfg(feature = "stage-bench")]
mod stage_bench;
mod stages;
mod stopwatch;
mod strips;
mod synthetic;
mod thumbnail;
mod tile;
mod unfilter;
mod workers;

pub use backend::{Backend, BackendChoice, BackendReport, ComparatorOptions};
pub use comparator::Comparator;
pub use compared::Compared;
pub use comparison::{Comparison, LooseRows, Region, RegionKind};
pub use covered::{count_covered, count_uncovered};
pub use crop::crop;
pub use decode::{MAX_PIXELS, MAX_SIDE, check_form, read_size};
pub use doubt::{Doubt, Doubtful};
pub use error::Error;
pub use file::{DiskFile, FileBytes, PictureFile};
pub use gathering::OwnedPair;
pub use geometry::{Rect, Size};
pub use layout::{Band, Lane, Layout};
pub use mask::BitMask;
pub use options::{Alignment, AntiAliasing, CompareOptions};
pub use picture::{Form, Picture};
pub use render::{Drawing, render_diff};
#[cfg(feature = "stage-bench")]
pub use stage_bench::{Found, Staged, Unaligned, decode_png, unpack_strips};
pub use strips::{is_strips, to_strips};
pub use thumbnail::thumbnail;
