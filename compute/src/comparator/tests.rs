use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use super::*;
use crate::card::Card;
use crate::encode::encode_rgb;
use crate::gathering::OwnedPair;
use crate::geometry::Size;
use crate::gpu::Gpu;
use crate::gpu::mishaps::Stay;
use crate::picture::Form;

fn striped(step: u32) -> Vec<u8> {
    let size = Size {
        width: 50,
        height: 60,
    };
    encode_rgb(size, |y, row| row.fill(if y % step == 0 { 0 } else { 255 })).unwrap()
}

#[test]
fn baselines_that_stay_on_the_card_are_not_sent_again() {
    let comparator = Comparator::with_options(ComparatorOptions {
        backend: BackendChoice::Gpu,
        // Room for two of them.
        resident_bytes: 30_000,
    })
    .expect("no adapter to test on: apt-get install mesa-vulkan-drivers libvulkan1");
    let on_cpu = Comparator::new(BackendChoice::Cpu).unwrap();
    let options = CompareOptions::default();
    let mut spared = Vec::new();
    for (baseline, current) in [(2, 3), (2, 5), (4, 3), (2, 7), (6, 3), (4, 5)] {
        let (baseline, current) = (striped(baseline), striped(current));
        let found = comparator.compare(&baseline, &current, &options).unwrap();
        let expected = on_cpu.compare(&baseline, &current, &options).unwrap();
        assert_eq!(found.mask, expected.mask);
        assert!((found.score - expected.score).abs() < 1e-4);
        let gpu = comparator.keeper().unwrap().current(Instant::now());
        spared.push(gpu.unwrap().spared_rows());
    }
    // The second and the fourth found theirs; the fifth took the place of the third's.
    assert_eq!(spared, [0, 60, 60, 120, 120, 120]);
}

#[test]
fn a_card_without_room_for_baselines_compares_all_the_same() {
    let comparator = Comparator::with_options(ComparatorOptions {
        backend: BackendChoice::Gpu,
        resident_bytes: 1 << 20,
    })
    .expect("no adapter to test on: apt-get install mesa-vulkan-drivers libvulkan1");
    let gpu = comparator.keeper().unwrap().current(Instant::now());
    let gpu = gpu.unwrap();
    let mut spared = Vec::new();
    for (baseline, current) in [(2, 3), (4, 3), (2, 5)] {
        let (baseline, current) = (striped(baseline), striped(current));
        let options = CompareOptions::default();
        let found = comparator.compare(&baseline, &current, &options).unwrap();
        assert_eq!(found.backend, Backend::Gpu);
        spared.push(gpu.spared_rows());
        gpu.crowd();
    }
    // The first stays; for the second there is no room.
    assert_eq!(spared, [0, 0, 60]);
    assert!(!gpu.is_lost());
}

#[test]
fn an_interface_that_panics_is_a_lost_device() {
    let comparator = Comparator::new(BackendChoice::Gpu)
        .expect("no adapter to test on: apt-get install mesa-vulkan-drivers libvulkan1");
    let gpu = comparator.keeper().unwrap().current(Instant::now());
    assert!(gpu.unwrap().panic().is_err());
    let report = comparator.report();
    assert_eq!(report.backend, Backend::Cpu);
    assert!(report.reason.contains("panicked"), "{report:?}");
    let (one, other) = (striped(2), striped(3));
    let found = comparator.compare(&one, &other, &CompareOptions::default());
    assert_eq!(found.unwrap().backend, Backend::Cpu);
}

#[test]
fn a_card_that_fails_at_one_pair_compares_the_next_and_is_told() {
    let comparator = Comparator::new(BackendChoice::Gpu)
        .expect("no adapter to test on: apt-get install mesa-vulkan-drivers libvulkan1");
    let (one, other) = (striped(2), striped(3));
    let compare = || {
        let options = CompareOptions::default();
        comparator.compare(&one, &other, &options).unwrap()
    };
    let before = compare();
    assert_eq!((before.backend, comparator.failure()), (Backend::Gpu, None));
    let gpu = comparator.keeper().unwrap().current(Instant::now());
    gpu.unwrap().refuse_next();
    let instead = compare();
    assert_eq!(instead.backend, Backend::Cpu);
    assert_eq!(instead.mask, before.mask);
    assert!(comparator.failure().is_some_and(|why| !why.is_empty()));
    assert_eq!(compare().backend, Backend::Gpu, "it is not lost");
    assert_eq!(comparator.report().backend, Backend::Gpu);
    assert!(comparator.failure().is_some(), "it is told all the same");
}

