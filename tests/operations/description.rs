//! The served description of the interface, read as a list of operations, so that no operation can be forgotten.

use reqwest::Method;
use serde_json::{Map, Value};

/// One operation of the description.
pub(super) struct Operation {
    pub(super) method: Method,
    /// The path with its parameters in braces.
    pub(super) path: String,
    /// The parameters of its query that must be sent, as the description's examples have them.
    query: Vec<(String, String)>,
    /// The scope that it needs; none where whoever holds a link, or anybody, may call it.
    pub(super) scope: Option<String>,
    /// An example of its JSON body.
    pub(super) body: Option<Value>,
    /// Whether a body must be sent.
    pub(super) needs_body: bool,
    /// The JSON types that each field of its body may have, or none when the description leaves them open.
    pub(super) fields: Vec<(String, Vec<String>)>,
    /// The most characters of each field that is a text with a bound.
    pub(super) longest: Vec<(String, u64)>,
    /// Values for the parameters of its query that are beyond their bounds.
    pub(super) beyond: Vec<(String, String)>,
}

impl Operation {
    /// The path with its parameters filled in.
    pub(super) fn path_with(&self, fill: impl Fn(&str) -> String) -> String {
        self.path_asking(fill, &[])
    }

    /// The same with more parameters of the query, or others in place of those that must be sent.
    pub(super) fn path_asking(
        &self,
        fill: impl Fn(&str) -> String,
        asked: &[(&str, &str)],
    ) -> String {
        let parts = self.path.split('/').map(|part| {
            let name = part
                .strip_prefix('{')
                .and_then(|part| part.strip_suffix('}'));
            name.map_or_else(|| part.to_owned(), &fill)
        });
        let path = parts.collect::<Vec<_>>().join("/");
        let is_asked = |name: &str| asked.iter().any(|(other, _)| *other == name);
        let needed = self
            .query
            .iter()
            .filter(|(name, _)| !is_asked(name.as_str()));
        let needed = needed.map(|(name, value)| (name.as_str(), value.as_str()));
        let pairs: Vec<(&str, &str)> = needed.chain(asked.iter().copied()).collect();
        if pairs.is_empty() {
            return path;
        }
        let mut query = url::form_urlencoded::Serializer::new(String::new());
        format!("{path}?{}", query.extend_pairs(pairs).finish())
    }

    /// The names of the parameters in its path.
    pub(super) fn parameters(&self) -> impl Iterator<Item = &str> {
        self.path
            .split('/')
            .filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'))
    }

    pub(super) fn name(&self) -> String {
        format!("{} {}", self.method, self.path)
    }
}

/// Every operation that the service describes.
pub(super) fn operations() -> Vec<Operation> {
    let description: Value = serde_json::from_str(pentimento::routes::openapi_json()).unwrap();
    let mut operations = Vec::new();
    for (path, methods) in description["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            let content = &operation["requestBody"]["content"]["application/json"];
            let fields = properties(&description, &content["schema"]);
            operations.push(Operation {
                method: method.to_uppercase().parse().unwrap(),
                path: path.clone(),
                query: needed_query(operation),
                scope: scope_of(operation),
                body: content.get("example").cloned(),
                needs_body: operation["requestBody"]["required"] == true,
                fields: fields
                    .iter()
                    .map(|(name, schema)| (name.clone(), types(&description, schema)))
                    .collect(),
                longest: fields
                    .iter()
                    .filter_map(|(name, schema)| {
                        Some((name.clone(), longest(&description, schema)?))
                    })
                    .collect(),
                beyond: beyond(operation),
            });
        }
    }
    operations
}

/// Names and examples of the parameters without which a call's query is wrong.
fn needed_query(operation: &Value) -> Vec<(String, String)> {
    let parameters = operation["parameters"].as_array().into_iter().flatten();
    parameters
        .filter(|one| one["in"] == "query" && one["required"] == true)
        .filter_map(|one| {
            let (name, example) = (one["name"].as_str()?, one["example"].as_str()?);
            Some((name.to_owned(), example.to_owned()))
        })
        .collect()
}

/// For each bound of a parameter of an operation's query, its name and a value that is beyond it.
fn beyond(operation: &Value) -> Vec<(String, String)> {
    let parameters = operation["parameters"].as_array().into_iter().flatten();
    let asked = parameters.filter(|one| one["in"] == "query");
    asked
        .flat_map(|one| {
            let (name, schema) = (one["name"].as_str().unwrap(), &one["schema"]);
            let long = schema["maxLength"].as_u64();
            let long = long.map(|most| "x".repeat(usize::try_from(most).unwrap() + 1));
            let much = schema["maximum"].as_u64().map(|most| most + 1);
            let little = schema["minimum"].as_i64().map(|least| least - 1);
            let values = [
                long,
                much.map(|value| value.to_string()),
                little.map(|value| value.to_string()),
            ];
            let values = values.into_iter().flatten();
            values.map(|value| (name.to_owned(), value))
        })
        .collect()
}

/// The scope that the description of the answer 403 names: "the key lacks the scope `run`".
fn scope_of(operation: &Value) -> Option<String> {
    let refused = operation["responses"]["403"]["description"].as_str()?;
    let (_, rest) = refused.split_once("scope `")?;
    Some(rest.split('`').next().unwrap().to_owned())
}

fn resolve<'a>(description: &'a Value, schema: &'a Value) -> &'a Value {
    match schema["$ref"].as_str() {
        Some(reference) => description.pointer(&reference[1..]).unwrap(),
        None => schema,
    }
}

fn properties(description: &Value, schema: &Value) -> Map<String, Value> {
    let schema = resolve(description, schema);
    let mut fields = schema["properties"]
        .as_object()
        .cloned()
        .unwrap_or_default();
    for part in schema["allOf"].as_array().into_iter().flatten() {
        fields.extend(properties(description, part));
    }
    fields
}

fn types(description: &Value, schema: &Value) -> Vec<String> {
    let schema = resolve(description, schema);
    let mut types: Vec<String> = match &schema["type"] {
        Value::String(kind) => vec![kind.clone()],
        Value::Array(kinds) => kinds
            .iter()
            .map(|kind| kind.as_str().unwrap().to_owned())
            .collect(),
        _ => Vec::new(),
    };
    for key in ["oneOf", "anyOf", "allOf"] {
        for part in schema[key].as_array().into_iter().flatten() {
            types.extend(self::types(description, part));
        }
    }
    types
}

fn longest(description: &Value, schema: &Value) -> Option<u64> {
    let schema = resolve(description, schema);
    let mut parts = schema["oneOf"].as_array().into_iter().flatten();
    schema["maxLength"]
        .as_u64()
        .or_else(|| parts.find_map(|part| longest(description, part)))
}
