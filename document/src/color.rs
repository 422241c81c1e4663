//! Colours: how bright they are, how far apart two of them look, and what shows where one lies over another.

mod css;
mod gradient;

pub(crate) use css::parse;
pub(crate) use gradient::gradient;

/// Red, green and blue of sRGB, 0 to 255.
pub(crate) type Channels = [f64; 3];

/// X, Y and Z of linear red, green and blue, and of white (IEC 61966-2-1, D65).
const XYZ: [[f64; 3]; 3] = [
    [0.412_4, 0.357_6, 0.180_5],
    [0.212_6, 0.715_2, 0.072_2],
    [0.019_3, 0.119_2, 0.950_5],
];
const WHITE: [f64; 3] = [0.950_5, 1.0, 1.089];

/// The contrast of two colours, from 1 to 21 (WCAG 2.2).
pub(crate) fn contrast(one: Channels, other: Channels) -> f64 {
    let (one, other) = (luminance(one), luminance(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

/// Relative luminance, 0 to 1 (WCAG 2.2).
fn luminance(color: Channels) -> f64 {
    let [r, g, b] = linear(color);
    0.2126 * r + 0.7152 * g + 0.0722 * b
}

/// How light a colour of a computed style looks, 0 to 100 (L* of CIE 1976); one that is not opaque as it does on white. None
/// for what is no colour.
pub fn lightness(value: &str) -> Option<f64> {
    let (color, alpha) = parse(value)?;
    let [lightness, ..] = lab(over(color, alpha, [255.0; 3]));
    Some(lightness)
}

/// How far apart two colours look: the distance in CIE L*a*b* of 1976 (ISO/CIE 11664-4). White and black are 100 apart;
/// from 2.3 on a difference can be noticed (Mahy, Van Eycken and Oosterlinck 1994).
pub(crate) fn distance(one: Channels, other: Channels) -> f64 {
    let (one, other) = (lab(one), lab(other));
    let squares = one
        .iter()
        .zip(other)
        .map(|(one, other)| (one - other).powi(2));
    squares.sum::<f64>().sqrt()
}

fn lab(color: Channels) -> [f64; 3] {
    let linear = linear(color);
    let along = |axis: [f64; 3]| {
        axis.iter()
            .zip(linear)
            .map(|(weight, channel)| weight * channel)
            .sum::<f64>()
    };
    let curve = |value: f64| {
        if value > (6.0_f64 / 29.0).powi(3) {
            value.cbrt()
        } else {
            value * (29.0_f64 / 6.0).powi(2) / 3.0 + 4.0 / 29.0
        }
    };
    let [x, y, z] = std::array::from_fn(|axis| curve(along(XYZ[axis]) / WHITE[axis]));
    [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
}

/// What is seen of a colour of this opacity on a ground (source-over of Compositing 1).
pub(crate) fn over(color: Channels, alpha: f64, ground: Channels) -> Channels {
    std::array::from_fn(|channel| ground[channel] + (color[channel] - ground[channel]) * alpha)
}

/// The channels without the curve of sRGB, 0 to 1.
fn linear(color: Channels) -> [f64; 3] {
    color.map(|channel| decoded(channel.clamp(0.0, 255.0) / 255.0))
}

/// A channel of 0 to 1 without the curve of sRGB (IEC 61966-2-1).
fn decoded(channel: f64) -> f64 {
    if channel <= 0.04045 {
        channel / 12.92
    } else {
        ((channel + 0.055) / 1.055).powf(2.4)
    }
}

/// A linear channel of 0 to 1 with that curve.
fn encoded(channel: f64) -> f64 {
    if channel <= 0.003_130_8 {
        channel * 12.92
    } else {
        1.055 * channel.powf(1.0 / 2.4) - 0.055
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against the values of scikit-image's `deltaE_cie76`.
    #[test]
    fn distances_are_those_of_cie_1976() {
        let white = [255.0; 3];
        assert!((distance(white, [0.0; 3]) - 100.0).abs() < 0.05);
        assert!(distance(white, white) < 1e-9);
        for (one, other, apart) in [
            (white, [255.0, 232.0, 204.0], 18.18),
            ([119.0; 3], [136.0; 3], 6.67),
            ([255.0, 0.0, 0.0], [0.0, 255.0, 0.0], 170.57),
        ] {
            let ours = distance(one, other);
            assert!((ours - apart).abs() < 0.05, "{ours}");
        }
    }

    #[test]
    fn lightness_is_that_of_cie_1976() {
        for (value, expected) in [
            ("rgb(255, 255, 255)", 100.0),
            ("rgb(0, 0, 0)", 0.0),
            ("rgb(119, 119, 119)", 50.03),
            ("rgba(0, 0, 0, 0)", 100.0),
        ] {
            let ours = lightness(value).unwrap();
            assert!((ours - expected).abs() < 0.05, "{value}: {ours}");
        }
        assert_eq!(lightness("none"), None);
    }

    #[test]
    fn half_a_colour_lets_half_of_the_ground_through() {
        let shown = over([0.0, 100.0, 255.0], 0.5, [255.0, 0.0, 255.0]);
        let apart = shown.iter().zip([127.5, 50.0, 255.0]);
        assert!(apart.map(|(one, other)| (one - other).abs()).sum::<f64>() < 1e-9);
    }
}
