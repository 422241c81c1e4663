//! What the review page is made of, apart from its drawing: its state, its queue, and its decisions.

pub(crate) mod address;
pub(crate) mod apart;
pub(crate) mod arrange;
pub(crate) mod arrival;
pub(crate) mod ask;
pub(crate) mod decidable;
pub(crate) mod decide;
pub(crate) mod decide_group;
pub(crate) mod decided;
pub(crate) mod follow;
pub(crate) mod group;
pub(crate) mod history;
pub(crate) mod load;
pub(crate) mod masking;
pub(crate) mod noted;
pub(crate) mod order;
pub(crate) mod orders;
pub(crate) mod outdated;
pub(crate) mod pictures;
pub(crate) mod queue;
pub(crate) mod resend;
pub(crate) mod send;
pub(crate) mod state;
pub(crate) mod steps;
pub(crate) mod view;
