//! Which results show the same change, so that one decision can settle them all.
//!
//! A finding's fingerprint is what stays the same of it on another page and at another width. What only pixels show has how
//! densely they changed, cell by cell. Results whose fingerprints are all the same are one group: a page on which something
//! else changed too, or broke, is not settled by the same decision.

mod fingerprint;

use std::collections::BTreeSet;

use fingerprint::fingerprint;
use pentimento_compute::{BitMask, Rect, Region, RegionKind};
use pentimento_document::{DocumentDiff, Fault, Finding};
use sha2::{Digest, Sha256};

/// Bytes of the hash that a label shows: two groups of a job share one by chance in one of 10^9 jobs with 100 groups.
const LABEL_BYTES: usize = 6;

/// Cells along each side of a region in which changed pixels are counted.
const GRID: u32 = 16;

/// The label of the group of a page with these changes of its document, and with these regions that no such change
/// explains; nothing when it has neither.
pub(super) fn change_group(
    document: Option<&DocumentDiff>,
    unexplained: &[&Region],
    mask: Option<&BitMask>,
) -> Option<String> {
    let causes: Vec<&Finding> = (document.iter())
        .flat_map(|document| &document.findings)
        .filter(|finding| !finding.is_consequence())
        .collect();
    let kind = match causes.first() {
        Some(first) => serde_json::to_value(first.kind).ok()?.as_str()?.to_owned(),
        None if !unexplained.is_empty() => "pixels".to_owned(),
        None => return None,
    };
    let mut fingerprints: BTreeSet<String> = causes.into_iter().map(fingerprint).collect();
    let damages = document.iter().flat_map(|document| &document.damages);
    fingerprints.extend(damages.map(|damage| fault(&damage.fault).to_owned()));
    if let Some(mask) = mask {
        fingerprints.extend(unexplained.iter().map(|region| seen(region, mask)));
    }
    let mut hash = Sha256::new();
    for fingerprint in &fingerprints {
        hash.update(fingerprint.len().to_be_bytes());
        hash.update(fingerprint);
    }
    let digits = hex::encode(&hash.finalize()[..LABEL_BYTES]);
    Some(format!("{kind}-{digits}"))
}

/// What breaks, without how much.
fn fault(fault: &Fault) -> &'static str {
    match fault {
        Fault::Blank => "blank",
        Fault::SticksOut { .. } => "sticks-out",
        Fault::Overlaps { .. } => "overlaps",
        Fault::CutOff { .. } => "cut-off",
        Fault::CutText { .. } => "cut-text",
        Fault::Error { .. } => "error",
    }
}

