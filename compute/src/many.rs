//! Many pairs compared together: loaded in groups, measured in as few submissions as they fit.

use std::ops::Range;

use rayon::prelude::*;

use crate::geometry::Size;
use crate::load::page_size;
use crate::picture::Picture;

/// Pixels of the pages of one group. Two groups are in memory at once, one being loaded while
/// another is measured: below 800 MiB.
const GROUP_PIXELS: u64 = 64_000_000;

/// Cuts pairs into groups that are loaded and measured together, in their order.
pub(crate) fn groups(pairs: &[(Picture<'_>, Picture<'_>)]) -> Vec<Range<usize>> {
    let mut groups: Vec<Range<usize>> = Vec::new();
    let mut filled = 0;
    let sizes: Vec<u64> = (pairs.par_iter())
        .map(|&(baseline, current)| page_size(baseline, current).map_or(0, Size::pixels))
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
