//! The colours of gradients, as browsers write them in computed styles.

use super::{Channels, parse};

/// The colours that a gradient goes through; nothing where something else is painted as well, where one of them lets through
/// what is below it, and where one is not known.
pub(crate) fn gradient(value: &str) -> Option<Vec<Channels>> {
    let (function, inside) = value.strip_suffix(')')?.split_once('(')?;
    if !function.ends_with("-gradient") {
        return None;
    }
    let mut colors = Vec::new();
    for (place, part) in parts(inside)?.into_iter().enumerate() {
        let color = part.find(')').and_then(|end| parse(&part[..=end]));
        // Before the colours stands which way they go, and between two of them may stand where they meet.
        let begins = |first: char| first.is_ascii_digit() || matches!(first, '-' | '.');
        let is_place = || part.starts_with(begins);
        match color {
            Some((color, alpha)) if alpha >= 1.0 => colors.push(color),
            None if place == 0 || is_place() => {}
            _ => return None,
        }
    }
    (!colors.is_empty()).then_some(colors)
}

/// What stands between the commas that are in no brackets; nothing where more brackets end than began.
fn parts(list: &str) -> Option<Vec<&str>> {
    let (mut parts, mut start, mut depth) = (Vec::new(), 0, 0_u32);
    for (at, sign) in list.char_indices() {
        match sign {
            '(' => depth += 1,
            ')' => depth = depth.checked_sub(1)?,
            ',' if depth == 0 => {
                parts.push(list[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(list[start..].trim());
    Some(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_colours_of_a_gradient_are_known() {
        let blue_to_red = Some(vec![[0.0, 0.0, 255.0], [255.0, 0.0, 0.0]]);
        for value in [
            "linear-gradient(rgb(0, 0, 255), rgb(255, 0, 0))",
            "linear-gradient(90deg, rgb(0, 0, 255) 10%, 30%, rgb(255, 0, 0) 40px 50px)",
            "radial-gradient(circle at calc(50% + 3px) 0px, rgb(0, 0, 255), rgb(255, 0, 0))",
            "repeating-conic-gradient(from 20deg, color(srgb 0 0 1), rgb(255, 0, 0) 10deg)",
        ] {
            assert_eq!(gradient(value), blue_to_red, "{value}");
        }
        for value in [
            "",
            "none",
            "url(\"/sea.jpg\")",
            "linear-gradient(to right)",
            "linear-gradient(rgba(0, 0, 255, 0.5), rgb(255, 0, 0))",
            "linear-gradient(90deg, rgb(0, 0, 255), currentcolor)",
            "linear-gradient(rgb(0, 0, 255), rgb(255, 0, 0)), url(\"/sea.jpg\")",
            "linear-gradient(rgb(0, 0, 255), rgb(255, 0, 0)), linear-gradient(rgb(0, 0, 0), rgb(0, 0, 0))",
            // Cut.
            "linear-gradient(rgb(0, 0, 255), rgb(255, 0, 0), rgb(0, 2)",
        ] {
            assert_eq!(gradient(value), None, "{value}");
        }
    }
}
