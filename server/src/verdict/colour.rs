//! Colours as people write them.

/// An opaque colour as captures have it, `rgb(41, 128, 185)`, as `#2980b9`; nothing for any other text.
pub(super) fn hex_of(text: &str) -> Option<String> {
    let channels = text.strip_prefix("rgb(")?.strip_suffix(')')?.split(',');
    let channels: Vec<u8> = channels
        .map(|part| part.trim().parse())
        .collect::<Result<_, _>>()
        .ok()?;
    (channels.len() == 3).then(|| format!("#{}", hex::encode(channels)))
}

/// What people call a colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Hue {
    Black,
    White,
    Gray,
    Red,
    Orange,
    Yellow,
    Green,
    Cyan,
    Blue,
    Purple,
    Pink,
    Brown,
}

/// English words for colours.
const NAMES: &[(Hue, &[&str])] = &[
    (Hue::Black, &["black"]),
    (Hue::White, &["white"]),
    (Hue::Gray, &["gray", "grey", "silver"]),
    (Hue::Red, &["red", "crimson", "scarlet"]),
    (Hue::Orange, &["orange", "amber"]),
    (Hue::Yellow, &["yellow", "gold", "golden"]),
    (Hue::Green, &["green", "lime", "olive"]),
    (Hue::Cyan, &["cyan", "aqua", "teal", "turquoise"]),
    (Hue::Blue, &["blue", "navy", "indigo"]),
    (Hue::Purple, &["purple", "violet", "magenta"]),
    (Hue::Pink, &["pink"]),
    (Hue::Brown, &["brown"]),
];

impl Hue {
    /// The colour that an English word names.
    pub(super) fn named(word: &str) -> Option<Self> {
        let named = NAMES.iter().find(|(_, names)| names.contains(&word));
        named.map(|(hue, _)| *hue)
    }

    /// The English words for it.
    pub(super) fn names(self) -> impl Iterator<Item = &'static str> {
        let named = NAMES.iter().filter(move |(hue, _)| *hue == self);
        named.flat_map(|(_, names)| names.iter().copied())
    }

    /// All that a colour, as `#2980b9`, may be called: the borders between names are wide, so that nobody is told that he
    /// named it wrongly who sees it otherwise. (Hue, saturation and lightness as CSS Color 4 defines them.)
    pub(super) fn of(hex: &str) -> Vec<Self> {
        let mut channels = [0_u8; 3];
        if hex::decode_to_slice(hex.trim_start_matches('#'), &mut channels).is_err() {
            return Vec::new();
        }
        let strongest = channels.iter().max().copied().unwrap_or_default();
        let is_strongest = channels.map(|channel| channel == strongest);
        let [red, green, blue] = channels.map(|channel| f64::from(channel) / 255.0);
        let (most, least) = (red.max(green).max(blue), red.min(green).min(blue));
        let (lightness, chroma) = (f64::midpoint(most, least), most - least);
        let sixth = if chroma < f64::EPSILON {
            0.0
        } else if is_strongest[0] {
            ((green - blue) / chroma).rem_euclid(6.0)
        } else if is_strongest[1] {
            (blue - red) / chroma + 2.0
        } else {
            (red - green) / chroma + 4.0
        };
        let degrees = sixth * 60.0;
        let is_coloured = chroma > 0.06;
        let lies = |from: f64, to: f64| {
            is_coloured
                && if from <= to {
                    (from..=to).contains(&degrees)
                } else {
                    degrees >= from || degrees <= to
                }
        };
        let named = [
            (Self::Black, lightness < 0.25),
            (Self::White, lightness > 0.85),
            (
                Self::Gray,
                chroma < 0.25 && (0.05..0.97).contains(&lightness),
            ),
            (Self::Red, lies(335.0, 25.0)),
            (Self::Orange, lies(10.0, 55.0)),
            (Self::Yellow, lies(35.0, 75.0)),
            (Self::Green, lies(60.0, 185.0)),
            (Self::Cyan, lies(155.0, 215.0)),
            (Self::Blue, lies(180.0, 275.0)),
            (Self::Purple, lies(240.0, 340.0)),
            (Self::Pink, lies(285.0, 20.0)),
            (Self::Brown, lies(5.0, 50.0) && lightness < 0.6),
        ];
        let fits = named.into_iter().filter(|(_, fits)| *fits);
        fits.map(|(hue, _)| hue).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_have_the_names_that_people_give_them() {
        for (hex, word) in [
            ("#ff0000", "red"),
            ("#001f3f", "navy"),
            ("#2980b9", "blue"),
            ("#16a085", "teal"),
            ("#27ae60", "green"),
            ("#f1c40f", "yellow"),
            ("#ffffff", "white"),
            ("#e5e7eb", "grey"),
            ("#ffc0cb", "pink"),
            ("#8e44ad", "purple"),
        ] {
            let named = Hue::named(word).unwrap();
            assert!(Hue::of(hex).contains(&named), "{hex} {word}");
        }
        assert_eq!(Hue::named("plum"), None);
        assert!(Hue::Gray.names().eq(["gray", "grey", "silver"]));
        assert!(!Hue::of("#ff0000").contains(&Hue::Green));
        assert!(!Hue::of("#0055ff").contains(&Hue::Red));
    }
}