/// What is seen of a region wherever it lies: its size and kind, how its pixels changed, and how many did in each cell.
fn seen(region: &Region, mask: &BitMask) -> String {
    if let Some(rows) = &region.loose_rows {
        // How many and how far apart is a matter of the page that they are on.
        let what = [rows.inserted > 0, rows.removed > 0, rows.is_rounding];
        return format!("loose\u{1f}{what:?}");
    }
    let kind = match region.kind {
        RegionKind::Shifted { .. } => "shifted".to_owned(),
        other => format!("{other:?}"),
    };
    let Rect { width, height, .. } = region.area;
    let cells = mask.density(region.area, GRID, GRID);
    format!(
        "{kind}\u{1f}{width}x{height}\u{1f}{:.4}\u{1f}{:.4}\u{1f}{cells:?}",
        region.mean_delta, region.max_delta
    )
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use image::{ImageFormat, Rgb, RgbImage};
    use pentimento_api::result::ChangeType;
    use pentimento_compute::{BackendChoice, Comparator, CompareOptions, LooseRows, Size};
    use pentimento_document::{Area, Damage};

    use super::super::pixels::tests::region;
    use super::*;

    fn edit(element: &str, after: &str, y: i64) -> Finding {
        Finding {
            before: Some("Plans".to_owned()),
            after: Some(after.to_owned()),
            area: Some(Area {
                x: 0,
                y,
                w: 100,
                h: 20,
            }),
            ..Finding::new(ChangeType::TextEdit, element.to_owned())
        }
    }

    fn group(findings: Vec<Finding>) -> Option<String> {
        let document = DocumentDiff {
            findings,
            ..DocumentDiff::default()
        };
        change_group(Some(&document), &[], None)
    }

    #[test]
    fn the_same_edit_elsewhere_is_one_group() {
        let one = group(vec![edit("nav > a:nth-of-type(2)", "Pricing", 40)]);
        assert!(one.as_ref().unwrap().starts_with("text-edit-"), "{one:?}");
        assert_eq!(
            one,
            group(vec![edit("nav > a:nth-of-type(3)", "Pricing ", 900)])
        );
        let mut moved = Finding::new(ChangeType::ReflowDisplacement, "main".to_owned());
        moved.cause = Some(0);
        let with_consequence = vec![edit("nav > a:nth-of-type(2)", "Pricing", 40), moved];
        assert_eq!(one, group(with_consequence));
    }

    #[test]
    fn different_edits_are_never_one_group() {
        let edits = [
            vec![edit("nav > a", "Pricing", 40)],
            vec![edit("nav > a", "Prices", 40)],
            vec![edit("footer > a", "Pricing", 40)],
            vec![edit("nav > a", "Pricing", 40), edit("h1", "Pricing", 90)],
        ];
        let groups: BTreeSet<_> = edits.into_iter().map(group).collect();
        assert_eq!(groups.len(), 4);
        assert_eq!(group(Vec::new()), None);
    }

    #[test]
    fn rows_all_down_a_page_are_one_group_however_many_and_far_apart() {
        let loose = |height, inserted, removed| {
            let area = Rect {
                x: 0,
                y: 40,
                width: 320,
                height,
            };
            Region {
                area,
                loose_rows: Some(LooseRows {
                    inserted,
                    removed,
                    is_rounding: true,
                    places: Vec::new(),
                }),
                ..region(400, 1.0)
            }
        };
        let mask = BitMask::new(Size {
            width: 320,
            height: 9000,
        });
        let group = |region: Region| change_group(None, &[&region], Some(&mask)).unwrap();
        assert_eq!(group(loose(800, 9, 8)), group(loose(7000, 90, 91)));
        assert_ne!(group(loose(800, 9, 8)), group(loose(800, 17, 0)));
        assert_ne!(group(loose(800, 9, 8)), group(region(400, 1.0)));
    }

    #[test]
    fn the_same_edit_on_a_hundred_pages_and_three_devices_is_one_group() {
        let groups: BTreeSet<_> = (0..300_i64)
            .map(|page| {
                let element = format!("header > nav > a:nth-of-type({})", 1 + page % 4);
                let mut moved =
                    Finding::new(ChangeType::ReflowDisplacement, format!("#page-{page}"));
                (moved.cause, moved.collapsed) = (Some(0), 7);
                group(vec![edit(&element, "Pricing", 40 + page), moved])
            })
            .collect();
        assert_eq!(groups.len(), 1);
    }

    #[test]
    fn what_broke_is_another_group() {
        let sound = DocumentDiff {
            findings: vec![edit("h1", "Pricing", 40)],
            ..DocumentDiff::default()
        };
        let mut broken = sound.clone();
        broken.damages.push(Damage {
            fault: Fault::SticksOut {
                element: "h1".to_owned(),
                by: 90,
            },
            cause: Some(0),
        });
        let group = |document| change_group(Some(document), &[], None);
        assert_ne!(group(&sound), group(&broken));
    }

    #[test]
    fn pixels_are_known_by_where_they_changed_within_their_region() {
        let comparator = Comparator::new(BackendChoice::Cpu).unwrap();
        let png = |dots: &[(u32, u32)]| {
            let mut picture = RgbImage::from_pixel(400, 900, Rgb([240, 240, 240]));
            for (left, top) in dots {
                for (x, y) in (0..6).flat_map(|x| (0..6).map(move |y| (x, y))) {
                    picture.put_pixel(left + x, top + y, Rgb([20, 20, 20]));
                }
            }
            let mut png = Cursor::new(Vec::new());
            picture.write_to(&mut png, ImageFormat::Png).unwrap();
            png.into_inner()
        };
        let options = CompareOptions::default();
        let group = |dots: &[(u32, u32)]| {
            let found = comparator.compare(&png(&[]), &png(dots), &options).unwrap();
            let regions: Vec<&Region> = found.regions.iter().collect();
            assert!(!regions.is_empty());
            change_group(None, &regions, Some(&found.mask)).unwrap()
        };
        let here = group(&[(10, 20), (40, 20)]);
        assert!(here.starts_with("pixels-"), "{here}");
        assert_eq!(here, group(&[(217, 803), (247, 803)]));
        assert_ne!(here, group(&[(10, 20), (38, 20)]));
        assert_eq!(change_group(None, &[], None), None);
    }
}
