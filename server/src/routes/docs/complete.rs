//! What every operation of the description has in common, said once: answers that any call may get, an example for each
//! error, examples of bodies, and the bounds that the types do not say, such as the one that holds for every text.

use std::sync::LazyLock;

use serde_json::{Map, Value, json};

/// An example of each body, by its schema's name.
static EXAMPLES: LazyLock<Map<String, Value>> = LazyLock::new(|| {
    serde_json::from_str(include_str!("examples.json")).expect("a JSON object that tests read")
});

/// An example of each error's sentence, by its code.
static SENTENCES: LazyLock<Map<String, Value>> = LazyLock::new(|| {
    serde_json::from_str(include_str!("errors.json")).expect("a JSON object that tests read")
});

/// Which calls an answer leads to: the operation that gives an id, where its answer has it, and what takes it by which
/// name.
const LINKS: [(&str, &str, &str, &[&str]); 9] = [
    (
        "create_webhook",
        "$response.body#/webhookId",
        "webhookId",
        WEBHOOK_OPERATIONS,
    ),
    (
        "create_key",
        "$response.body#/key/keyId",
        "keyId",
        &["rotate_key", "revoke_key"],
    ),
    (
        "start_crawl",
        "$response.body#/jobId",
        "jobId",
        JOB_OPERATIONS,
    ),
    (
        "run_project",
        "$response.body#/jobId",
        "jobId",
        JOB_OPERATIONS,
    ),
    ("init", "$response.body#/jobId", "jobId", JOB_OPERATIONS),
    ("finalize", "$response.body#/jobId", "jobId", JOB_OPERATIONS),
    (
        "list_jobs",
        "$response.body#/jobs/0/jobId",
        "jobId",
        JOB_OPERATIONS,
    ),
    (
        "create_project",
        "$response.body#/project/name",
        "name",
        PROJECT_OPERATIONS,
    ),
    (
        "list_results",
        "$response.body#/results/0/result/resultId",
        "resultId",
        &["get_result"],
    ),
];
const JOB_OPERATIONS: &[&str] = &[
    "get_job",
    "get_summary",
    "get_words",
    "get_report",
    "get_overview",
    "list_results",
    "follow_job",
    "describe_job",
];
const WEBHOOK_OPERATIONS: &[&str] = &[
    "get_webhook",
    "update_webhook",
    "rotate_secret",
    "test_webhook",
    "list_deliveries",
    "delete_webhook",
];
const PROJECT_OPERATIONS: &[&str] = &[
    "get_project",
    "update_project",
    "run_project",
    "discover_pages",
];

/// Operations whose body may be left out: an empty one is an object without fields.
const OPTIONAL_BODIES: [&str; 4] = [
    "run_project",
    "discover_pages",
    "rotate_key",
    "rotate_secret",
];

/// Completes the description that the handlers make.
pub(super) fn complete(mut document: Value) -> Value {
    let paths = document["paths"].as_object_mut();
    for operation in paths
        .into_iter()
        .flat_map(Map::values_mut)
        .filter_map(Value::as_object_mut)
        .flat_map(Map::values_mut)
    {
        add_common_answers(operation);
        add_links(operation);
        let parameters = operation.get_mut("parameters");
        for parameter in parameters.into_iter().flat_map(array_mut) {
            if parameter["name"] == "Idempotency-Key" {
                bound_call_name(&mut parameter["schema"]);
            }
            forbid_nul(&mut parameter["schema"]);
        }
        let id = operation["operationId"].as_str().unwrap_or_default();
        let is_optional = OPTIONAL_BODIES.contains(&id);
        if let Some(request) = operation.get_mut("requestBody") {
            request["required"] = json!(!is_optional);
            add_examples(request);
        }
        let responses = operation["responses"].as_object_mut();
        for response in responses.into_iter().flat_map(Map::values_mut) {
            add_error_examples(response);
            add_examples(response);
        }
    }
    bound_gate(&mut document["components"]["schemas"]["GateCredential"]["oneOf"]);
    if let Some(schemas) = document["components"]["schemas"].as_object_mut() {
        schemas.values_mut().for_each(forbid_nul);
    }
    document
}

/// Answers that any call with a key, or with a body, may get.
fn add_common_answers(operation: &mut Value) {
    let is_open = operation.get("security").is_some();
    let takes_json = operation["requestBody"]["content"]
        .get("application/json")
        .is_some();
    let Some(responses) = operation["responses"].as_object_mut() else {
        return;
    };
    let mut add = |status: &str, description: &str| {
        responses.entry(status).or_insert_with(|| {
            json!({
                "description": description,
                "content": { "application/json": { "schema": { "$ref": "#/components/schemas/ErrorBody" } } },
            })
        });
    };
    if takes_json {
        add("400", "`invalid_input`");
        add("413", "`payload_too_large`");
    }
    if !is_open {
        add("401", "`unauthorized`");
        add("429", "`rate_limited`: the key has called too often");
    }
    add("500", "`internal`");
    if let Some(too_often) = responses.get_mut("429") {
        too_often["headers"]["Retry-After"] = json!({
            "description": "When to come back, in whole seconds; at least 1.",
            "schema": { "type": "integer" },
        });
    }
}

