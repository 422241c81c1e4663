//! Which windows are looked at, and what they lose in the vectors of every kind, against the paper's formula.

use super::planes::ROWS;
use super::*;
use crate::score::LUMA_ONE;

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
        let mut lumas = [vec![7; stride * ROWS], vec![7; stride * ROWS]];
        lumas[at % 2][at] = 8;
        let planes = planes(&lumas.map(|lumas| lumas.as_chunks().0.to_vec()));
        let expected = std::array::from_fn::<u32, GROUPS, _>(|group| {
            let touches = |row: &u32| covers(group, *row as usize, (at % stride, at / stride));
            let rows = (0..BAND).filter(touches);
            WANTED[group] & rows.fold(0, |rows, row| rows | 1 << row)
        });
        assert_eq!(planes.touching_differences(&WANTED), expected, "{at}");
    }
}

/// What remains of other runs is far from anything.
fn planes([baseline, current]: &Lumas) -> Planes {
    let groups = GROUPS + NEXT_GROUPS;
    let mut planes = Planes::default();
    planes.begin(groups);
    for side in 0..2 {
        let luma = [255 * LUMA_ONE, 0].map(|luma| vec![[luma; LANES]; groups]);
        (0..ROWS).for_each(|_| planes.take_row([&luma[side], &luma[1 - side]]));
        planes.begin(groups);
    }
    let rows = baseline.chunks(groups).zip(current.chunks(groups));
    rows.for_each(|(baseline, current)| planes.take_row([baseline, current]));
    planes
}

type Lumas = [Vec<[i32; LANES]>; 2];

/// Lumas of both pictures over all rows and groups, from what they are in steps at each place.
fn drawn(luma: impl Fn(usize, usize, usize) -> usize) -> Lumas {
    [0, 1].map(|side| {
        let places = (0..ROWS).flat_map(|y| (0..GROUPS + NEXT_GROUPS).map(move |x| (x, y)));
        let at = |x: usize, y: usize| i32::try_from(luma(side, x, y)).unwrap() * LUMA_ONE;
        places
            .map(|(x, y)| std::array::from_fn(|lane| at(x * LANES + lane, y)))
            .collect()
    })
}

/// Steps, noise, and stretches that are the same or flat.
fn lumas() -> Lumas {
    drawn(|side, x, y| {
        let noise = (x * 7919 + y * 104_729 + side * 5 * x % 13 * y) % 256;
        if y < 20 { noise } else { x / 3 * 40 % 256 }
    })
}

/// What 32 bits hold badly: dots far from all around them, among them what others are counted from, on a ground that is the same
/// in both pictures or another.
fn dots() -> Lumas {
    drawn(|side, x, y| {
        let is_dot = (x + 7 * (y % 19)) % 23 == 0;
        match (is_dot, side) {
            (true, 0) => 0,
            (true, _) => 255 - x % 3,
            (false, 0) => 254,
            (false, _) if y < ROWS / 2 => 9,
            (false, _) => 254 - usize::from(x % 16 == 3),
        }
    })
}

/// Rules a pixel wide, every so many pixels down and along, on a ground of another grey, in both pictures other ones: the same
/// few windows make up a whole page, and so does what rounding costs them.
fn rules(every: [usize; 2], at: usize, [ours, theirs]: [[usize; 2]; 2]) -> Lumas {
    drawn(|side, x, y| {
        let is_rule = (y + at).is_multiple_of(every[0]) || (x + at).is_multiple_of(every[1]);
        [ours, theirs][side][usize::from(is_rule)]
    })
}

type Take<'a> = &'a mut dyn FnMut(usize, usize, f32);

/// What each window loses, 0 when it is not wanted, and their sums for each place in a square as `run` says, which measures in
/// the vectors of one kind of processor. Of so many groups only the sums are known. What was not averaged over is no number.
fn losses_in(
    lumas: &Lumas,
    wanted: &[u32; GROUPS],
    summed: usize,
    run: impl Fn(Measuring<'_, Take<'_>>) -> [f64; LANES],
) -> (Vec<f32>, [f64; LANES]) {
    let nothing = [Group([f32::NAN; LANES]); LANES];
    let nothing = Moments {
        mean: nothing,
        variance: nothing,
    };
    let mut columns = vec![[[nothing; PLANES]; SQUARES]; COVERED];
    let mut losses = vec![0.0; BAND as usize * GROUPS * LANES];
    let sums = run(Measuring {
        planes: &planes(lumas),
        squares: squares(wanted),
        wanted,
        columns: columns.first_chunk_mut().unwrap(),
        summed,
        take: &mut |row, column, loss| losses[row * GROUPS * LANES + column] = loss,
    });
    (losses, sums)
}

/// What the window whose first pixel is there loses, as the paper words it.
fn loss_of_the_paper(lumas: &Lumas, x: usize, y: usize) -> f64 {
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
    lumas: &Lumas,
    wanted: &[u32; GROUPS],
    summed: usize,
) -> Vec<(&'static str, Vec<f32>, [f64; LANES])> {
    let mut all = Vec::new();
    let mut add = |vectors, (losses, sums)| all.push((vectors, losses, sums));
    let scalar = pulp::Scalar::new();
    let by_one = losses_in(lumas, wanted, summed, |windows| {
        Simd::vectorize(scalar, windows)
    });
    add("scalar", by_one);
    #[cfg(target_arch = "x86_64")]
    {
        use pulp::x86::V3;

        if let Some(simd) = V3::try_new() {
            let anywhere = losses_in(lumas, wanted, summed, |windows| {
                Simd::vectorize(simd, windows)
            });
            add("any of eight", anywhere);
            let avx2 = losses_in(lumas, wanted, summed, |windows| {
                simd.vectorize(windows.with(simd, ByEight))
            });
            add("AVX2", avx2);
        }
    }
    all
}

