//! The served description of the interface is what was reviewed, and names nothing that does not answer.

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::app::TestApp;

#[test]
fn the_description_is_the_reviewed_one() {
    let description: Value = serde_json::from_str(pentimento::routes::openapi_json()).unwrap();
    insta::assert_json_snapshot!("openapi", description);
}

/// Every JSON body of the description, with where it stands.
fn json_bodies(description: &Value) -> Vec<(String, &Value)> {
    let mut bodies = Vec::new();
    for (path, methods) in description["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            let answers = operation["responses"].as_object().unwrap();
            let request = operation.get("requestBody").map(|body| ("request", body));
            let answers = answers.iter().map(|(status, body)| (status.as_str(), body));
            for (place, body) in request.into_iter().chain(answers) {
                if let Some(content) = body["content"].get("application/json") {
                    bodies.push((format!("{method} {path} {place}"), content));
                }
            }
        }
    }
    bodies
}

/// The same schemas, of which none allows a field that it does not name; but for those that are a part of others, which name
/// more.
fn strict(mut components: Value) -> Value {
    let schemas = components["schemas"].as_object_mut().unwrap();
    let parts: Vec<Value> = (schemas.values())
        .flat_map(|schema| schema["allOf"].as_array().into_iter().flatten())
        .map(|part| part["$ref"].clone())
        .collect();
    for (name, schema) in schemas {
        let is_part = parts.contains(&format!("#/components/schemas/{name}").into());
        let is_object = schema.get("properties").is_some() || schema.get("allOf").is_some();
        if is_object && !is_part && schema.get("additionalProperties").is_none() {
            schema["unevaluatedProperties"] = false.into();
        }
    }
    components
}

#[test]
fn every_body_has_examples_that_are_what_its_schema_says() {
    let description: Value = serde_json::from_str(pentimento::routes::openapi_json()).unwrap();
    let bodies = json_bodies(&description);
    assert!(bodies.len() > 100, "{}", bodies.len());
    for (place, content) in bodies {
        // The schema's references point into the description, so it travels with them.
        let mut schema = content["schema"].clone();
        schema["components"] = strict(description["components"].clone());
        let validator = jsonschema::draft202012::new(&schema).unwrap();
        let several = content["examples"].as_object().into_iter().flatten();
        let examples: Vec<&Value> = content["example"]
            .as_object()
            .map(|_| &content["example"])
            .into_iter()
            .chain(content["example"].as_array().map(|_| &content["example"]))
            .chain(several.map(|(_, example)| &example["value"]))
            .collect();
        assert!(!examples.is_empty(), "{place} has no example");
        for example in examples {
            let wrong: Vec<String> = validator
                .iter_errors(example)
                .map(|error| format!("{}: {error}", error.instance_path))
                .collect();
            assert!(wrong.is_empty(), "{place}: {wrong:#?}");
        }
    }
}

/// Everything that a value refers to, with what is in it.
fn references<'a>(value: &'a Value, found: &mut Vec<&'a str>) {
    match value {
        Value::Object(fields) => {
            found.extend(fields.get("$ref").and_then(Value::as_str));
            fields.values().for_each(|inner| references(inner, found));
        }
        Value::Array(values) => values.iter().for_each(|inner| references(inner, found)),
        _ => {}
    }
}

#[test]
fn every_reference_leads_to_a_schema() {
    let description: Value = serde_json::from_str(pentimento::routes::openapi_json()).unwrap();
    let mut found = Vec::new();
    references(&description, &mut found);
    assert!(found.len() > 100, "{}", found.len());
    for reference in found {
        assert!(
            description.pointer(&reference[1..]).is_some(),
            "{reference}"
        );
    }
}

