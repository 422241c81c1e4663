//! The forms in which a picture can be handed in.

use crate::file::FileBytes;

/// A picture to compare or draw.
#[derive(Debug, Clone, Copy)]
pub enum Picture<'a> {
    /// A PNG file.
    Png(FileBytes<'a>),
    /// A stored capture, as [`crate::to_strips`] makes it. It has no checksum: whoever keeps it sees to it that its bytes stay
    /// what they were, as the service does by naming it by their hash.
    Strips(FileBytes<'a>),
}

/// Which form a file has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// [`Picture::Png`].
    Png,
    /// [`Picture::Strips`].
    Strips,
}

impl Form {
    /// The picture in a file of this form.
    pub fn of<'a>(self, file: impl Into<FileBytes<'a>>) -> Picture<'a> {
        match self {
            Self::Png => Picture::png(file),
            Self::Strips => Picture::strips(file),
        }
    }
}

impl<'a> Picture<'a> {
    /// That of a PNG file.
    pub fn png(file: impl Into<FileBytes<'a>>) -> Self {
        Self::Png(file.into())
    }

    /// That of a stored capture.
    pub fn strips(file: impl Into<FileBytes<'a>>) -> Self {
        Self::Strips(file.into())
    }

    /// Its file.
    pub(crate) fn file(self) -> FileBytes<'a> {
        let (Self::Png(file) | Self::Strips(file)) = self;
        file
    }

    /// Whether both have the same form and the same bytes.
    pub(crate) fn same(self, other: Picture<'_>) -> bool {
        match (self, other) {
            (Self::Png(one), Picture::Png(other)) | (Self::Strips(one), Picture::Strips(other)) => {
                one.same(other)
            }
            _ => false,
        }
    }
}

impl<'a, F: Into<FileBytes<'a>>> From<F> for Picture<'a> {
    fn from(png: F) -> Self {
        Self::png(png)
    }
}
