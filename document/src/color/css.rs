//! Colours as browsers write them in computed styles, brought to sRGB.
//!
//! `rgb(…)` and `rgba(…)`, and the forms of CSS Color 4 that computed styles keep as they were written: `lab(…)`, `lch(…)`,
//! `oklab(…)`, `oklch(…)` and `color(…)` of every predefined space. Formulas and matrices are those of the specification's
//! sample code (<https://www.w3.org/TR/css-color-4/#color-conversion-code>, Oklab by Björn Ottosson, 2020). Colours that
//! sRGB lacks are cut channel by channel, as Chromium paints them on a screen of sRGB.

use super::{Channels, encoded};

type Vector = [f64; 3];
type Matrix = [Vector; 3];

/// X, Y and Z under D65 to linear red, green and blue.
const XYZ_TO_SRGB: Matrix = [
    [12_831.0 / 3_959.0, -329.0 / 214.0, -1_974.0 / 3_959.0],
    [
        -851_781.0 / 878_810.0,
        1_648_619.0 / 878_810.0,
        36_519.0 / 878_810.0,
    ],
    [705.0 / 12_673.0, -2_585.0 / 12_673.0, 705.0 / 667.0],
];

/// X, Y and Z under D50, the white of print, to D65, that of screens (Bradford).
const D50_TO_D65: Matrix = [
    [
        0.955_473_421_488_075,
        -0.023_098_454_948_764_71,
        0.063_259_243_200_570_72,
    ],
    [
        -0.028_369_709_333_863_7,
        1.009_995_398_081_304_1,
        0.021_041_441_191_917_323,
    ],
    [
        0.012_314_014_864_481_998,
        -0.020_507_649_298_898_964,
        1.330_365_926_242_124,
    ],
];

/// White under D50.
const WHITE_D50: Vector = [0.3457 / 0.3585, 1.0, (1.0 - 0.3457 - 0.3585) / 0.3585];

const OKLAB_TO_LMS: Matrix = [
    [1.0, 0.396_337_777_376_174_9, 0.215_803_757_309_913_6],
    [1.0, -0.105_561_345_815_658_6, -0.063_854_172_825_813_3],
    [1.0, -0.089_484_177_529_811_9, -1.291_485_548_019_409_2],
];

const LMS_TO_XYZ: Matrix = [
    [
        1.226_879_875_845_924_3,
        -0.557_814_994_460_217_1,
        0.281_391_045_665_964_7,
    ],
    [
        -0.040_575_745_214_800_8,
        1.112_286_803_280_317,
        -0.071_711_058_065_516_4,
    ],
    [
        -0.076_372_936_674_660_1,
        -0.421_493_332_402_243_2,
        1.586_924_019_836_781_6,
    ],
];

const DISPLAY_P3_TO_XYZ: Matrix = [
    [
        608_311.0 / 1_250_200.0,
        189_793.0 / 714_400.0,
        198_249.0 / 1_000_160.0,
    ],
    [
        35_783.0 / 156_275.0,
        247_089.0 / 357_200.0,
        198_249.0 / 2_500_400.0,
    ],
    [0.0, 32_229.0 / 714_400.0, 5_220_557.0 / 5_000_800.0],
];

const A98_TO_XYZ: Matrix = [
    [
        573_536.0 / 994_567.0,
        263_643.0 / 1_420_810.0,
        187_206.0 / 994_567.0,
    ],
    [
        591_459.0 / 1_989_134.0,
        6_239_551.0 / 9_945_670.0,
        374_412.0 / 4_972_835.0,
    ],
    [
        53_769.0 / 1_989_134.0,
        351_524.0 / 4_972_835.0,
        4_929_758.0 / 4_972_835.0,
    ],
];

const REC2020_TO_XYZ: Matrix = [
    [
        63_426_534.0 / 99_577_255.0,
        20_160_776.0 / 139_408_157.0,
        47_086_771.0 / 278_816_314.0,
    ],
    [
        26_158_966.0 / 99_577_255.0,
        472_592_308.0 / 697_040_785.0,
        8_267_143.0 / 139_408_157.0,
    ],
    [
        0.0,
        19_567_812.0 / 697_040_785.0,
        295_819_943.0 / 278_816_314.0,
    ],
];

/// To X, Y and Z under D50.
const PROPHOTO_TO_XYZ: Matrix = [
    [
        0.797_766_644_900_642_3,
        0.135_181_297_400_533_08,
        0.031_347_734_128_392_2,
    ],
    [
        0.288_074_828_819_401_3,
        0.711_835_234_241_873,
        0.000_089_936_938_725_64,
    ],
    [0.0, 0.0, 0.825_104_602_510_460_2],
];

