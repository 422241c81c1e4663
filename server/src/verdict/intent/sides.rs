//! Which way what can be measured of an element went: how light it is, how wide, how bold, how far down it lies.

use std::collections::BTreeMap;

use pentimento_api::result::ChangeType;
use pentimento_document::{Area, Finding, lightness};

use super::outcome::Trend;

/// How far apart, in L* of CIE 1976, two colours are of which one is lighter; less may be another hue as well.
const LIGHTER: f64 = 1.0;

/// By how much the contrast of a text falls that is paler.
const PALER: f64 = 0.1;

/// Pixels from which on a box is larger, or lies elsewhere, and not rounded.
const LARGER_PX: f64 = 2.0;

/// Something of an element that there may be more or less of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Side {
    /// How light its ground is.
    Ground,
    /// How light its text is.
    Letters,
    /// How light its border is.
    Edge,
    /// How near the colour of its text is to that of its ground.
    Paleness,
    Width,
    Height,
    /// Width and height of a box of which no style tells more.
    Extent,
    /// How bold its text is.
    Weight,
    /// How thick its border is.
    Thickness,
    /// How round its corners are.
    Roundness,
    /// How much room is in it and around it.
    Room,
    /// How far down the page it lies.
    Place,
    /// How long its text is.
    Length,
    /// What it may have and not have: a shadow, a line below its text.
    Adornment,
}

/// Whether there is more or less of each of them, as far as that is known.
pub(super) fn measured(finding: &Finding) -> BTreeMap<Side, Trend> {
    let sides = [
        (Side::Ground, light(finding, "background-color")),
        (Side::Letters, light(finding, "color")),
        (Side::Edge, light(finding, "border-top-color")),
        (Side::Paleness, paleness(finding)),
        (Side::Width, width(finding)),
        (Side::Height, height(finding)),
        (Side::Extent, extent(finding)),
        (Side::Weight, weight(finding)),
        (Side::Thickness, lengths(finding, is_of_an_edge)),
        (Side::Roundness, roundness(finding)),
        (Side::Room, lengths(finding, is_room)),
        (Side::Place, place(finding)),
        (Side::Length, length(finding)),
        (Side::Adornment, adornment(finding)),
    ];
    let known = sides
        .into_iter()
        .filter_map(|(side, trend)| Some((side, trend?)));
    known.collect()
}

/// Which way those lengths of an element's styles went that are asked for, where they all went the same.
pub(super) fn lengths(finding: &Finding, is_asked: impl Fn(&str) -> bool) -> Option<Trend> {
    let pixels = |value: &str| value.strip_suffix("px")?.parse::<f64>().ok();
    // What a negative margin makes larger or smaller, nobody can tell from its number.
    let mut ways = (finding.style.iter())
        .filter(|(name, _)| is_asked(name))
        .filter_map(|(_, [from, to])| Some((pixels(from)?, pixels(to)?)))
        .filter(|(from, to)| *from >= 0.0 && *to >= 0.0)
        .map(|(from, to)| if to > from { Trend::More } else { Trend::Less });
    let first = ways.next()?;
    ways.all(|way| way == first).then_some(first)
}

fn trend(from: f64, to: f64, least: f64) -> Option<Trend> {
    match to - from {
        apart if apart >= least => Some(Trend::More),
        apart if apart <= -least => Some(Trend::Less),
        _ => None,
    }
}

fn light(finding: &Finding, property: &str) -> Option<Trend> {
    let [from, to] = finding.style.get(property)?;
    trend(lightness(from)?, lightness(to)?, LIGHTER)
}

fn paleness(finding: &Finding) -> Option<Trend> {
    let [from, to] = finding.contrast?;
    trend(to, from, PALER)
}

/// The box of an element before and now, where no other text makes it another one.
fn boxes(finding: &Finding) -> Option<[Area; 2]> {
    let both = finding.area_before.zip(finding.area);
    let (was, is) = both.filter(|_| length(finding).is_none())?;
    let is_seen = |area: &Area| area.w > 0 && area.h > 0;
    [was, is].iter().all(is_seen).then_some([was, is])
}

fn of_boxes(finding: &Finding, side: impl Fn(Area) -> i64) -> Option<Trend> {
    let [was, is] = boxes(finding)?.map(|area| side(area) as f64);
    trend(was, is, LARGER_PX)
}

fn width(finding: &Finding) -> Option<Trend> {
    let is_width = |name: &str| matches!(name, "width" | "min-width" | "max-width");
    let is_within = |name: &str| matches!(name, "padding-left" | "padding-right");
    lengths(finding, is_width)
        .or_else(|| of_boxes(finding, |area| area.w))
        .or_else(|| lengths(finding, is_within))
}

fn height(finding: &Finding) -> Option<Trend> {
    let is_height = |name: &str| matches!(name, "height" | "min-height" | "max-height");
    let is_within = |name: &str| matches!(name, "padding-top" | "padding-bottom");
    lengths(finding, is_height)
        .or_else(|| of_boxes(finding, |area| area.h))
        .or_else(|| lengths(finding, is_within))
}

fn extent(finding: &Finding) -> Option<Trend> {
    if !finding.style.is_empty() {
        return None;
    }
    let wide = of_boxes(finding, |area| area.w);
    let high = of_boxes(finding, |area| area.h);
    match (wide, high) {
        (Some(wide), Some(high)) => (wide == high).then_some(wide),
        (one, other) => one.or(other),
    }
}

fn weight(finding: &Finding) -> Option<Trend> {
    let number = |value: &str| match value {
        "normal" => Some(400.0),
        "bold" => Some(700.0),
        number => number.parse::<f64>().ok(),
    };
    let [from, to] = finding.style.get("font-weight")?;
    trend(number(from)?, number(to)?, 1.0)
}

