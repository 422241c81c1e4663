//! How much a check does.

/// How much is checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Extent {
    /// Pages as long as real ones and batches of 256; a minute or two with a card.
    #[default]
    Full,
    /// Small pages and batches: for software adapters.
    Quick,
}
