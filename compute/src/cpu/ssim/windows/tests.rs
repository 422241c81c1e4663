//! Which windows are looked at, and what they lose in the vectors of every kind, against the paper's formula.

use super::*;

const GROUPS: usize = 5;
const WANTED: [u32; GROUPS] = [u32::MAX, 0x0f0f_0f0f, u32::MAX, 0, 1 << 31 | 1];

#[test]
fn exactly_the_windows_that_touch_a_difference_are_looked_at() {
    let stride = (GROUPS + NEXT_GROUPS) * LANES;
    let covers = |group: usize, row: usize, (x, y): (usize, usize)| {
        let columns = group * LANES..group * LANES + LANES + WINDOW - 1;
        columns.contains(&x) && (row..row + WINDOW).contains(&y)
    };
    for at in (0..stride * ROWS).step_by(3) {
        let mut windows = Windows {
            lumas: [vec![7; stride * ROWS], vec![7; stride * ROWS]],
            ..Windows::default()
        };
        windows.lumas[at % 2][at] = 8;
        let expected = std::array::from_fn::<u32, GROUPS, _>(|group| {
            let touches = |row: &u32| covers(group, *row as usize, (at % stride, at / stride));
            let rows = (0..BAND).filter(touches);
            WANTED[group] & rows.fold(0, |rows, row| rows | 1 << row)
        });
        assert_eq!(windows.touching_differences(&WANTED), expected, "{at}");
    }
}

/// Lumas of both pictures over all rows and groups: steps, noise, and stretches that are the same or flat.
fn lumas() -> [Vec<[i32; LANES]>; 2] {
    let picture = |seed: usize| -> Vec<[i32; LANES]> {
        let places = (0..ROWS).flat_map(|y| (0..GROUPS + NEXT_GROUPS).map(move |x| (x, y)));
        let luma = |x: usize, y: usize| {
            let noise = (x * 7919 + y * 104_729 + seed * x % 13 * y) % 256;
            let level = if y < 20 { noise } else { x / 3 * 40 % 256 };
            i32::try_from(level).unwrap() * LUMA_ONE
        };
        places
            .map(|(x, y)| std::array::from_fn(|lane| luma(x * LANES + lane, y)))
            .collect()
    };
    [picture(0), picture(5)]
}

/// What each wanted window of some rows of groups loses, in the vectors of one kind of processor; `along` measures a row.
/// What was not averaged over is no number.
fn losses_in<S: Simd>(
    simd: S,
    [baseline, current]: &[Vec<[i32; LANES]>; 2],
    wanted: &[u32; GROUPS],
    along: impl Fn(AlongRow<'_>),
) -> Vec<f64> {
    let stride = PLANES * (GROUPS + NEXT_GROUPS);
    let mut means = vec![Group([f64::NAN; LANES]); BAND as usize * stride];
    simd.vectorize(DownColumns {
        baseline,
        current,
        wanted,
        means: &mut means,
    });
    let rows = means.chunks_exact(stride).enumerate();
    let losses = rows.flat_map(|(row, means)| {
        let mut losses = vec![Group::default(); GROUPS];
        along(AlongRow {
            means,
            wanted,
            row,
            losses: &mut losses,
        });
        losses.into_iter().flat_map(|group| group.0)
    });
    losses.collect()
}

/// What the window whose first pixel is there loses, as the paper words it.
fn loss_of_the_paper(lumas: &[Vec<[i32; LANES]>; 2], x: usize, y: usize) -> f64 {
    let weights = score::weights();
    let luma = |side: usize, x: usize, y: usize| {
        let group = lumas[side][y * (GROUPS + NEXT_GROUPS) + x / LANES];
        f64::from(group[x % LANES]) / f64::from(LUMA_ONE)
    };
    let mean = |value: &dyn Fn(usize, usize) -> f64| -> f64 {
        let taps = (0..WINDOW).flat_map(|down| (0..WINDOW).map(move |along| (along, down)));
        taps.map(|(along, down)| weights[along] * weights[down] * value(x + along, y + down))
            .sum()
    };
    let [one, other] = [0, 1].map(|side| mean(&|x, y| luma(side, x, y)));
    let covariance = |left: usize, right: usize, of_means: f64| {
        mean(&|x, y| luma(left, x, y) * luma(right, x, y)) - of_means
    };
    let variances = covariance(0, 0, one * one) + covariance(1, 1, other * other);
    let luminance = (2.0 * one * other + score::C1) / (one * one + other * other + score::C1);
    let structure = (2.0 * covariance(0, 1, one * other) + score::C2) / (variances + score::C2);
    1.0 - luminance * structure
}

/// In the vectors of every kind that this processor has.
fn losses_in_all(
    lumas: &[Vec<[i32; LANES]>; 2],
    wanted: &[u32; GROUPS],
) -> Vec<(&'static str, Vec<f64>)> {
    let scalar = pulp::Scalar::new();
    let of_scalar = losses_in(scalar, lumas, wanted, |row| Simd::vectorize(scalar, row));
    let mut losses = vec![("scalar", of_scalar)];
    #[cfg(target_arch = "x86_64")]
    if let Some(simd) = pulp::x86::V3::try_new() {
        let of_avx2 = losses_in(simd, lumas, wanted, |row| Simd::vectorize(simd, row));
        losses.push(("AVX2", of_avx2));
    }
    #[cfg(target_arch = "x86_64")]
    if let Some(simd) = pulp::x86::V4::try_new() {
        let of_avx512 = losses_in(simd, lumas, wanted, |row| {
            simd.vectorize(x86::Along { simd, row });
        });
        losses.push(("AVX-512", of_avx512));
    }
    losses
}

#[test]
fn windows_lose_in_all_vectors_what_the_paper_says() {
    let lumas = lumas();
    for wanted in [[u32::MAX; GROUPS], WANTED, [0, 1 << 31, 1, 6 << 28, 0]] {
        let losses = losses_in_all(&lumas, &wanted);
        let mut most = 0.0_f64;
        for at in 0..GROUPS * LANES * BAND as usize {
            let (x, y) = (at % (GROUPS * LANES), at / (GROUPS * LANES));
            let expected = if wanted[x / LANES] >> y & 1 == 1 {
                loss_of_the_paper(&lumas, x, y)
            } else {
                0.0
            };
            most = most.max(expected);
            for (vectors, losses) in &losses {
                let loss = losses[at];
                assert!(
                    (loss - expected).abs() < 1e-10,
                    "{vectors} {x} {y}: {loss}, not {expected}"
                );
            }
        }
        assert!(most > 0.5, "{most}");
    }
}
