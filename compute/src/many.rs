//! Many pairs compared together: loaded in groups, measured in as few submissions as they fit.

use std::ops::Range;

use rayon::prelude::*;

use crate::geometry::Size;
use crate::load::page_size;
use crate::options::CompareOptions;
use crate::picture::Picture;

/// Pixels of the pages of one group, unless a single page has more. Two groups are in memory at once, one being loaded while
/// another is measured: where every page is opaque and differs everywhere, below 800 MiB, and 1 GiB when each is one page as
/// large as they come. Translucent pages take a third more.
pub(crate) const GROUP_PIXELS: u64 = 64_000_000;

/// A pair, and how it is compared.
#[derive(Clone, Copy)]
pub(crate) struct Ask<'a, 'o> {
    pub(crate) pictures: (Picture<'a>, Picture<'a>),
    pub(crate) options: &'o CompareOptions,
}

/// Cuts pairs into groups that are loaded and measured together, in their order.
pub(crate) fn groups(asks: &[Ask<'_, '_>]) -> Vec<Range<usize>> {
    let mut groups: Vec<Range<usize>> = Vec::new();
    let mut filled = 0;
    let sizes: Vec<u64> = (asks.par_iter())
        .map(|ask| page_size(ask.pictures.0, ask.pictures.1).map_or(0, Size::pixels))
        .collect();
    for (index, pixels) in sizes.into_iter().enumerate() {
        match groups.last_mut() {
            Some(last) if filled + pixels <= GROUP_PIXELS => last.end = index + 1,
            _ => {
                filled = 0;
                groups.push(index..index + 1);
            }
        }
        filled += pixels;
    }
    groups
}