/// Channels of sRGB, 0 to 255, and the opacity, 0 to 1; nothing for what is no colour. Computed styles have no percentages
/// and no units; a component that is missing (`none`) is zero.
pub(crate) fn parse(value: &str) -> Option<(Channels, f64)> {
    let (function, inside) = value.strip_suffix(')')?.split_once('(')?;
    let mut words = (inside.split([',', ' ', '/'])).filter(|part| !part.is_empty());
    let space = match function {
        "color" => words.next()?,
        function => function,
    };
    let numbers: Vec<f64> = words.map(number).collect::<Option<_>>()?;
    let (color, alpha) = match *numbers.as_slice() {
        [one, two, three] => ([one, two, three], 1.0),
        [one, two, three, alpha] => ([one, two, three], alpha.clamp(0.0, 1.0)),
        _ => return None,
    };
    let channels = match (function, space) {
        ("rgb" | "rgba", _) => color.map(|channel| channel.clamp(0.0, 255.0)),
        ("lab", _) => of_xyz_d50(lab_to_xyz(color)),
        ("lch", _) => of_xyz_d50(lab_to_xyz(rectangular(color))),
        ("oklab", _) => of_xyz(oklab_to_xyz(color)),
        ("oklch", _) => of_xyz(oklab_to_xyz(rectangular(color))),
        ("color", space) => of_space(space, color)?,
        _ => return None,
    };
    Some((channels, alpha))
}

fn number(word: &str) -> Option<f64> {
    match word {
        "none" => Some(0.0),
        word => word.parse().ok().filter(|number: &f64| number.is_finite()),
    }
}

/// A colour of `color(…)`, by the name of its space.
fn of_space(space: &str, color: Vector) -> Option<Channels> {
    Some(match space {
        "srgb" => color.map(|channel| channel.clamp(0.0, 1.0) * 255.0),
        "srgb-linear" => painted(color),
        "display-p3" => of_xyz(times(&DISPLAY_P3_TO_XYZ, color.map(decoded_srgb))),
        "display-p3-linear" => of_xyz(times(&DISPLAY_P3_TO_XYZ, color)),
        "a98-rgb" => of_xyz(times(
            &A98_TO_XYZ,
            color.map(|channel| mirrored(channel, |channel| channel.powf(563.0 / 256.0))),
        )),
        "prophoto-rgb" => of_xyz_d50(times(&PROPHOTO_TO_XYZ, color.map(decoded_prophoto))),
        "rec2020" => of_xyz(times(&REC2020_TO_XYZ, color.map(decoded_rec2020))),
        "xyz" | "xyz-d65" => of_xyz(color),
        "xyz-d50" => of_xyz_d50(color),
        _ => return None,
    })
}

fn of_xyz(xyz: Vector) -> Channels {
    painted(times(&XYZ_TO_SRGB, xyz))
}

fn of_xyz_d50(xyz: Vector) -> Channels {
    of_xyz(times(&D50_TO_D65, xyz))
}

/// Linear red, green and blue as a screen shows them.
fn painted(linear: Vector) -> Channels {
    linear.map(|channel| encoded(channel.clamp(0.0, 1.0)) * 255.0)
}

/// Lightness, chroma and hue as lightness and the two axes of colour.
fn rectangular([lightness, chroma, hue]: Vector) -> Vector {
    let (sin, cos) = hue.to_radians().sin_cos();
    [lightness, chroma.max(0.0) * cos, chroma.max(0.0) * sin]
}

fn lab_to_xyz([lightness, a, b]: Vector) -> Vector {
    const KAPPA: f64 = 24_389.0 / 27.0;
    const EPSILON: f64 = 216.0 / 24_389.0;
    let middle = (lightness + 16.0) / 116.0;
    let curve = |value: f64| {
        let cube = value.powi(3);
        if cube > EPSILON {
            cube
        } else {
            (116.0 * value - 16.0) / KAPPA
        }
    };
    let scaled = [a / 500.0 + middle, middle, middle - b / 200.0].map(curve);
    std::array::from_fn(|axis| scaled[axis] * WHITE_D50[axis])
}

fn oklab_to_xyz(oklab: Vector) -> Vector {
    let lms = times(&OKLAB_TO_LMS, oklab).map(|value| value.powi(3));
    times(&LMS_TO_XYZ, lms)
}

