//! Words that are read from a JSON string alone. What serde derives takes `{"rolling": null}` as well, and calls a number in
//! their place malformed JSON.

/// Implements reading and writing for enums of words that derive both with `#[serde(remote = "Self")]`.
macro_rules! words_only {
    ($($name:ident),+ $(,)?) => {$(
        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                Self::serialize(self, serializer)
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct Word;

                impl serde::de::Visitor<'_> for Word {
                    type Value = $name;

                    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        f.write_str("a string")
                    }

                    fn visit_str<E: serde::de::Error>(self, word: &str) -> Result<$name, E> {
                        $name::deserialize(serde::de::IntoDeserializer::into_deserializer(word))
                    }
                }

                deserializer.deserialize_str(Word)
            }
        }
    )+};
}

pub(crate) use words_only;
