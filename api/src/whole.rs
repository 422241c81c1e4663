//! Whole numbers as JSON has them: `52.0` is 52, and some clients write it so.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, Error, Unexpected, Visitor};

use crate::patch::Patch;

/// Reads a whole number; for `#[serde(deserialize_with = "whole::optional")]`.
pub(crate) fn optional<'de, T, D>(deserializer: D) -> Result<Option<T>, D::Error>
where
    T: TryFrom<u64>,
    D: Deserializer<'de>,
{
    Ok(Option::<Whole<T>>::deserialize(deserializer)?.map(|whole| whole.0))
}

/// The same for a field of an update.
pub(crate) fn patch<'de, T, D>(deserializer: D) -> Result<Patch<T>, D::Error>
where
    T: TryFrom<u64>,
    D: Deserializer<'de>,
{
    Ok(optional(deserializer)?.map_or(Patch::Clear, Patch::Set))
}

/// A whole number from 0, whose `.0` may be written.
pub(crate) struct Whole<T>(pub(crate) T);

impl<'de, T: TryFrom<u64>> Deserialize<'de> for Whole<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_u64(WholeVisitor(PhantomData))
    }
}

struct WholeVisitor<T>(PhantomData<T>);

impl<T: TryFrom<u64>> Visitor<'_> for WholeVisitor<T> {
    type Value = Whole<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a whole number from 0")
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Self::Value, E> {
        T::try_from(number)
            .map(Whole)
            .map_err(|_| E::invalid_value(Unexpected::Unsigned(number), &"a smaller number"))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Self::Value, E> {
        match u64::try_from(number) {
            Ok(number) => self.visit_u64(number),
            Err(_) => Err(E::invalid_value(Unexpected::Signed(number), &self)),
        }
    }

    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "whole, not negative, and below 2^53, as the line before says"
    )]
    fn visit_f64<E: Error>(self, number: f64) -> Result<Self::Value, E> {
        if number.fract() == 0.0 && (0.0..9_007_199_254_740_992.0).contains(&number) {
            return self.visit_u64(number as u64);
        }
        Err(E::invalid_value(Unexpected::Float(number), &self))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_are_read_however_they_are_written() {
        let read = |json: &str| serde_json::from_str::<Whole<u8>>(json).map(|whole| whole.0);
        assert_eq!(read("52").unwrap(), 52);
        assert_eq!(read("52.0").unwrap(), 52);
        assert_eq!(read("5.2e1").unwrap(), 52);
        for wrong in [
            "52.5", "-1", "-1.0", "256", "1e300", "\"52\"", "true", "null", "[52]",
        ] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
