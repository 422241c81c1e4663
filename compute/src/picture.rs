//! The forms in which a picture can be handed in.

/// A picture to compare or draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Picture<'a> {
    /// A PNG file.
    Png(&'a [u8]),
    /// A stored capture, as [`crate::to_strips`] makes it.
    Strips(&'a [u8]),
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
