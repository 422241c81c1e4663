//! Values that are read in one form of JSON alone. What serde derives takes others as well: for an object a list of its fields'
//! values in their order, so that `["/pricing"]` would be a page's path; for a word `{"rolling": null}`, and it calls a number
//! in its place malformed JSON; and for a field that may be left out `null`. No client means any of that.

use serde::de::{Deserialize, Deserializer, Error};

/// Implements reading and writing for a type that derives both with `#[serde(remote = "Self")]`: `$ask` is how its JSON is asked
/// for, `$expected` what it is called where something else came, and `$visit` takes it.
macro_rules! read_as {
    ($name:ident, $ask:ident, $expected:literal, $visit:item) => {
        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                Self::serialize(self, serializer)
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct Form;

                impl<'de> serde::de::Visitor<'de> for Form {
                    type Value = $name;

                    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        f.write_str($expected)
                    }

                    $visit
                }

                deserializer.$ask(Form)
            }
        }
    };
}

/// Structs that are read from a JSON object alone.
macro_rules! objects_only {
    ($($name:ident),+ $(,)?) => {$(
        crate::form::read_as!($name, deserialize_map, "a JSON object", fn visit_map<A: serde::de::MapAccess<'de>>(self, map: A) -> Result<$name, A::Error> {
            $name::deserialize(serde::de::value::MapAccessDeserializer::new(map))
        });
    )+};
}

/// Enums of words that are read from a JSON string alone.
macro_rules! words_only {
    ($($name:ident),+ $(,)?) => {$(
        crate::form::read_as!($name, deserialize_str, "a string", fn visit_str<E: serde::de::Error>(self, word: &str) -> Result<$name, E> {
            $name::deserialize(serde::de::IntoDeserializer::into_deserializer(word))
        });
    )+};
}

pub(crate) use {objects_only, read_as, words_only};

/// Reads a field that may be left out, but not be `null`: where leaving it out means more than any value of it, whoever has no
/// value to send does not mean that. For `#[serde(default, deserialize_with = "form::never_null")]`.
pub(crate) fn never_null<'de, T, D>(deserializer: D) -> Result<Option<T>, D::Error>
where
    T: Deserialize<'de>,
    D: Deserializer<'de>,
{
    let value = Option::<T>::deserialize(deserializer)?;
    if value.is_none() {
        return Err(D::Error::custom(
            "null says nothing here; send a value, or leave the field out",
        ));
    }
    Ok(value)
}

#[cfg(test)]
mod tests {
    #[derive(Debug, PartialEq, serde::Deserialize)]
    struct Page {
        #[serde(default, deserialize_with = "super::never_null")]
        url: Option<String>,
    }

    #[test]
    fn null_is_not_what_is_left_out() {
        let read = |json: &str| serde_json::from_str::<Page>(json).map(|page| page.url);
        assert_eq!(read("{}").unwrap(), None);
        assert_eq!(read(r#"{"url":"x"}"#).unwrap().as_deref(), Some("x"));
        let said = read(r#"{"url":null}"#).unwrap_err().to_string();
        assert!(said.contains("leave the field out"), "{said}");
    }
}
