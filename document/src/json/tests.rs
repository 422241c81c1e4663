//! The reader against `serde_json`.

use proptest::prelude::*;
use serde_json::Value;

use super::{Kind, Malformed, Reader};

/// Reads a whole text into a value; recursion is fine for what tests write.
fn read(text: &str) -> Result<Value, Malformed> {
    fn value(reader: &mut Reader<'_>) -> Result<Value, Malformed> {
        let mut fresh = true;
        Ok(match reader.kind()? {
            Kind::Object => {
                reader.enter();
                let mut map = serde_json::Map::new();
                while let Some(key) = reader.next_key(&mut fresh)? {
                    map.insert(key.into_owned(), value(reader)?);
                }
                Value::Object(map)
            }
            Kind::Array => {
                reader.enter();
                let mut list = Vec::new();
                while reader.next_element(&mut fresh)? {
                    list.push(value(reader)?);
                }
                Value::Array(list)
            }
            Kind::String => Value::String(reader.string()?.into_owned()),
            Kind::Number => serde_json::json!(reader.number()?),
            Kind::Boolean => Value::Bool(reader.boolean()?),
            Kind::Null => {
                reader.skip()?;
                Value::Null
            }
        })
    }
    let mut reader = Reader::new(text);
    let read = value(&mut reader)?;
    reader.finish()?;
    Ok(read)
}

/// Any text without a NUL, which is read as another character.
fn any_text() -> impl Strategy<Value = String> {
    any::<String>().prop_map(|text| text.replace('\0', ""))
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        any::<i32>().prop_map(|number| serde_json::json!(f64::from(number))),
        (-1e9..1e9_f64).prop_map(|number| serde_json::json!(number)),
        any_text().prop_map(Value::String),
        "[\"\\\\/\\x01-\\x1f\u{1F600}é]{0,8}".prop_map(Value::String),
    ];
    leaf.prop_recursive(5, 64, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::Array),
            prop::collection::vec((any_text(), inner), 0..6)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn reads_what_serde_writes(value in any_json(), pretty in any::<bool>()) {
        let text = if pretty {
            serde_json::to_string_pretty(&value).unwrap()
        } else {
            value.to_string()
        };
        prop_assert_eq!(read(&text).unwrap(), value);
        let mut reader = Reader::new(&text);
        prop_assert_eq!(reader.skip().unwrap(), text.as_str());
    }

    #[test]
    fn accepts_what_serde_accepts(
        value in any_json(), at in any::<prop::sample::Index>(), put in "[\\[\\]{},:\"\\\\0-9eE.+tfnu \\-]{0,2}",
    ) {
        let mut text = value.to_string();
        let at = (0..=at.index(text.len() + 1)).rev().find(|at| text.is_char_boundary(*at)).unwrap();
        let end = text[at..].char_indices().nth(1).map_or(text.len(), |(next, _)| at + next);
        text.replace_range(at..end, &put);
        // `serde_json` refuses halves of surrogate pairs and numbers beyond a double, on purpose otherwise here.
        let theirs = serde_json::from_str::<Value>(&text);
        let excused = theirs.as_ref().is_err_and(|error| {
            let message = error.to_string();
            message.contains("surrogate") || message.contains("hex escape") || message.contains("out of range")
        });
        if !excused {
            prop_assert_eq!(read(&text).is_ok(), theirs.is_ok(), "{}", text);
        }
    }
}

#[test]
fn escapes_and_surrogates() {
    let text = r#""\u00e9\ud83d\ude00\ud83d x\ude00\ud83dA\/\b""#;
    let read = read(text).unwrap();
    assert_eq!(read, "é😀\u{FFFD} x\u{FFFD}\u{FFFD}A/\u{8}");
}

#[test]
fn a_nul_is_replaced() {
    assert_eq!(
        read(r#"{"a\u0000":"\u0000b"}"#).unwrap(),
        serde_json::json!({ "a\u{FFFD}": "\u{FFFD}b" })
    );
}

#[test]
fn deep_nesting_does_not_recurse() {
    let text = format!("{}{}", "[".repeat(1_000_000), "]".repeat(1_000_000));
    assert_eq!(Reader::new(&text).skip().unwrap().len(), text.len());
    assert!(Reader::new(&text[..1_500_000]).skip().is_err());
}

#[test]
fn refuses_what_is_not_json() {
    for text in [
        "",
        " ",
        "{",
        "[1,]",
        "{,}",
        "{\"a\":1,}",
        "01",
        "-",
        "1.",
        "1e",
        "+1",
        "tru",
        "nul",
        "\"\\x\"",
        "\"\\u12\"",
        "\"\n\"",
        "\"",
        "[1 2]",
        "{\"a\" 1}",
        "{1:2}",
        "1 1",
        "'a'",
        "NaN",
        "[",
        "]",
    ] {
        assert!(read(text).is_err(), "{text}");
    }
}
