//! The forms in which a picture can be handed in.

use crate::file::FileBytes;

/// A picture to compare or draw: a file, and which form it has.
#[derive(Debug, Clone, Copy)]
pub struct Picture<'a> {
    pub(crate) form: Form,
    pub(crate) file: FileBytes<'a>,
}

/// Which form a picture's file has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// A PNG.
    Png,
    /// A stored capture, as [`crate::to_strips`] makes it. It has no checksum: whoever keeps it sees to it that its bytes stay
    /// what they were, as the service does by naming it by their hash.
    Strips,
}

impl Form {
    /// The picture in a file of this form.
    pub fn of<'a>(self, file: impl Into<FileBytes<'a>>) -> Picture<'a> {
        Picture {
            form: self,
            file: file.into(),
        }
    }
}

impl<'a> Picture<'a> {
    /// That of a PNG file.
    pub fn png(file: impl Into<FileBytes<'a>>) -> Self {
        Form::Png.of(file)
    }

    /// That of a stored capture.
    pub fn strips(file: impl Into<FileBytes<'a>>) -> Self {
        Form::Strips.of(file)
    }

    /// Whether both have the same form and the same bytes.
    pub(crate) fn same(self, other: Picture<'_>) -> bool {
        self.form == other.form && self.file.same(other.file)
    }
}

impl<'a, F: Into<FileBytes<'a>>> From<F> for Picture<'a> {
    fn from(png: F) -> Self {
        Self::png(png)
    }
}
