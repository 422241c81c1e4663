//! The wire types of Pentimento: what travels between the service, CI clients and the dashboard.
//!
//! One file per resource. Field names on the wire are camelCase; absent optional fields are omitted unless a field's
//! documentation calls it nullable. Timestamps are RFC 3339 strings in UTC. No business rule lives here.
//!
//! # Glossary
//!
//! *Project*: a named, saved configuration. *Page*: an address of the site. *Device*: a named viewport. *Variant*: a
//! page's rendition on one device. *Capture*: screenshot, DOM tree and saved page of a variant. *Baseline*: the
//! approved capture of a page's variant. *Mask*: what is hidden before capturing. *Comparison*: the measured numbers of
//! a capture against its baseline. *Region*: a cluster of changed pixels, lettered A, B, C. *Verdict*: the judgement of
//! a change. *Triage*: a person's decision. *Promote*: make a capture the baseline. *Job*: a user's run of many pages.
//! *Webhook*: an address that is told of events. *Delivery*: one event on its way to one webhook.
//! *Audit log*: who did what to what, and when.
//! *Task*: a piece of background work inside the service; it never shows on the wire.

pub mod agreement;
pub mod ai_summary;
pub mod approve;
pub mod audit;
pub mod capture;
pub mod ci;
pub mod comparison;
pub mod crawl;
pub mod device;
pub mod discover;
pub mod error;
pub mod events;
mod form;
pub mod gate;
pub mod groups;
pub mod health;
pub mod history;
pub mod ids;
pub mod job;
pub mod keys;
pub mod mask;
pub mod patch;
pub mod picture;
pub mod project;
pub mod result;
pub mod review;
pub mod rotation;
pub mod session;
pub mod summary;
#[cfg(feature = "openapi")]
pub mod values;
pub mod webhook;
pub mod webhook_payload;
mod whole;
