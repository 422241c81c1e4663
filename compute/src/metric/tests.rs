use super::*;

#[test]
fn pixels_whose_channels_differ_too_little_are_no_change() {
    for threshold in [0.0, 0.001, 0.01, 0.1, 0.35, 0.99, 1.0] {
        let threshold = Threshold::new(threshold).unwrap();
        let channel = threshold.float.channel;
        for corner in 0..8 {
            let of = |sign: i32| {
                let ends = [0, 1, 2].map(|bit| u8::from(corner >> bit & 1 == sign) * channel);
                [ends[0], ends[1], ends[2], 255]
            };
            assert!(
                !threshold.exceeds(of(0), of(1), 0),
                "{threshold:?} {corner}"
            );
        }
    }
    let bounds = Threshold::new(0.1).unwrap().float;
    assert_eq!(bounds.channel, 25);
}

/// Every step of the three channels on a coarse grid, and all of the fine grid around the
/// default threshold.
#[test]
fn whole_numbers_never_contradict_the_exact_distance() {
    let threshold = Threshold::new(0.1).unwrap();
    let (mut doubtful, mut seen) = (0_u32, 0_u32);
    for r in (0..=255).step_by(3) {
        for g in (0..=255).step_by(3) {
            for b in (0..=255).step_by(3) {
                let (baseline, current) = ([r, g, b, 255], [128, 100, 90, 255]);
                let exact = threshold.exceeds(baseline, current, 0);
                seen += 1;
                match threshold.decide(baseline, current) {
                    Decision::Changed => assert!(exact, "{baseline:?}"),
                    Decision::Same => assert!(!exact, "{baseline:?}"),
                    Decision::Doubtful => doubtful += 1,
                }
            }
        }
    }
    assert!(
        doubtful * 1000 < seen,
        "{doubtful} of {seen} left to the host"
    );
}

#[test]
fn ranks_tell_every_two_colours_apart_as_their_brightness_does() {
    let steps = -255..=255_i64;
    let [red, green, blue] = BRIGHTNESS;
    let nearest = (steps.clone())
        .flat_map(|r| steps.clone().map(move |g| r * red + g * green))
        .flat_map(|other| steps.clone().map(move |b| (other + b * blue).abs()))
        .filter(|&distance| distance != 0)
        .min();
    assert!(nearest > Some(1 << RANK_SHIFT), "{nearest:?}");
    for colour in [
        [0, 0, 0],
        [1, 2, 3],
        [7, 30, 172],
        [254, 255, 253],
        [255; 3],
    ] {
        let [r, g, b] = colour;
        let expected = brightness([r, g, b, 255]) >> RANK_SHIFT;
        assert_eq!(i64::from(rank(colour)), expected, "{colour:?}");
    }
}

#[test]
fn black_and_white_are_nearly_the_largest_distance_apart() {
    let delta = exact_delta([0, 0, 0, 255], [255; 4], 0);
    assert!((delta - 0.5053 * 255.0 * 255.0).abs() < 1e-3, "{delta}");
    assert!(delta < MAX_DELTA);
}

#[test]
fn transparent_white_differs_from_opaque_white() {
    assert!(
        Threshold::new(0.1)
            .unwrap()
            .exceeds([255, 255, 255, 0], [255; 4], 0)
    );
    assert!(
        !Threshold::new(0.0)
            .unwrap()
            .exceeds([9, 9, 9, 0], [200, 1, 7, 0], 0),
        "nothing of either is seen"
    );
}

#[test]
fn half_of_what_may_change_is_no_change_twice() {
    for threshold in [0.0, 0.01, 0.05, 0.1, 0.4, 1.0] {
        let bounds = Threshold::new(threshold).unwrap();
        let half = bounds.half_of_grey();
        let apart = |levels: u8| bounds.exceeds([0, 0, 0, 255], [levels, levels, levels, 255], 0);
        assert!(half == 0 || !apart(2 * half.min(127)), "{threshold}");
        assert!(half >= 127 || apart(2 * half + 2), "{threshold}");
    }
    assert_eq!(Threshold::new(0.1).unwrap().half_of_grey(), 13);
}

#[test]
fn thresholds_outside_0_to_1_are_refused() {
    for threshold in [-0.1, 1.1, f64::NAN, f64::INFINITY] {
        assert!(
            matches!(Threshold::new(threshold), Err(Error::Threshold(_))),
            "{threshold}"
        );
    }
}
