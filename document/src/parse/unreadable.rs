//! Why a tree cannot be read.

use crate::json::Malformed;

/// Why a tree cannot be read. Each says so in one sentence.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unreadable {
    /// More bytes than are read.
    #[error("The DOM tree is larger than 16 MiB.")]
    TooLarge,
    /// More elements than are compared.
    #[error("The DOM tree has more than 50,000 elements.")]
    TooManyNodes,
    /// Elements within elements, too many times.
    #[error("The DOM tree is nested deeper than 512 levels.")]
    TooDeep,
    /// The capture left out what was beyond its own bounds: it cannot be told from what was deleted.
    #[error(
        "The DOM tree was cut off when it was captured, because the page has too many elements."
    )]
    Truncated,
    /// The client says that it has none.
    #[error("The client captured no DOM tree.")]
    Absent,
    /// Not a JSON text.
    #[error("The DOM tree is not valid JSON: {what} at byte {at}.")]
    NotJson {
        /// The first byte that cannot be read.
        at: usize,
        /// What is wrong there.
        what: &'static str,
    },
    /// A value has another type than it must have.
    #[error("The DOM tree is malformed: {field} of {node} is not {expected}.")]
    WrongType {
        /// The element, by its tag and its place in its parents.
        node: String,
        /// The field.
        field: &'static str,
        /// What it should be.
        expected: &'static str,
    },
    /// An element without a tag.
    #[error("The DOM tree is malformed: {node} has no tagName.")]
    NoTag {
        /// The element, by its place in its parents.
        node: String,
    },
}

impl From<Malformed> for Unreadable {
    fn from(Malformed { at, what }: Malformed) -> Self {
        Self::NotJson { at, what }
    }
}

/// A value that is not what it must be.
pub(crate) enum Fault {
    Malformed(Malformed),
    Type(&'static str, &'static str),
}

impl From<Malformed> for Fault {
    fn from(malformed: Malformed) -> Self {
        Self::Malformed(malformed)
    }
}
