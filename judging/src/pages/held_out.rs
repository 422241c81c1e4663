//! The pages for measuring.

mod changelog;
mod checkout;
mod news_front;
mod product_detail;
mod recipe;
mod team;

use crate::page::Page;

pub(super) fn pages() -> Vec<Page> {
    vec![
        news_front::page(),
        product_detail::page(),
        recipe::page(),
        changelog::page(),
        checkout::page(),
        team::page(),
    ]
}