fn decoded_srgb(channel: f64) -> f64 {
    mirrored(channel, super::decoded)
}

fn decoded_prophoto(channel: f64) -> f64 {
    const LINEAR_UP_TO: f64 = 16.0 / 512.0;
    mirrored(channel, |channel| {
        if channel <= LINEAR_UP_TO {
            channel / 16.0
        } else {
            channel.powf(1.8)
        }
    })
}

fn decoded_rec2020(channel: f64) -> f64 {
    const ALPHA: f64 = 1.099_296_826_809_44;
    const BETA: f64 = 0.018_053_968_510_807;
    mirrored(channel, |channel| {
        if channel < BETA * 4.5 {
            channel / 4.5
        } else {
            ((channel + ALPHA - 1.0) / ALPHA).powf(1.0 / 0.45)
        }
    })
}

/// Below zero a curve goes on as it does above.
fn mirrored(channel: f64, curve: impl Fn(f64) -> f64) -> f64 {
    curve(channel.abs()).copysign(channel)
}

fn times(matrix: &Matrix, vector: Vector) -> Vector {
    matrix.map(|row| row.iter().zip(vector).map(|(one, other)| one * other).sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Channels rounded as a picture has them, and the opacity.
    fn rounded(value: &str) -> ([i32; 3], f64) {
        let (channels, alpha) = parse(value).unwrap_or_else(|| panic!("{value} is a colour"));
        #[expect(clippy::cast_possible_truncation, reason = "channels are 0 to 255")]
        let channels = channels.map(|channel| channel.round() as i32);
        (channels, alpha)
    }

    #[test]
    fn colours_are_read_as_browsers_write_them() {
        for (value, channels, alpha) in [
            ("rgb(1, 2, 3)", [1, 2, 3], 1.0),
            ("rgba(1, 2, 3, 0.5)", [1, 2, 3], 0.5),
            ("rgb(1 2 3 / 0.5)", [1, 2, 3], 0.5),
            ("color(srgb 1 0 0.2 / 0.25)", [255, 0, 51], 0.25),
            ("color(srgb none 1 0)", [0, 255, 0], 1.0),
        ] {
            assert_eq!(rounded(value), (channels, alpha), "{value}");
        }
        for value in [
            "",
            "none",
            "currentcolor",
            "rgb(1, 2)",
            "rgb(1, 2, 3, 4, 5)",
            "color(mine 1 0 0)",
            "color()",
            "oklch(a b c)",
            "lab(NaN 0 0)",
            "url(rgb(1, 2, 3))",
        ] {
            assert_eq!(parse(value), None, "{value}");
        }
    }

    /// Against the pixels that Chromium 156 paints for each.
    #[test]
    fn modern_colours_are_what_a_browser_paints() {
        for (value, painted) in [
            ("color(srgb 0.2 0.4 0.6)", [51, 102, 153]),
            ("color(srgb-linear 0.1 0.5 0.9)", [89, 188, 243]),
            ("color(display-p3 0.2 0.5 0.7)", [0, 130, 183]),
            ("color(display-p3 1 0 0)", [255, 0, 0]),
            ("color(a98-rgb 0.3 0.6 0.4)", [0, 154, 99]),
            ("color(prophoto-rgb 0.4 0.5 0.3)", [107, 151, 83]),
            ("color(rec2020 0.4 0.5 0.6)", [92, 142, 166]),
            ("color(xyz-d65 0.2 0.3 0.4)", [0, 167, 164]),
            ("color(xyz-d50 0.2 0.3 0.1)", [86, 166, 83]),
            ("lab(50 40 -20)", [171, 90, 154]),
            ("lab(29.69 45 -99)", [0, 48, 232]),
            ("lab(none 10 10)", [26, 0, 0]),
            ("lch(60 40 140)", [97, 159, 97]),
            ("lch(70 150 30)", [255, 0, 51]),
            ("oklab(0.6 0.1 -0.05)", [168, 102, 156]),
            ("oklab(0.81398 0.112463 0.0629398)", [255, 161, 145]),
            ("oklch(0.7 0.15 150)", [76, 184, 106]),
            ("oklch(0.45 0.3 264)", [0, 22, 247]),
            ("oklch(0.97 0.01 250)", [240, 246, 252]),
        ] {
            let (ours, _) = rounded(value);
            let apart = (ours.iter().zip(painted)).map(|(one, other)| (one - other).abs());
            assert!(apart.max() <= Some(1), "{value}: {ours:?}, {painted:?}");
        }
    }
}