#[test]
fn windows_lose_in_all_vectors_what_the_paper_says() {
    let all_wanted = [[u32::MAX; GROUPS], WANTED, [0, 1 << 31, 1, 6 << 28, 0]];
    // Rows of centres of a whole band and of one at the bottom of a page.
    let all_wanted = all_wanted.map(|wanted| [(wanted, BAND), (wanted, 23), (wanted, 3)]);
    for lumas in [lumas(), dots()] {
        for (wanted, rows) in all_wanted.concat() {
            losses_are_those_of_the_paper(&lumas, &wanted, rows);
        }
    }
}

#[test]
fn windows_over_rules_lose_what_the_paper_says() {
    const NONE: usize = usize::MAX;
    let greys = [
        [[255, 224], [224, 51]],
        [[248, 4], [232, 192]],
        [[245, 224], [224, 51]],
        [[224, 245], [200, 17]],
    ];
    for (greys, at) in greys
        .iter()
        .flat_map(|greys| (0..8).map(move |at| (greys, at)))
    {
        for every in [[8, NONE], [NONE, 8], [8, 8], [11, NONE], [NONE, 16]] {
            let lumas = rules(every, at, *greys);
            for rows in [BAND, 1] {
                losses_are_those_of_the_paper(&lumas, &[u32::MAX; GROUPS], rows);
            }
        }
    }
}

/// Of the first rows of centres.
fn losses_are_those_of_the_paper(lumas: &Lumas, wanted: &[u32; GROUPS], rows: u32) {
    let wanted = wanted.map(|wanted| wanted & u32::MAX >> (BAND - rows));
    let covered = (rows as usize + WINDOW - 1) * (GROUPS + NEXT_GROUPS);
    let lumas = lumas.each_ref().map(|lumas| lumas[..covered].to_vec());
    let windows = GROUPS * LANES * rows as usize;
    let expected: Vec<f64> = (0..windows)
        .map(|at| (at % (GROUPS * LANES), at / (GROUPS * LANES)))
        .map(|(x, y)| match wanted[x / LANES] >> y & 1 {
            0 => 0.0,
            _ => loss_of_the_paper(&lumas, x, y),
        })
        .collect();
    assert!(expected.iter().any(|&loss| loss > 0.1));
    for (vectors, losses, _) in losses_in_all(&lumas, &wanted, 0) {
        let beyond = expected.iter().zip(&losses);
        let beyond = beyond.map(|(expected, &loss)| f64::from(loss) - expected);
        let worst = beyond.clone().map(f64::abs).fold(0.0, f64::max);
        assert!(worst < 1.5e-6, "{vectors}: {worst}");
        // A page's score, of 100, is within 1e-4.
        let mean = beyond.sum::<f64>() / windows as f64;
        assert!(mean.abs() < 1e-6, "{vectors}: {mean}");
    }
}

#[test]
fn windows_that_are_summed_are_not_handed_out() {
    let lumas = lumas();
    let apart = losses_in_all(&lumas, &WANTED, 0);
    for summed in [1, 3, GROUPS] {
        let together = losses_in_all(&lumas, &WANTED, summed);
        for ((vectors, apart, nothing), (_, others, sums)) in apart.iter().zip(&together) {
            assert!(nothing.iter().all(|sum| sum.to_bits() == 0));
            let of_rows = apart
                .chunks(GROUPS * LANES)
                .zip(others.chunks(GROUPS * LANES));
            let mut expected = 0.0;
            for (apart, others) in of_rows {
                let (of_sums, handed_out) = others.split_at(summed * LANES);
                assert!(of_sums.iter().all(|loss| loss.to_bits() == 0));
                assert_eq!(handed_out, &apart[summed * LANES..], "{vectors}");
                expected += (apart[..summed * LANES].iter().copied().map(f64::from)).sum::<f64>();
            }
            assert!(expected > 0.0);
            let sum: f64 = sums.iter().sum();
            // Eight of them are added up in 32 bits.
            assert!(
                (sum / expected - 1.0).abs() < 1e-7,
                "{vectors}: {sum}, {expected}"
            );
        }
    }
}

/// Squares of windows lie where anything is wanted, and each row is of one.
#[test]
fn squares_cover_what_is_wanted_once() {
    let wanted = [
        u32::MAX,
        0,
        1,
        1 << 31,
        0b1001 << 20,
        0x8000_0401,
        0x00f0_0f0f,
    ];
    for wanted in wanted {
        let mut left = wanted;
        for (first, rows) in squares(&[0, wanted]) {
            assert!(first + LANES <= BAND as usize);
            assert_eq!(rows & !(0xff << first), 0);
            assert_eq!(rows & left, rows);
            left &= !rows;
        }
        assert_eq!(left, 0);
    }
}
