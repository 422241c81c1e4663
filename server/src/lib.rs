//! The Pentimento service: captures pages, compares them with their baselines, and lets people decide.
//!
//! `docs/ARCHITECTURE.md` has the map. In short: [`routes`] answer HTTP and write rows through [`db`]; [`tasks`] do the
//! work behind them with [`capture`], [`storage`] and the compute crate; [`triage`] moves baselines.

pub mod agreement;
pub mod app;
mod audit;
pub mod auth;
pub mod capture;
pub mod cli;
pub mod clock;
pub mod comparison;
pub mod config;
pub mod db;
pub mod demo;
pub mod dial;
pub mod diff;
pub mod discover;
pub mod document;
pub mod error;
pub mod extract;
pub mod gate;
pub mod idempotency;
pub mod jobs;
pub mod keys;
pub mod language_model;
pub mod listen;
mod masks;
pub mod metrics;
pub mod page_path;
mod precondition;
mod progress;
pub mod projects;
pub mod proxy;
pub mod rate_limit;
pub mod readiness;
pub mod remote;
mod report;
mod retry_after;
mod rotation;
pub mod routes;
pub mod serve;
pub mod storage;
mod store_lock;
mod stored_form;
pub mod streams;
pub mod target;
pub mod tasks;
pub mod triage;
mod turn;
pub mod vault;
pub mod verdict;
pub mod webhooks;