#[test]
fn a_card_that_fails_again_and_again_is_left_alone_for_a_while() {
    let comparator = Comparator::new(BackendChoice::Gpu)
        .expect("no adapter to test on: apt-get install mesa-vulkan-drivers libvulkan1");
    let gpu = comparator.keeper().unwrap().current(Instant::now());
    let gpu = gpu.unwrap();
    let (one, other) = (striped(2), striped(3));
    let options = CompareOptions::default();
    let compare = || comparator.compare(&one, &other, &options).unwrap().backend;
    let fail = || {
        gpu.refuse_next();
        assert_eq!(compare(), Backend::Cpu);
    };
    (1..5).for_each(|_| fail());
    assert_eq!(compare(), Backend::Gpu);
    (1..5).for_each(|_| fail());
    assert!(!gpu.is_lost(), "one went well in between");
    fail();
    assert!(gpu.is_lost());
    let report = comparator.report();
    assert_eq!(report.backend, Backend::Cpu);
    for part in ["5 comparisons in a row failed", "it is tried again in"] {
        assert!(report.reason.contains(part), "{report:?}");
    }
}

#[test]
fn a_machine_without_a_thread_for_the_card_compares_on_the_cpu() {
    let comparator = Comparator::new(BackendChoice::Gpu)
        .expect("no adapter to test on: apt-get install mesa-vulkan-drivers libvulkan1");
    let gpu = comparator.keeper().unwrap().current(Instant::now());
    gpu.unwrap().panic_next();
    let (one, other) = (striped(2), striped(3));
    let options = CompareOptions::default();
    let compare = || comparator.compare(&one, &other, &options).unwrap().backend;
    assert_eq!((compare(), compare()), (Backend::Cpu, Backend::Gpu));
    assert!(
        comparator
            .failure()
            .is_some_and(|why| why.contains("panicked"))
    );
}

#[test]
fn callers_who_wait_for_the_card_share_a_submission() {
    const CALLERS: u32 = 24;
    let comparator = Comparator::new(BackendChoice::Gpu)
        .expect("no adapter to test on: apt-get install mesa-vulkan-drivers libvulkan1");
    let pairs: Vec<OwnedPair> = (0..CALLERS)
        .map(|caller| OwnedPair {
            baseline: Arc::new(striped(2).into()),
            current: Arc::new(striped(3 + caller).into()),
            form: Form::Png,
            options: CompareOptions::default(),
        })
        .collect();
    let gpu = comparator.keeper().unwrap().current(Instant::now());
    let gpu = gpu.unwrap();
    let before = gpu.submissions();
    let held = gpu.hold();
    let found: Vec<_> = thread::scope(|scope| {
        let callers: Vec<_> = (pairs.iter())
            .map(|pair| scope.spawn(|| comparator.compare_together(pair).unwrap()))
            .collect();
        // Two compare, each its own pair; the others wait for them.
        let begun = Instant::now();
        while comparator.gathering.waiting() < CALLERS as usize - 2 {
            assert!(begun.elapsed() < Duration::from_secs(20), "nobody waits");
            thread::sleep(Duration::from_millis(10));
        }
        drop(held);
        let results = callers.into_iter().map(|caller| caller.join().unwrap());
        results.collect()
    });
    // One for each of the two, and one for all who waited.
    assert_eq!(gpu.submissions() - before, 3);
    for (found, pair) in found.iter().zip(&pairs) {
        assert_eq!(found.backend, Backend::Gpu);
        let (baseline, current) = pair.pictures();
        let alone = comparator.compare(baseline, current, &pair.options);
        assert!(*found == alone.unwrap());
    }
}

/// More than is planned before the first of it is sent, on two pages that differ here and there.
fn tall(ink: u8) -> Vec<u8> {
    let size = Size {
        width: 1280,
        height: 9000,
    };
    let dotted = |y: u32, row: &mut [u8]| {
        row.fill(255);
        row[0] = if y.is_multiple_of(16) { ink } else { 255 };
    };
    encode_rgb(size, dotted).unwrap()
}

