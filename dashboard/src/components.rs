//! Components take props and draw; they fetch nothing.

pub(crate) mod agreement;
pub(crate) mod badge;
pub(crate) mod canvas;
pub(crate) mod capture_report;
pub(crate) mod dialog;
pub(crate) mod gate;
pub(crate) mod header;
pub(crate) mod icon;
pub(crate) mod inspector;
pub(crate) mod job_head;
pub(crate) mod job_row;
pub(crate) mod key_list;
pub(crate) mod mask_controls;
pub(crate) mod minimap;
pub(crate) mod notice;
pub(crate) mod outcome_bar;
pub(crate) mod progress_bar;
pub(crate) mod region_list;
pub(crate) mod result_card;
pub(crate) mod result_filters;
pub(crate) mod review_toolbar;
pub(crate) mod sentence;
pub(crate) mod sheet;
pub(crate) mod time;
pub(crate) mod toasts;
pub(crate) mod verdict_bar;
