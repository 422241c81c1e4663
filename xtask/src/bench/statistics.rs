//! Medians, and numbers as people read them.

/// The middle value, or the mean of the two in the middle; `None` of nothing.
pub(super) fn median(values: impl Iterator<Item = f64>) -> Option<f64> {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() {
        0 => None,
        count if count.is_multiple_of(2) => Some(f64::midpoint(values[middle - 1], values[middle])),
        _ => Some(values[middle]),
    }
}

/// The lowest value; `None` of nothing.
pub(super) fn lowest(values: impl Iterator<Item = f64>) -> Option<f64> {
    values.min_by(f64::total_cmp)
}

/// Three digits that count; whole numbers from 100 on.
pub(super) fn three_digits(value: f64) -> String {
    match value {
        value if value >= 99.95 => format!("{value:.0}"),
        value if value >= 9.995 => format!("{value:.1}"),
        value if value >= 0.9995 => format!("{value:.2}"),
        value => format!("{value:.3}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians() {
        for (values, expected) in [
            (vec![], None),
            (vec![3.0], Some(3.0)),
            (vec![4.0, 1.0], Some(2.5)),
            (vec![9.0, 1.0, 2.0], Some(2.0)),
        ] {
            assert_eq!(median(values.iter().copied()), expected, "{values:?}");
        }
    }

    #[test]
    fn numbers_keep_three_digits() {
        for (value, expected) in [
            (0.0123, "0.012"),
            (1.234, "1.23"),
            (12.34, "12.3"),
            (123.4, "123"),
            (99.97, "100"),
        ] {
            assert_eq!(three_digits(value), expected);
        }
    }
}
