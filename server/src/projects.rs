//! Saved projects: creating and changing them, what invalidates their baselines, and when they run by themselves.

mod configure;
mod credential;
pub mod preview;
pub mod save;
pub mod schedule;
pub mod slots;
pub mod view;
