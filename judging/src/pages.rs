//! The pages of both halves.

mod development;
mod held_out;

use crate::page::Page;
use crate::truth::Half;

/// The pages of a half.
pub(crate) fn pages(half: Half) -> Vec<Page> {
    match half {
        Half::Development => development::pages(),
        Half::HeldOut => held_out::pages(),
    }
}
