//! Webhooks: telling other services of what happened here, signed by the Standard Webhooks specification.
//!
//! An event is written to the log of deliveries in the transaction of what it tells of ([`outbox`]), so that it is lost
//! only with it. [`crate::tasks::deliver`] sends it, at least once, until the receiver takes it or time is up.

pub(crate) mod attempt;
pub(crate) mod deliveries;
pub(crate) mod outbox;
pub(crate) mod outcome;
pub(crate) mod save;
mod signature;
pub(crate) mod view;

use crate::error::Error;

/// 404: no such webhook for this key.
pub(crate) fn not_found() -> Error {
    Error::not_found("No webhook has this id. GET /webhooks lists those of your organization.")
}
