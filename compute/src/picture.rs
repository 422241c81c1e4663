//! The forms in which a picture can be handed in.

use twox_hash::XxHash3_128;

/// A picture to compare or draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Picture<'a> {
    /// A PNG file.
    Png(&'a [u8]),
    /// A stored capture, as [`crate::to_strips`] makes it. It has no checksum: whoever keeps it sees to it that its bytes stay
    /// what they were, as the service does by naming it by their hash.
    Strips(&'a [u8]),
}

impl Picture<'_> {
    /// What it is known by: a hash of its file, wide enough that no two files of a service share
    /// one.
    pub(crate) fn key(self) -> u128 {
        let (Self::Png(file) | Self::Strips(file)) = self;
        XxHash3_128::oneshot(file)
    }
}

impl<'a> From<&'a [u8]> for Picture<'a> {
    fn from(png: &'a [u8]) -> Self {
        Self::Png(png)
    }
}

impl<'a> From<&'a Vec<u8>> for Picture<'a> {
    fn from(png: &'a Vec<u8>) -> Self {
        Self::Png(png)
    }
}
