//! Jobs: what starts one, what it looks like on the wire, how it ends.

pub mod checks;
pub mod client;
pub mod describe;
pub(crate) mod in_words;
pub mod links;
pub mod run;
pub(crate) mod sets;
pub mod spec;
pub mod start;
pub mod summary;
pub mod view;
pub(crate) mod whole;
