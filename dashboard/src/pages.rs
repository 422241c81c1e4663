//! One file per page: it loads what the page shows and arranges components.

pub(crate) mod api_keys;
pub(crate) mod audit;
pub(crate) mod history;
pub(crate) mod inspect;
pub(crate) mod job;
pub(crate) mod jobs;
pub(crate) mod not_found;
pub(crate) mod project;
pub(crate) mod projects;
pub(crate) mod review;
pub(crate) mod settings;
pub(crate) mod sign_in;
pub(crate) mod webhooks;
