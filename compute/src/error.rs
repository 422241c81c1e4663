//! Everything that can go wrong between two files and their comparison.

use std::io::ErrorKind;

use crate::geometry::Size;

/// Why a picture could not be read, compared or drawn.
#[derive(Debug, Clone, thiserror::Error)]
pub enum Error {
    /// The bytes do not begin with a PNG signature and header.
    #[error("the file is not a PNG picture: {0}; a PNG screenshot is wanted")]
    NotPng(&'static str),
    /// The header announces more pixels than are accepted; nothing was decoded.
    #[error(
        "{size} pixels are too many, at most {} in all and {} along a side are accepted: capture a \
         smaller area, or at a lower device scale factor",
        grouped(*max_pixels),
        grouped((*max_side).into())
    )]
    TooLarge {
        /// Size that the header announces, or that both pictures need together.
        size: Size,
        /// Bound on all pixels, see [`crate::MAX_PIXELS`].
        max_pixels: u64,
        /// Bound on pixels along a side, see [`crate::MAX_SIDE`].
        max_side: u32,
    },
    /// The file begins as a PNG but cannot be decoded to its end.
    #[error("the PNG is damaged or cut short: {0}; save or capture it again")]
    Corrupt(String),
    /// The file could not be read from where it lies.
    #[error("the file cannot be read: {0}; see whether it is still there, and nobody writes to it")]
    Unreadable(String),
    /// The threshold is not a number from 0 to 1.
    #[error("the threshold {0} is not between 0 and 1; 0.1 is the usual value")]
    Threshold(f64),
    /// A mask was given that does not belong to the pictures.
    #[error(
        "the mask is {mask} pixels, the pictures together are {expected}; pass the mask of this \
         very comparison"
    )]
    MaskSize {
        /// Size of the mask.
        mask: Size,
        /// Size of both pictures taken together.
        expected: Size,
    },
    /// A picture of no pixels was asked for.
    #[error("a thumbnail needs a width and a height of at least 1 pixel")]
    EmptyThumbnail,
    /// An area was to be cut out that is not on the picture.
    #[error("nothing can be cut out there: the area lies beyond the picture, or has no pixels")]
    EmptyCrop,
    /// The GPU was asked for by name and there is no adapter at all, not even a software one.
    #[error(
        "no graphics adapter was found; install a Vulkan driver (mesa-vulkan-drivers has a \
         software one) or choose the CPU backend"
    )]
    NoAdapter,
    /// A graphics adapter was asked for by a name that none has.
    #[error("no graphics adapter has {wanted:?} in its name; there are: {}", there.join(", "))]
    NoSuchAdapter {
        /// What its name was to contain.
        wanted: String,
        /// The names of those that there are.
        there: Vec<String>,
    },
    /// The GPU refused or lost the work.
    #[error("the GPU failed: {0}; the CPU backend does the same work")]
    Gpu(String),
    /// A PNG could not be written.
    #[error("the PNG could not be written: {0}")]
    Encode(String),
}

/// A number with its thousands set apart.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.char_indices() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

impl Error {
    /// A file has fewer rows than its header announces.
    pub(crate) fn ended_early() -> Self {
        Self::Corrupt("it ends before its last row".into())
    }

    /// What a GPU failed of, without what stands around it.
    pub(crate) fn of_gpu(&self) -> String {
        match self {
            Self::Gpu(why) => why.clone(),
            other => other.to_string(),
        }
    }

    /// A file on disk is not what it was when it was opened.
    pub(crate) fn changed() -> Self {
        Self::Unreadable("it was changed while it was read".into())
    }
}

impl From<std::io::Error> for Error {
    fn from(error: std::io::Error) -> Self {
        match error.kind() {
            // Nobody reads beyond the end that it had.
            ErrorKind::UnexpectedEof => Self::changed(),
            _ => Self::Unreadable(error.to_string()),
        }
    }
}

impl From<png::EncodingError> for Error {
    fn from(error: png::EncodingError) -> Self {
        Self::Encode(error.to_string())
    }
}