fn add_links(operation: &mut Value) {
    let id = operation["operationId"].as_str().unwrap_or_default();
    let Some((_, expression, parameter, targets)) = LINKS.iter().find(|link| link.0 == id) else {
        return;
    };
    let links: Map<String, Value> = targets
        .iter()
        .map(|target| {
            let link = json!({ "operationId": target, "parameters": { *parameter: expression } });
            ((*target).to_owned(), link)
        })
        .collect();
    operation["responses"]["200"]["links"] = Value::Object(links);
}

/// Gives an answer with an error's body an example for each code that its description names.
fn add_error_examples(response: &mut Value) {
    let description = response["description"].as_str().unwrap_or_default();
    let codes: Vec<String> = description
        .split('`')
        .filter(|word| SENTENCES.contains_key(*word))
        .map(str::to_owned)
        .collect();
    let Some(content) = response
        .get_mut("content")
        .and_then(|content| content.get_mut("application/json"))
    else {
        return;
    };
    if content["schema"]["$ref"] != "#/components/schemas/ErrorBody" {
        return;
    }
    let examples: Map<String, Value> = codes
        .into_iter()
        .map(|code| {
            let mut body = json!({ "error": SENTENCES[&code], "code": code });
            if code == "baseline_moved" {
                body["conflictedUrls"] = json!(["https://staging.example.com/pricing"]);
            }
            (code, json!({ "value": body }))
        })
        .collect();
    content["examples"] = Value::Object(examples);
}

/// Gives a body that is described by name the example of that name.
fn add_examples(body: &mut Value) {
    let Some(content) = body
        .get_mut("content")
        .and_then(|content| content.get_mut("application/json"))
    else {
        return;
    };
    let schema = &content["schema"];
    let (reference, is_list) = match schema["$ref"].as_str() {
        Some(reference) => (Some(reference), false),
        None => (schema["items"]["$ref"].as_str(), true),
    };
    let name = reference.and_then(|reference| reference.rsplit('/').next());
    if let Some(example) = name.and_then(|name| EXAMPLES.get(name)) {
        content["example"] = if is_list {
            json!([example])
        } else {
            example.clone()
        };
    }
}

/// The bounds of `Idempotency-Key`.
fn bound_call_name(schema: &mut Value) {
    schema["minLength"] = json!(1);
    schema["maxLength"] = json!(255);
    schema["pattern"] = json!("^[!-~]*$");
}

/// The bounds of a gate credential's headers and cookies, whose shapes are the second and third one.
fn bound_gate(shapes: &mut Value) {
    let headers = &mut shapes[1]["properties"]["headers"];
    headers["minProperties"] = json!(1);
    headers["maxProperties"] = json!(20);
    headers["propertyNames"]["pattern"] = json!("^[!#$%&'*+.^_`|~0-9A-Za-z-]+$");
    headers["additionalProperties"]["maxLength"] = json!(4096);
    headers["additionalProperties"]["pattern"] = json!(r"^[\t -~]*$");
    let cookies = &mut shapes[2]["properties"]["cookies"];
    cookies["minItems"] = json!(1);
    cookies["maxItems"] = json!(50);
}

/// No text may hold NUL, which PostgreSQL cannot keep. Texts with a pattern or a format of their own exclude it already.
fn forbid_nul(schema: &mut Value) {
    let Some(object) = schema.as_object_mut() else {
        return;
    };
    let is_text = match &object.get("type") {
        Some(Value::String(kind)) => kind == "string",
        Some(Value::Array(kinds)) => kinds.iter().any(|kind| kind == "string"),
        _ => false,
    };
    let is_bound = ["pattern", "format", "enum", "const"]
        .iter()
        .any(|bound| object.contains_key(*bound));
    if is_text && !is_bound {
        object.insert("pattern".to_owned(), json!(r"^[^\u0000]*$"));
    }
    for key in ["properties", "$defs"] {
        let inner = object.get_mut(key).and_then(Value::as_object_mut);
        inner
            .into_iter()
            .flat_map(Map::values_mut)
            .for_each(forbid_nul);
    }
    for key in ["items", "additionalProperties"] {
        if let Some(inner) = object.get_mut(key) {
            forbid_nul(inner);
        }
    }
    for key in ["oneOf", "anyOf", "allOf"] {
        if let Some(inner) = object.get_mut(key) {
            array_mut(inner).for_each(forbid_nul);
        }
    }
}

fn array_mut(value: &mut Value) -> impl Iterator<Item = &mut Value> {
    value.as_array_mut().into_iter().flatten()
}
