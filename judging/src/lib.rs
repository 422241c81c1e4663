//! The mutation corpus: real-looking web pages with known changes, each with its truth.
//!
//! A [`Case`] is a page before and after one mutation or a few, together with what was planted and
//! which decision is right under three intents. Cases come in two [`Half`]s that share no page and
//! no wording: weights are fitted on one and measured on the other. The same bytes come out every
//! time.
//!
//! Read [`truth`](Truth) for what a case promises, `rules` for how the right decision follows from
//! what was planted, and `edit` for the mutations.

mod apply;
mod art;
mod build;
mod combine;
mod edit;
mod html;
mod intents;
mod page;
mod pages;
mod random;
mod rules;
mod select;
mod source_only;
mod truth;
mod words;

pub use build::cases;
pub use truth::{Case, Half, IntentCase, Pixels, Planted, Truth};
