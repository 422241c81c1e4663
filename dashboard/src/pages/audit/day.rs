//! Days as fields for dates have them, and the moments between which they lie where the reader is.

use js_sys::Date;
use wasm_bindgen::JsValue;

/// When a day begins; nothing for what is no day.
pub(super) fn begins(day: &str) -> Option<String> {
    moment(day, 0)
}

/// When it is over.
pub(super) fn ends(day: &str) -> Option<String> {
    moment(day, 1)
}

fn moment(day: &str, days_on: u32) -> Option<String> {
    // Without a zone it is the reader's time.
    let date = Date::new(&JsValue::from_str(&format!("{day}T00:00:00")));
    if date.get_time().is_nan() {
        return None;
    }
    // Days with a change of the clock are not of 24 hours.
    date.set_date(date.get_date() + days_on);
    Some(date.to_iso_string().into())
}
