//! A field of an update, which may be left out, cleared or set.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// What an update does to a field: on the wire it is absent, `null` or a value.
///
/// A field of this type needs `#[serde(default, skip_serializing_if = "Patch::is_absent")]`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Patch<T> {
    /// Leaves it as it is.
    #[default]
    Absent,
    /// Takes its value away.
    Clear,
    /// Gives it this value.
    Set(T),
}

impl<T> Patch<T> {
    /// Whether the field is left as it is.
    pub fn is_absent(&self) -> bool {
        matches!(self, Self::Absent)
    }

    /// The value that is set, if one is.
    pub fn as_set(&self) -> Option<&T> {
        match self {
            Self::Set(value) => Some(value),
            Self::Absent | Self::Clear => None,
        }
    }

    /// What becomes of a field that holds `stored`, and `cleared` when it is taken away.
    pub fn apply(self, stored: T, cleared: T) -> T {
        match self {
            Self::Absent => stored,
            Self::Clear => cleared,
            Self::Set(value) => value,
        }
    }

    /// The same with the value made into another.
    ///
    /// # Errors
    /// What `make` says of the value.
    pub fn try_map<U, E>(self, make: impl FnOnce(T) -> Result<U, E>) -> Result<Patch<U>, E> {
        Ok(match self {
            Self::Absent => Patch::Absent,
            Self::Clear => Patch::Clear,
            Self::Set(value) => Patch::Set(make(value)?),
        })
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Patch<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Option::<T>::deserialize(deserializer)?;
        Ok(value.map_or(Self::Clear, Self::Set))
    }
}

impl<T: Serialize> Serialize for Patch<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.as_set().serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Update {
        #[serde(default, skip_serializing_if = "Patch::is_absent")]
        css: Patch<String>,
    }

    #[test]
    fn absent_null_and_a_value_are_three_things_both_ways() {
        for (json, css) in [
            ("{}", Patch::Absent),
            (r#"{"css":null}"#, Patch::Clear),
            (r#"{"css":"x"}"#, Patch::Set("x".to_owned())),
        ] {
            let update = Update { css };
            assert_eq!(serde_json::from_str::<Update>(json).unwrap(), update);
            assert_eq!(serde_json::to_string(&update).unwrap(), json);
        }
    }
}
