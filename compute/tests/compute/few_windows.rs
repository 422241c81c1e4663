//! Pages of few windows: nothing averages out there, and the score is that of the paper all the same.

use pentimento_compute::{CompareOptions, Rect};

use crate::both;
use crate::pages::{Page, rect};

const WINDOW: u32 = 11;

/// Two pages of dots and stretches, and what makes 32 bits lose digits: hardly any contrast beside much of it.
fn pages(width: u32, height: u32, seed: u64) -> [Page; 2] {
    let noise = [0, 1].map(|side| Page::noise(width, height, 2 * seed + side));
    noise.map(|noise| {
        Page::drawn(width, height, |x, y| {
            let [red, green, ..] = noise.color_at(x, y);
            let level = match (red % 4, seed % 3) {
                (0, _) => 255,
                (1, 0) => 254,
                (2, 1) => green,
                _ => green / 16,
            };
            [level, level, level, 255]
        })
    })
}

/// The score of opaque greys of which only the windows centred in an area count, as the paper words it.
fn score([one, other]: &[Page; 2], centres: Rect) -> f64 {
    let bell = (0..WINDOW).map(|tap| (-(f64::from(tap) - 5.0).powi(2) / 4.5).exp());
    let bell: Vec<f64> = bell.collect();
    let sum: f64 = bell.iter().sum();
    let mut total = 0.0;
    for y in centres.y..centres.y + centres.height {
        for x in centres.x..centres.x + centres.width {
            let mean = |value: &dyn Fn(f64, f64) -> f64| -> f64 {
                let taps = (0..WINDOW).flat_map(|down| (0..WINDOW).map(move |along| (along, down)));
                taps.map(|(along, down)| {
                    let at = |page: &Page| f64::from(page.color_at(x + along - 5, y + down - 5)[0]);
                    let weight = bell[along as usize] * bell[down as usize] / (sum * sum);
                    weight * value(at(one), at(other))
                })
                .sum()
            };
            let (a, b) = (mean(&|a, _| a), mean(&|_, b| b));
            let varies = mean(&|one, other| (one - a).powi(2) + (other - b).powi(2));
            let together = mean(&|one, other| (one - a) * (other - b));
            let luminance = (2.0 * a * b + 6.5025) / (a * a + b * b + 6.5025);
            total += luminance * (2.0 * together + 58.5225) / (varies + 58.5225);
        }
    }
    let windows = f64::from(centres.width * centres.height);
    (100.0 * total / windows).clamp(0.0, 100.0)
}

#[test]
fn small_pages_have_the_score_of_the_paper() {
    for seed in 0..60 {
        let (width, height) = (
            [11, 12, 17, 42][usize::try_from(seed % 4).unwrap()],
            11 + u32::try_from(seed % 5).unwrap(),
        );
        let centres = rect(5, 5, width - 10, height - 10);
        let drawn = pages(width, height, seed);
        let (one, other) = (drawn[0].png(), drawn[1].png());
        let result = both::compare(&one, &other, &CompareOptions::default());
        let expected = score(&drawn, centres);
        assert!(
            (result.score - expected).abs() < 1e-9,
            "{} for {expected}",
            result.score
        );
    }
}

/// What is ignored is white in both pictures, and no window is centred on it.
#[test]
fn a_page_of_which_nearly_all_is_ignored_has_the_score_of_what_is_left() {
    for seed in 0..6 {
        let (width, height) = (90, 70);
        let left = rect(40, 30, 3, 4);
        let ignore = vec![
            rect(0, 0, width, left.y),
            rect(0, left.y + left.height, width, height),
            rect(0, 0, left.x, height),
            rect(left.x + left.width, 0, width, height),
        ];
        let drawn = pages(width, height, seed);
        let seen = drawn.clone().map(|page| {
            Page::drawn(width, height, |x, y| {
                let is_left = (left.x..left.x + left.width).contains(&x)
                    && (left.y..left.y + left.height).contains(&y);
                if is_left {
                    page.color_at(x, y)
                } else {
                    [255; 4]
                }
            })
        });
        let options = CompareOptions {
            ignore,
            ..CompareOptions::default()
        };
        let result = both::compare(&drawn[0].png(), &drawn[1].png(), &options);
        let expected = score(&seen, left);
        assert!(
            (result.score - expected).abs() < 1e-9,
            "{} for {expected}",
            result.score
        );
    }
}
