//! Every stage on the adapter against its twin on the processor.

use std::thread;

use crate::error::Error;
use crate::geometry::{Rect, Size};
use crate::gpu::Gpu;
use crate::gpu_check::case::{Case, Checked};
use crate::gpu_check::extent::Extent;
use crate::gpu_check::parity_row::ParityRow;
use crate::synthetic::Change;

/// Sizes that end in the middle of words, tiles and windows.
const ODD_SIZES: [(u32, u32); 5] = [(1, 1), (7, 5), (31, 33), (257, 130), (1023, 77)];

/// The size of a small page.
const SMALL_PAGE: Size = Size {
    width: 411,
    height: 290,
};

/// Callers at once, and how often each compares its pair.
const CALLERS: [Change; 4] = [
    Change::Smoothing,
    Change::Heavy,
    Change::Translucent,
    Change::TextEdit,
];
const ROUNDS: usize = 3;

/// Small pairs of every kind together, in a few milliseconds: whether an adapter is to be trusted.
pub(crate) fn check_briefly(gpu: &Gpu) -> Result<Vec<ParityRow>, Error> {
    Checked::load(&mixed_cases()?)?.check(gpu)
}

/// Checks every kind of change, rows that moved, unequal and odd sizes, ignored areas, pairs of many kinds in one
/// submission, and several callers at once.
pub(crate) fn check(
    gpu: &Gpu,
    extent: Extent,
    progress: &impl Fn(&str),
) -> Result<Vec<ParityRow>, Error> {
    let page = page_size(extent);
    let mut rows = Vec::new();
    for change in Change::ALL {
        progress(&format!("parity: {}", change.as_str()));
        rows.push(Case::changed(change.as_str(), page, change, &[])?.check(gpu)?);
    }
    progress("parity: ignored areas, rows that moved, unequal sizes");
    for case in odd_cases(page)? {
        rows.push(case.check(gpu)?);
    }
    progress("parity: many kinds in one submission");
    rows.extend(check_briefly(gpu)?);
    progress("parity: several callers at once");
    rows.extend(check_callers(gpu, page)?);
    if extent == Extent::Full {
        progress("parity: 1280×16000");
        let long = Size {
            width: 1280,
            height: 16_000,
        };
        for change in [Change::Smoothing, Change::Heavy] {
            rows.push(Case::changed("long page", long, change, &[])?.check(gpu)?);
        }
    }
    Ok(rows)
}

/// Ignored areas, rows that moved, unequal sizes, and sizes that end in the middle of everything.
fn odd_cases(page: Size) -> Result<Vec<Case>, Error> {
    let area = middle_of(page);
    let lower = Rect {
        y: page.height / 2,
        ..area
    };
    let mut cases = vec![
        Case::changed("ignored area", page, Change::Heavy, &[area])?,
        Case::banded(page, &[])?,
        Case::banded(page, &[lower])?,
    ];
    for (wider, taller) in [(-37, 0), (-37, 90), (53, -90), (0, -90)] {
        let other = Size {
            width: page.width.saturating_add_signed(wider),
            height: page.height.saturating_add_signed(taller),
        };
        cases.push(Case::beside(page, other)?);
    }
    for (width, height) in ODD_SIZES {
        let size = Size { width, height };
        for change in [Change::Noise, Change::Smoothing, Change::Translucent] {
            cases.push(Case::changed(change.as_str(), size, change, &[])?);
        }
    }
    Ok(cases)
}

/// Small pairs of every kind, which share a submission.
fn mixed_cases() -> Result<Vec<Case>, Error> {
    let page = SMALL_PAGE;
    let taller = Size {
        width: 390,
        height: 301,
    };
    let mut cases = vec![
        Case::banded(page, &[])?,
        Case::changed("ignored area", page, Change::Noise, &[middle_of(page)])?,
        Case::beside(page, taller)?,
        Case::banded(taller, &[middle_of(taller)])?,
    ];
    let sizes = ODD_SIZES.into_iter().chain([(9, 300), (640, 8), (33, 700)]);
    for ((width, height), change) in sizes.zip(Change::ALL.into_iter().cycle()) {
        let size = Size { width, height };
        cases.push(Case::changed(change.as_str(), size, change, &[])?);
    }
    for case in &mut cases {
        case.name = format!("in a mixed batch: {}", case.name);
    }
    Ok(cases)
}

