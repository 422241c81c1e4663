//! Numbers as people and pages write them: “1,099”, “29.00”, “4,80”.

/// Signs that make a text a price.
const CURRENCIES: [char; 5] = ['€', '$', '£', '¥', '₹'];

/// What a number is worth; none for any other word. A point or comma before exactly three digits parts thousands, where
/// no zero stands before it.
pub(super) fn number(word: &str) -> Option<f64> {
    let mut parts: Vec<&str> = word.split(['.', ',']).collect();
    let is_digits = |part: &&str| !part.is_empty() && part.chars().all(|it| it.is_ascii_digit());
    if !parts.iter().all(is_digits) {
        return None;
    }
    let is_grouped = |part: &&str| part.len() == 3 && parts[0] != "0";
    let decimals = match parts.last() {
        Some(last) if parts.len() > 1 && !is_grouped(last) => parts.pop(),
        _ => None,
    };
    let is_whole = parts.iter().skip(1).all(|part| part.len() == 3);
    let text = format!("{}.{}", parts.concat(), decimals.unwrap_or("0"));
    is_whole.then_some(text)?.parse().ok()
}

/// A number as it is compared, “29” for “29.00”; any other word as it is.
pub(super) fn plain_value(word: &str) -> String {
    number(word).map_or_else(|| word.to_owned(), |number| number.to_string())
}

/// Whether a word names a currency.
fn is_currency(word: &str) -> bool {
    ["chf", "eur", "euro", "euros", "gbp", "usd"].contains(&&*word.to_lowercase())
}

/// Whether a text tells a price.
pub(super) fn tells_a_price(text: &str) -> bool {
    let mut words = text.split(|letter: char| !letter.is_alphabetic());
    text.contains(CURRENCIES) || words.any(is_currency)
}

/// Whether a number stands beside the sign of a currency.
pub(super) fn is_price(text: &str, number: &str) -> bool {
    text.match_indices(number).any(|(at, _)| {
        let before = text[..at].trim_end();
        let behind = text[at + number.len()..].trim_start();
        let first = behind.split(|letter: char| !letter.is_alphabetic()).next();
        let last = before.rsplit(|letter: char| !letter.is_alphabetic()).next();
        before.ends_with(CURRENCIES)
            || behind.starts_with(CURRENCIES)
            || [first, last].into_iter().flatten().any(is_currency)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_the_same_however_it_is_written() {
        for (word, plain) in [
            ("29.00", "29"),
            ("1,099", "1099"),
            ("1.099,50", "1099.5"),
            ("4,80", "4.8"),
            ("0.125", "0.125"),
            ("1,234,567", "1234567"),
            ("#fff", "#fff"),
            ("7.2.0", "7.2.0"),
            ("12px", "12px"),
        ] {
            assert_eq!(plain_value(word), plain);
        }
    }
}
