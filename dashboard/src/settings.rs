//! A project's settings while they are edited: texts as they stand in the form, and what of them is sent.

mod contested;
pub(crate) mod draft;
pub(crate) mod gate;
mod invalidates;
mod lines;
mod rebase;
pub(crate) mod saving;
pub(crate) mod scan;
pub(crate) mod update;
