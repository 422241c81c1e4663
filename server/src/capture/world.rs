//! A world of our own in a page's document: scripts there see the same document, and none of what the page's scripts replace.

use chromiumoxide::Page;
use chromiumoxide::cdp::browser_protocol::page::CreateIsolatedWorldParams;
use chromiumoxide::cdp::js_protocol::runtime::{EvaluateParams, ExecutionContextId};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::CaptureError;
use super::failure::explain;

const NAME: &str = "pentimento";

/// Most characters of what a script says of its failure.
const MAX_CHARACTERS: usize = 200;

/// The world of one document.
pub(super) struct World<'a> {
    page: &'a Page,
    context: ExecutionContextId,
}

impl<'a> World<'a> {
    /// A world in the document that the page shows now.
    pub(super) async fn of(page: &'a Page) -> Result<Self, CaptureError> {
        let frame = page.mainframe().await.map_err(|error| explain(&error))?;
        let frame = frame.ok_or_else(|| CaptureError::Page("it has no frame".to_owned()))?;
        let params = CreateIsolatedWorldParams::builder()
            .frame_id(frame)
            .world_name(NAME)
            .build()
            .map_err(CaptureError::Page)?;
        let created = page
            .execute(params)
            .await
            .map_err(|error| explain(&error))?;
        Ok(Self {
            page,
            context: created.result.execution_context_id,
        })
    }

    /// Calls a script's function with one JSON argument and waits for what it returns.
    pub(super) async fn call<T: DeserializeOwned>(
        &self,
        function: &str,
        argument: &Value,
    ) -> Result<T, CaptureError> {
        let value = self
            .evaluate(format!("(\n{})({argument})", function.trim_end()))
            .await?;
        serde_json::from_value(value).map_err(|_| {
            CaptureError::Page("the page gave no usable description of itself".to_owned())
        })
    }

    /// Runs a script and waits for its value.
    pub(super) async fn evaluate(&self, expression: String) -> Result<Value, CaptureError> {
        let params = EvaluateParams::builder()
            .expression(expression)
            .context_id(self.context)
            .await_promise(true)
            .return_by_value(true)
            .build()
            .map_err(CaptureError::Page)?;
        let returned = self
            .page
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
                "its document disturbs the capture ({})",
                first_line(&thrown)
            )));
        }
        Ok(returned.result.value.unwrap_or(Value::Null))
    }
}

/// The first line of a text, shortened.
pub(super) fn first_line(text: &str) -> String {
    text.lines()
        .next()
        .unwrap_or_default()
        .chars()
        .take(MAX_CHARACTERS)
        .collect()
}
