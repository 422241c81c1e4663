//! Many pairs at once, on both paths.

use std::sync::Arc;

use pentimento_compute::{Backend, CompareOptions, Form, OwnedPair, Picture, to_strips};
use rayon::prelude::*;

use super::{check_pages, discs};
use crate::both::{CPU, GPU};
use crate::pages::{BLACK, Page, rect};

/// A folder of pairs is compared by a thread pool, whose waiting threads take up other pairs.
#[test]
fn many_at_once() {
    (0..40_u32).into_par_iter().for_each(|index| {
        let page = Page::noise(100 + index, 64, 1);
        let edited = page.clone().fill(rect(index, 3, 30, 20), BLACK);
        check_pages(&format!("pair {index}"), &page, &edited, &[]);
    });
}

/// Many pairs at once give what each gives alone, in their order, errors included.
#[test]
fn batches_equal_singles() {
    let mut files: Vec<(Vec<u8>, Vec<u8>)> = (0..30_u32)
        .map(|index| {
            let (width, height) = (40 + 13 * index, 30 + 7 * index);
            let page = discs(width, height, 0.0);
            let edited = match index % 4 {
                0 => page.clone().fill(rect(index, 3, 30, 20), BLACK),
                1 => discs(width, height, 0.3),
                2 => page.clone().fill(rect(5, 5, 25, 9), [9, 120, 90, 128]),
                _ => discs(width + 9, height - 4, 0.0),
            };
            (page.png(), edited.png())
        })
        .collect();
    files.push((files[0].0.clone(), files[0].0.clone()));
    files.push((files[0].0.clone(), b"no picture".to_vec()));
    files.push((Page::noise(90, 90, 1).png(), Page::noise(90, 90, 2).png()));
    let pairs: Vec<(Picture<'_>, Picture<'_>)> = files
        .iter()
        .map(|(baseline, current)| (baseline.into(), current.into()))
        .collect();
    let options = CompareOptions {
        ignore: vec![rect(10, 10, 9, 50)],
        ..CompareOptions::default()
    };
    for comparator in [&CPU, &GPU] {
        let together = comparator.compare_many(&pairs, &options);
        assert_eq!(together.len(), pairs.len());
        for (index, (together, &(baseline, current))) in together.iter().zip(&pairs).enumerate() {
            let alone = comparator.compare(baseline, current, &options);
            match (together, &alone) {
                (Ok(together), Ok(alone)) => assert!(together == alone, "pair {index}"),
                (Err(_), Err(_)) => assert_eq!(index, 31),
                _ => panic!("pair {index}: {together:?}"),
            }
        }
    }
    assert!(GPU.compare_many(&[], &options).is_empty());
}

/// Callers with a pair each, of both forms and with settings of their own, get what each gets alone.
#[test]
fn callers_at_once_share_the_card() {
    let pairs: Vec<OwnedPair> = (0..24_u32)
        .map(|index| {
            let page = discs(60 + 9 * index, 40 + 11 * index, 0.0);
            let edited = match index % 3 {
                0 => page.clone().fill(rect(index, 3, 30, 20), BLACK),
                1 => discs(60 + 9 * index, 40 + 11 * index, 0.3),
                _ => Page::noise(60, 50, u64::from(index)),
            };
            let files = [page.png(), edited.png()];
            let is_stored = index % 2 == 0;
            let [baseline, mut current] = if is_stored {
                files.map(|png| to_strips(&png).unwrap())
            } else {
                files
            };
            if index == 7 {
                current = b"no picture".to_vec();
            }
            OwnedPair {
                baseline: Arc::new(baseline.into()),
                current: Arc::new(current.into()),
                form: if is_stored { Form::Strips } else { Form::Png },
                options: CompareOptions {
                    threshold: f64::from(index) / 100.0,
                    ..CompareOptions::default()
                },
            }
        })
        .collect();
    for comparator in [&CPU, &GPU] {
        let together: Vec<_> = std::thread::scope(|scope| {
            let callers: Vec<_> = (pairs.iter())
                .map(|pair| scope.spawn(|| comparator.compare_together(pair)))
                .collect();
            callers
                .into_iter()
                .map(|caller| caller.join().unwrap())
                .collect()
        });
        for (index, (together, pair)) in together.iter().zip(&pairs).enumerate() {
            let [baseline, current] =
                [&pair.baseline, &pair.current].map(|file| pair.form.of(&**file));
            let alone = comparator.compare(baseline, current, &pair.options);
            match (together, &alone) {
                (Ok(together), Ok(alone)) => assert!(together == alone, "pair {index}"),
                (Err(_), Err(_)) => assert_eq!(index, 7),
                _ => panic!("pair {index}: {together:?}"),
            }
        }
    }
}

#[test]
fn a_forced_backend_is_the_one_reported() {
    assert_eq!(CPU.report().backend, Backend::Cpu);
    let report = GPU.report();
    assert_eq!(report.backend, Backend::Gpu);
    assert!(report.adapter.is_some_and(|name| !name.is_empty()));
}