#[test]
fn a_lost_device_is_replaced_by_the_cpu() {
    for (baseline, current) in [(striped(2), striped(3)), (tall(0), tall(255))] {
        check_loss(&baseline, &current);
    }
}

fn check_loss(baseline: &[u8], current: &[u8]) {
    let comparator = Comparator::new(BackendChoice::Gpu)
        .expect("no adapter to test on: apt-get install mesa-vulkan-drivers libvulkan1");
    let compare = || {
        comparator
            .compare(baseline, current, &CompareOptions::default())
            .unwrap()
    };
    let before = compare();
    let keeper = comparator.keeper().unwrap();
    keeper.current(Instant::now()).unwrap().lose();
    let after = compare();
    assert_eq!(
        (before.backend, after.backend),
        (Backend::Gpu, Backend::Cpu)
    );
    assert_eq!(
        (before.changed_pixels, before.mask),
        (after.changed_pixels, after.mask)
    );
    let report = comparator.report();
    assert_eq!(report.backend, Backend::Cpu);
    assert!(report.reason.contains("tried again in"), "{report:?}");
    assert!(comparator.failure().is_some());
    let soon = Instant::now() + Duration::from_mins(2);
    assert!(keeper.current(soon).is_some(), "it is opened again");
    assert_eq!(compare().backend, Backend::Gpu);
    assert_eq!(comparator.report().backend, Backend::Gpu);
}

#[test]
fn a_driver_that_hangs_while_buffers_are_made_holds_nobody() {
    check_hang(Stay::Preparing);
}

#[test]
fn a_driver_that_hangs_while_a_batch_is_sent_holds_nobody() {
    check_hang(Stay::Sending);
}

#[test]
fn a_driver_that_hangs_while_results_are_waited_for_holds_nobody() {
    check_hang(Stay::Landing);
}

fn check_hang(stay: Stay) {
    const PATIENCE: Duration = Duration::from_secs(4);
    const LONG: Duration = Duration::from_mins(1);
    let gpu = Gpu::open_any()
        .expect("no adapter to test on: apt-get install mesa-vulkan-drivers libvulkan1")
        .with_patience(PATIENCE);
    let reason = String::new();
    let start = Instant::now();
    let keeper = Keeper::of(Card { gpu, reason }, card::any_again, 0, start);
    let comparator = Arc::new(Comparator::on_gpu(keeper));
    // On threads that no test waits for, so that one that is held fails it.
    let compare = || -> Receiver<Comparison> {
        let (found, finds) = channel();
        let comparator = Arc::clone(&comparator);
        thread::spawn(move || {
            let options = CompareOptions::default();
            let compared = comparator.compare(&striped(2), &striped(3), &options);
            let _ = found.send(compared.unwrap());
        });
        finds
    };
    let before = compare().recv_timeout(LONG).unwrap();
    assert_eq!(before.backend, Backend::Gpu);
    let keeper = comparator.keeper().unwrap();
    let held = keeper.current(start).unwrap().hang_next(stay);
    let begun = Instant::now();
    let (hanging, waiting) = (compare(), compare());
    for found in [hanging, waiting] {
        let instead = found.recv_timeout(LONG).unwrap();
        assert_eq!(instead.backend, Backend::Cpu);
        assert_eq!(instead.mask, before.mask);
        assert_eq!(instead.changed_pixels, before.changed_pixels);
        assert!((instead.score - before.score).abs() < 1e-4);
    }
    assert!(begun.elapsed() >= PATIENCE, "it did hang");
    let begun = Instant::now();
    let next = compare().recv_timeout(LONG).unwrap();
    assert_eq!(next.backend, Backend::Cpu);
    assert!(begun.elapsed() < PATIENCE, "nobody asks it any more");
    let report = comparator.report();
    assert_eq!(report.backend, Backend::Cpu);
    for part in ["did not answer within 4 s", "it is tried again in"] {
        assert!(report.reason.contains(part), "{report:?}");
    }
    assert!(comparator.failure().is_some());
    let minutes = |minutes| start + Duration::from_mins(minutes);
    assert!(keeper.current(minutes(3)).is_none(), "it still hangs");
    drop(held);
    assert!(keeper.current(minutes(9)).is_some(), "it is opened again");
    let after = compare().recv_timeout(LONG).unwrap();
    assert_eq!((after.backend, after.mask), (Backend::Gpu, before.mask));
}