/// Several callers at once, each with a pair of its own, which it compares several times. A row shows its first
/// comparison that went wrong, or its last.
fn check_callers(gpu: &Gpu, size: Size) -> Result<Vec<ParityRow>, Error> {
    let cases = CALLERS.map(|change| {
        let name = format!("{} callers at once: {}", CALLERS.len(), change.as_str());
        Case::changed(name, size, change, &[])
    });
    let cases = cases.into_iter().collect::<Result<Vec<_>, Error>>()?;
    let pairs = (cases.iter().map(|case| Checked::load([case]))).collect::<Result<Vec<_>, _>>()?;
    let call = |pair: &Checked<'_>| -> Result<Vec<ParityRow>, Error> {
        let mut rows = pair.check(gpu)?;
        for _ in 1..ROUNDS {
            if rows.iter().all(|row| row.flaw().is_none()) {
                rows = pair.check(gpu)?;
            }
        }
        Ok(rows)
    };
    let rows = thread::scope(|scope| {
        let callers: Vec<_> = (pairs.iter())
            .map(|pair| scope.spawn(|| call(pair)))
            .collect();
        (callers.into_iter())
            .map(|caller| caller.join().expect("comparing does not panic"))
            .collect::<Result<Vec<_>, Error>>()
    })?;
    Ok(rows.into_iter().flatten().collect())
}

/// An area in the middle of a page.
fn middle_of(page: Size) -> Rect {
    Rect {
        x: page.width / 3,
        y: page.height / 4,
        width: page.width / 3,
        height: page.height / 2,
    }
}

/// Checks pairs whose baseline lies on the card already: the first sends it, the others find it there. The adapter must keep
/// baselines.
pub(crate) fn check_residents(
    gpu: &Gpu,
    extent: Extent,
    progress: &impl Fn(&str),
) -> Result<Vec<ParityRow>, Error> {
    progress("parity: baselines that stay on the card");
    let size = page_size(extent);
    let changes = [Change::Heavy, Change::Smoothing, Change::TextEdit];
    (changes.into_iter())
        .map(|change| check_resident(gpu, size, change))
        .collect()
}

/// The same with one small pair, in a few milliseconds.
pub(crate) fn check_resident_briefly(gpu: &Gpu) -> Result<ParityRow, Error> {
    check_resident(gpu, SMALL_PAGE, Change::Heavy)
}

/// Compares a pair twice: what is judged is the second time, in which all of the baseline lies on the card.
fn check_resident(gpu: &Gpu, size: Size, change: Change) -> Result<ParityRow, Error> {
    let before = gpu.spared_rows();
    let mut row = Case::changed("resident baseline", size, change, &[])?.check(gpu)?;
    let found = gpu.spared_rows() - before;
    row.name = format!(
        "resident baseline, {} ({found} rows found)",
        change.as_str()
    );
    row.resident_rows = Some(found);
    Ok(row)
}

fn page_size(extent: Extent) -> Size {
    match extent {
        Extent::Full => Size {
            width: 1280,
            height: 4000,
        },
        Extent::Quick => Size {
            width: 640,
            height: 700,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu_check::parity_row::Flaw;

    #[test]
    fn what_is_checked_is_what_it_is_called() {
        let gpu = Gpu::open_any()
            .expect("no adapter to test on")
            .keep_baselines(64 << 20);
        let size = page_size(Extent::Quick);
        let banded = Case::banded(size, &[]).unwrap().check(&gpu).unwrap();
        assert!(banded.is_equal(), "{banded:?}");
        // Rows of both pages have a place of their own.
        assert!(banded.size.height > size.height + size.height / 16);
        let residents = check_residents(&gpu, Extent::Quick, &|_| {}).unwrap();
        let mut flaws = residents.iter().filter_map(ParityRow::flaw);
        assert!(flaws.next().is_none(), "{residents:?}");
        // What nobody keeps is not called right.
        let forgetful = gpu.keep_baselines(0);
        let row = check_resident_briefly(&forgetful).unwrap();
        assert!(row.is_equal());
        assert_eq!(row.flaw(), Some(Flaw::NotResident));
    }

    #[test]
    fn pairs_of_many_kinds_share_a_submission_and_callers_the_card() {
        let gpu = Gpu::open_any().expect("no adapter to test on");
        let cases = mixed_cases().unwrap();
        let mixed = Checked::load(&cases).unwrap();
        let before = gpu.submissions();
        let mut rows = mixed.check(&gpu).unwrap();
        // One without what the host decides, and one with it.
        assert_eq!(gpu.submissions() - before, 2);
        rows.extend(check_callers(&gpu, page_size(Extent::Quick)).unwrap());
        assert!(rows.iter().all(|row| row.flaw().is_none()), "{rows:?}");
        assert!(rows.iter().any(|row| row.left_to_host > 0), "{rows:?}");
        assert_eq!(rows.len(), cases.len() + CALLERS.len());
    }
}
