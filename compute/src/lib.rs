//! From two screenshots to measured facts: which pixels changed, how similar the pages are, where
//! the changes lie.
//!
//! [`Comparator`] is the way in. It runs the same stages (see `stages.rs`) as shaders on a graphics
//! adapter or as threads on the processor: both give the same mask, counts and regions to the
//! pixel, and the same score to 1e-4. The crate knows files and numbers only; networks, databases
//! and people are others' work.

mod backend;
mod comparator;
mod comparison;
mod cpu;
mod decode;
mod encode;
mod error;
mod geometry;
mod gpu;
mod layout;
mod mask;
mod measured;
mod metric;
mod pair;
mod picture;
mod pool;
mod regions;
mod render;
mod scale;
mod score;
mod stages;
mod thumbnail;
mod tile;

pub use backend::{Backend, BackendChoice, BackendReport};
pub use comparator::Comparator;
pub use comparison::{Alignment, AntiAliasing, CompareOptions, Comparison, Region, RegionKind};
pub use decode::{MAX_PIXELS, MAX_SIDE, read_size};
pub use error::Error;
pub use geometry::{Rect, Size};
pub use layout::{Band, Lane, Layout};
pub use mask::BitMask;
pub use picture::Picture;
pub use render::{Drawing, render_diff};
pub use thumbnail::thumbnail;
