//! The two scripts that run in a captured page, and what they report.

use chromiumoxide::Page;
use chromiumoxide::cdp::js_protocol::runtime::EvaluateParams;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::failure::explain;
use super::{CaptureError, CaptureRequest};

const QUIET: &str = include_str!("quiet.js");
const DOM: &str = include_str!("dom.js");

/// Longest waits of the quieting script, in milliseconds; `domQuiet` is how long the document must not change.
const SCROLL_CAP_MS: u32 = 10_000;
const FONTS_CAP_MS: u32 = 5_000;
const IMAGES_CAP_MS: u32 = 10_000;
const DOM_CAP_MS: u32 = 5_000;
const DOM_QUIET_MS: u32 = 300;

/// Selects what the page itself declares as masked.
const MASK_ATTRIBUTE: &str = "[data-vr-mask]";

/// Bounds of the recorded tree.
const MAX_NODES: u32 = 50_000;
const MAX_DEPTH: u32 = 200;
const MAX_TEXT_CHARACTERS: u32 = 100;
const MAX_ADDRESS_CHARACTERS: u32 = 2_048;

/// What the quieting script found.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct QuietReport {
    /// The page's extent in CSS pixels.
    pub(super) width: i64,
    pub(super) height: i64,
    /// What was not waited for to its end.
    pub(super) gave_up: Vec<String>,
    /// Masks that are no valid selectors.
    pub(super) bad_masks: Vec<String>,
}

/// Makes the page quiet.
pub(super) async fn make_quiet(
    page: &Page,
    request: &CaptureRequest,
) -> Result<QuietReport, CaptureError> {
    let argument = json!({
        "masks": request.masks,
        "customCss": request.custom_css,
        "caps": {
            "scroll": SCROLL_CAP_MS,
            "fonts": FONTS_CAP_MS,
            "images": IMAGES_CAP_MS,
            "dom": DOM_CAP_MS,
            "domQuiet": DOM_QUIET_MS,
        },
    });
    call(page, QUIET, &argument).await
}

/// The page's DOM tree as JSON, with the errors that its scripts have thrown.
pub(super) async fn record_dom(
    page: &Page,
    request: &CaptureRequest,
    errors: &[String],
) -> Result<Vec<u8>, CaptureError> {
    let masked = std::iter::once(MASK_ATTRIBUTE).chain(request.masks.iter().map(String::as_str));
    let limits = json!({
        "nodes": MAX_NODES,
        "depth": MAX_DEPTH,
        "text": MAX_TEXT_CHARACTERS,
        "address": MAX_ADDRESS_CHARACTERS,
        "errors": errors,
        "masked": masked.collect::<Vec<_>>().join(","),
    });
    let tree: String = call(page, DOM, &limits).await?;
    Ok(tree.into_bytes())
}

/// Calls a script's function with one JSON argument and waits for what it returns.
async fn call<T: DeserializeOwned>(
    page: &Page,
    function: &str,
    argument: &Value,
) -> Result<T, CaptureError> {
    let expression = format!("({})({argument})", function.trim());
    let params = EvaluateParams::builder()
        .expression(expression)
        .await_promise(true)
        .return_by_value(true)
        .build()
        .map_err(CaptureError::Page)?;
    let returned = page
        .execute(params)
        .await
        .map_err(|error| explain(&error))?
        .result;
    if let Some(exception) = returned.exception_details {
        let thrown = exception
            .exception
            .and_then(|object| object.description)
            .unwrap_or(exception.text);
        return Err(CaptureError::Page(format!(
            "its own scripts disturb the capture ({})",
            first_line(&thrown)
        )));
    }
    let value = returned.result.value.unwrap_or(Value::Null);
    serde_json::from_value(value)
        .map_err(|_| CaptureError::Page("the page gave no usable description of itself".to_owned()))
}

pub(super) fn first_line(text: &str) -> String {
    text.lines()
        .next()
        .unwrap_or_default()
        .chars()
        .take(200)
        .collect()
}
