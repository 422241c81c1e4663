//! A world of our own in a page's document: scripts there see the same document, and none of what the page's scripts replace.

use chromiumoxide::Page;
use chromiumoxide::cdp::browser_protocol::dom::{BackendNodeId, ResolveNodeParams};
use chromiumoxide::cdp::browser_protocol::page::CreateIsolatedWorldParams;
use chromiumoxide::cdp::js_protocol::runtime::{
    CallArgument, CallFunctionOnParams, EvaluateParams, ExceptionDetails, ExecutionContextId,
    RemoteObject, RemoteObjectId,
};
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
        read(value)
    }

    /// The same with objects of this world behind the argument.
    pub(super) async fn call_with<T: DeserializeOwned>(
        &self,
        function: &str,
        argument: &Value,
        objects: &[RemoteObjectId],
    ) -> Result<T, CaptureError> {
        let argument = CallArgument::builder().value(argument.clone()).build();
        let objects = objects.iter().cloned();
        let objects = objects.map(|object| CallArgument::builder().object_id(object).build());
        let params = CallFunctionOnParams::builder()
            .function_declaration(function)
            .arguments(std::iter::once(argument).chain(objects))
            .execution_context_id(self.context)
            .return_by_value(true)
            .build()
            .map_err(CaptureError::Page)?;
        let returned = self
            .page
            .execute(params)
            .await
            .map_err(|error| explain(&error))?
            .result;
        read(value_of(returned.result, returned.exception_details)?)
    }

    /// What a node is in this world; nothing where scripts of the page may not have it.
    pub(super) async fn object(
        &self,
        node: BackendNodeId,
    ) -> Result<Option<RemoteObjectId>, CaptureError> {
        let params = ResolveNodeParams::builder()
            .backend_node_id(node)
            .execution_context_id(self.context)
            .build();
        let resolved = self.page.execute(params).await;
        let resolved = resolved.map_err(|error| explain(&error))?.result;
        Ok(resolved.object.object_id)
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
        value_of(returned.result, returned.exception_details)
    }
}

/// The value that a script returned, or what it threw.
fn value_of(
    returned: RemoteObject,
    exception: Option<ExceptionDetails>,
) -> Result<Value, CaptureError> {
    if let Some(exception) = exception {
        let thrown = exception
            .exception
            .and_then(|object| object.description)
            .unwrap_or(exception.text);
        return Err(CaptureError::Page(format!(
            "its document disturbs the capture ({})",
            first_line(&thrown)
        )));
    }
    Ok(returned.value.unwrap_or(Value::Null))
}

fn read<T: DeserializeOwned>(value: Value) -> Result<T, CaptureError> {
    serde_json::from_value(value)
        .map_err(|_| CaptureError::Page("the page gave no usable description of itself".to_owned()))
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
