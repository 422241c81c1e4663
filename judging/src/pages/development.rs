//! The pages for fitting.

mod article;
mod contact_form;
mod data_table;
mod documentation;
mod pricing;
mod product_list;

use crate::page::Page;

pub(super) fn pages() -> Vec<Page> {
    vec![
        pricing::page(),
        product_list::page(),
        article::page(),
        documentation::page(),
        contact_form::page(),
        data_table::page(),
    ]
}
