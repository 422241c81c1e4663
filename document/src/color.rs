//! Colours as browsers report them: how bright they are, and how far apart two of them look.

/// Red, green and blue of sRGB, 0 to 255.
pub(crate) type Channels = [f64; 3];

/// X, Y and Z of linear red, green and blue, and of white (IEC 61966-2-1, D65).
const XYZ: [[f64; 3]; 3] = [
    [0.412_4, 0.357_6, 0.180_5],
    [0.212_6, 0.715_2, 0.072_2],
    [0.019_3, 0.119_2, 0.950_5],
];
const WHITE: [f64; 3] = [0.950_5, 1.0, 1.089];

/// Channels of 0 to 255 and the opacity of `rgb(…)` and `rgba(…)`, the forms in which browsers report colours.
pub(crate) fn parse(value: &str) -> Option<(Channels, f64)> {
    let inside = value.strip_prefix("rgb")?.trim_start_matches('a');
    let inside = inside.strip_prefix('(')?.strip_suffix(')')?;
    let numbers: Vec<f64> = inside
        .split([',', ' ', '/'])
        .filter(|part| !part.is_empty())
        .map(str::parse)
        .collect::<Result<_, _>>()
        .ok()?;
    match *numbers.as_slice() {
        [r, g, b] => Some(([r, g, b], 1.0)),
        [r, g, b, alpha] => Some(([r, g, b], alpha.clamp(0.0, 1.0))),
        _ => None,
    }
}

/// Relative luminance, 0 to 1 (WCAG 2.2).
pub(crate) fn luminance(color: Channels) -> f64 {
    let [r, g, b] = linear(color);
    0.2126 * r + 0.7152 * g + 0.0722 * b
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

/// The channels without the curve of sRGB, 0 to 1.
fn linear(color: Channels) -> [f64; 3] {
    color.map(|channel| {
        let channel = channel.clamp(0.0, 255.0) / 255.0;
        if channel <= 0.04045 {
            channel / 12.92
        } else {
            ((channel + 0.055) / 1.055).powf(2.4)
        }
    })
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
    fn colours_are_read_as_browsers_write_them() {
        assert_eq!(parse("rgb(1, 2, 3)"), Some(([1.0, 2.0, 3.0], 1.0)));
        assert_eq!(parse("rgba(1, 2, 3, 0.5)"), Some(([1.0, 2.0, 3.0], 0.5)));
        assert_eq!(parse("color(srgb 1 0 0)"), None);
    }
}