fn is_of_an_edge(name: &str) -> bool {
    name.ends_with("-width") && (name.starts_with("border-") || name.starts_with("outline"))
}

fn is_room(name: &str) -> bool {
    name.ends_with("gap") || name.starts_with("margin-") || name.starts_with("padding-")
}

fn roundness(finding: &Finding) -> Option<Trend> {
    let mut radii = (finding.style.iter()).filter(|(name, _)| name.ends_with("radius"));
    let (_, [from, to]) = radii.next()?;
    let ((was, unit), (is, other)) = (radius(from)?, radius(to)?);
    let is_comparable = unit == other || was == 0.0 || is == 0.0;
    is_comparable.then(|| trend(was, is, 0.5)).flatten()
}

/// The largest radius of a style's value, and its unit.
fn radius(value: &str) -> Option<(f64, &str)> {
    let radii = value.split_whitespace().filter_map(|radius| {
        let unit = ["px", "%"]
            .into_iter()
            .find(|unit| radius.ends_with(unit))?;
        let number = radius.strip_suffix(unit)?.parse::<f64>().ok()?;
        Some((number, unit))
    });
    radii.max_by(|(one, _), (other, _)| one.total_cmp(other))
}

fn place(finding: &Finding) -> Option<Trend> {
    if matches!(finding.kind, ChangeType::Move | ChangeType::MoveWithEdit) {
        let (_, down) = finding.shift?;
        return trend(0.0, down as f64, LARGER_PX);
    }
    lengths(finding, |name| name == "margin-top")
}

fn length(finding: &Finding) -> Option<Trend> {
    let is_text = matches!(
        finding.kind,
        ChangeType::TextEdit | ChangeType::MoveWithEdit
    );
    let letters = |text: &Option<String>| Some(text.as_ref()?.chars().count() as f64);
    let is_said = is_text && finding.attribute.is_none();
    let (before, after) = (letters(&finding.before)?, letters(&finding.after)?);
    is_said.then(|| trend(before, after, 1.0)).flatten()
}

/// Whether it has what it had not, or has not what it had, where that is all one.
fn adornment(finding: &Finding) -> Option<Trend> {
    const ADORNMENTS: [&str; 2] = ["box-shadow", "text-decoration-line"];
    let mut ways = (finding.style.iter())
        .filter(|(name, _)| ADORNMENTS.contains(&name.as_str()))
        .filter_map(|(_, [from, to])| match (from == "none", to == "none") {
            (true, false) => Some(Trend::More),
            (false, true) => Some(Trend::Less),
            _ => None,
        });
    let first = ways.next()?;
    ways.all(|way| way == first).then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn restyled(styles: &[(&str, &str, &str)]) -> Finding {
        let mut finding = Finding::new(ChangeType::StyleOnly, "div".to_owned());
        for (name, from, to) in styles {
            let values = [from, to].map(|&value| value.to_owned());
            finding.style.insert((*name).to_owned(), values);
        }
        finding
    }

    fn way(side: Side, finding: &Finding) -> Option<Trend> {
        measured(finding).get(&side).copied()
    }

    #[test]
    fn styles_tell_which_way_a_side_went() {
        let (more, less) = (Some(Trend::More), Some(Trend::Less));
        for (side, property, from, to, expected) in [
            (
                Side::Ground,
                "background-color",
                "rgb(9, 9, 9)",
                "rgb(99, 99, 99)",
                more,
            ),
            (
                Side::Ground,
                "background-color",
                "rgba(0, 0, 0, 0)",
                "rgb(9, 9, 9)",
                less,
            ),
            (
                Side::Letters,
                "color",
                "rgb(9, 9, 9)",
                "rgb(99, 99, 99)",
                more,
            ),
            (Side::Letters, "color", "rgb(9, 9, 9)", "rgb(9, 9, 9)", None),
            (Side::Weight, "font-weight", "400", "700", more),
            (Side::Thickness, "border-top-width", "2px", "1px", less),
            (Side::Roundness, "border-radius", "4px", "12px", more),
            (Side::Roundness, "border-radius", "50%", "0px", less),
            (Side::Roundness, "border-radius", "50%", "12px", None),
            (Side::Room, "margin-top", "24px", "8px", less),
            (Side::Room, "margin-top", "0px", "-8px", None),
            (Side::Place, "margin-top", "24px", "8px", less),
            (Side::Width, "width", "300px", "320px", more),
            (
                Side::Adornment,
                "text-decoration-line",
                "none",
                "underline",
                more,
            ),
            (
                Side::Adornment,
                "box-shadow",
                "rgb(0, 0, 0) 0px 1px 2px",
                "none",
                less,
            ),
        ] {
            let finding = restyled(&[(property, from, to)]);
            assert_eq!(way(side, &finding), expected, "{property} {from} {to}");
        }
    }

    #[test]
    fn boxes_tell_what_styles_do_not() {
        let area = |w, h| Some(Area { x: 0, y: 0, w, h });
        let mut card = Finding {
            area_before: area(300, 90),
            area: area(340, 90),
            ..restyled(&[("margin-left", "40px", "0px")])
        };
        assert_eq!(way(Side::Width, &card), Some(Trend::More));
        assert_eq!(way(Side::Height, &card), None);
        assert_eq!(way(Side::Extent, &card), None, "its styles tell");
        card.style.clear();
        assert_eq!(way(Side::Extent, &card), Some(Trend::More));
        card.kind = ChangeType::TextEdit;
        (card.before, card.after) = (Some("Buy".to_owned()), Some("Order now".to_owned()));
        assert_eq!(way(Side::Width, &card), None, "there is more in it");
        assert_eq!(way(Side::Length, &card), Some(Trend::More));
    }
}