#[test]
fn what_no_gate_asks_for_is_described_as_wrong() {
    let description: Value = serde_json::from_str(pentimento::routes::openapi_json()).unwrap();
    let mut schema = json!({ "$ref": "#/components/schemas/GateCredential" });
    schema["components"] = description["components"].clone();
    let gate = jsonschema::draft202012::new(&schema).unwrap();
    let login = |username: &str| json!({ "basic": { "username": username, "password": "x" } });
    let cookies = |value: &str, count: usize| json!({ "cookies": vec![json!({ "name": "a", "value": value }); count] });
    let headers = |value: &str, count: usize| {
        let named = (0..count).map(|number| (format!("x-{number}"), json!(value)));
        json!({ "headers": named.collect::<serde_json::Map<_, _>>() })
    };
    for right in [
        login(&"x".repeat(1_000)),
        cookies("1=2", 50),
        headers("a b", 20),
        json!({ "configured": true }),
    ] {
        assert!(gate.is_valid(&right), "{right}");
    }
    for wrong in [
        login(&"x".repeat(1_001)),
        login("a:b"),
        cookies("1", 0),
        cookies("1", 51),
        cookies("1; b=2", 1),
        headers("x", 0),
        headers("x", 21),
        headers("a\r\nb: c", 1),
        headers(&"x".repeat(4_097), 1),
        json!({ "headers": { "a b": "x" } }),
    ] {
        assert!(!gate.is_valid(&wrong), "{wrong}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_described_address_answers() {
    let app = TestApp::on_sqlite().await;
    let description = app
        .client
        .send(app.client.request(Method::GET, "/openapi.json"))
        .await
        .ok();
    let paths = description["paths"].as_object().unwrap();
    assert!(paths.len() >= 14, "{}", paths.len());
    for (path, methods) in paths {
        for method in methods.as_object().unwrap().keys() {
            let concrete = path
                .replace("{jobId}", "01900000-0000-7000-8000-000000000000")
                .replace("{resultId}", "01900000-0000-7000-8000-000000000000");
            let answer = app
                .client
                .send(
                    app.client
                        .request(method.to_uppercase().parse().unwrap(), &concrete),
                )
                .await;
            let sentence = answer.body["error"].as_str().unwrap_or_default().to_owned();
            assert!(
                !sentence.starts_with("Nothing answers") && answer.status.as_u16() != 405,
                "{method} {path}: {sentence}"
            );
        }
    }
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn health_is_told_without_a_key() {
    let app = TestApp::on_sqlite().await;
    let get = |path: &str| app.client.request(Method::GET, path);
    assert_eq!(app.client.send(get("/healthz")).await.ok()["status"], "ok");
    let ready = app.client.send(get("/readyz")).await.ok();
    assert_eq!(ready["ready"], true);
    assert!(
        ready["browser"].as_str().unwrap().contains("Chrom"),
        "{ready}"
    );
    assert_eq!(ready["comparator"]["backend"], "cpu", "{ready}");
    let metrics = app.client.send(get("/metrics")).await;
    let text = metrics.body.as_str().unwrap();
    assert!(
        text.contains("pentimento_comparator_info{backend=\"cpu\""),
        "{text}"
    );
    let docs = app.client.send(get("/docs")).await;
    assert!(
        docs.body
            .as_str()
            .unwrap()
            .contains("/docs/swagger-ui-bundle.js")
    );
    for file in [
        "swagger-ui.css",
        "swagger-ui-bundle.js",
        "swagger-ui-standalone-preset.js",
        "swagger-initializer.js",
    ] {
        assert_eq!(
            app.client
                .send(get(&format!("/docs/{file}")))
                .await
                .status
                .as_u16(),
            200,
            "{file}"
        );
    }
    app.stop().await;
}

#[test]
fn links_lead_to_operations_that_take_what_they_carry() {
    let description: Value = serde_json::from_str(pentimento::routes::openapi_json()).unwrap();
    let operations: Vec<&Value> = description["paths"]
        .as_object()
        .unwrap()
        .values()
        .flat_map(|methods| methods.as_object().unwrap().values())
        .collect();
    let mut seen = 0;
    for operation in &operations {
        let links = operation["responses"]["200"]["links"].as_object();
        for link in links.into_iter().flat_map(|links| links.values()) {
            let target = operations
                .iter()
                .find(|other| other["operationId"] == link["operationId"])
                .unwrap_or_else(|| panic!("no operation is called {link}"));
            for name in link["parameters"].as_object().unwrap().keys() {
                let takes = target["parameters"].as_array().into_iter().flatten();
                let mut names = takes.map(|parameter| parameter["name"].as_str().unwrap());
                assert!(names.any(|taken| taken == name), "{link}");
            }
            seen += 1;
        }
    }
    assert!(seen > 20, "{seen}");
}
