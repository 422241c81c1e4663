//! Addresses of reviews.

use pentimento_api::ids::ResultId;

use crate::list_filter::ListFilter;
use crate::review::order::Order;
use crate::url_state::with_parameters;

/// The address's word for captures as they are, their rows not aligned.
pub(crate) const RAW: &str = "raw";

/// A page's address in a review that goes through what is listed.
pub(crate) fn of(id: ResultId, filter: &ListFilter) -> String {
    in_view(id, filter, false, Order::default())
}

/// The same, with its captures as they are or not, in an order.
pub(crate) fn in_view(id: ResultId, filter: &ListFilter, is_raw: bool, order: Order) -> String {
    let view = [
        ("view", if is_raw { RAW } else { "" }),
        ("order", order.as_str()),
    ];
    with_parameters(
        &format!("/app/review/{id}"),
        filter.words().into_iter().chain(view),
    )
}
