//! The pages for fitting.

mod article;
mod contact_form;
mod data_table;
mod documentation;
mod event_schedule;
mod music_album;
mod pricing;
mod product_list;
mod room_booking;
mod usage_dashboard;

use crate::page::Page;

pub(super) fn pages() -> Vec<Page> {
    vec![
        pricing::page(),
        product_list::page(),
        article::page(),
        documentation::page(),
        contact_form::page(),
        data_table::page(),
        event_schedule::page(),
        room_booking::page(),
        usage_dashboard::page(),
        music_album::page(),
    ]
}
