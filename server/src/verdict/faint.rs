//! Elements that are painted in another colour, too pale for the threshold of pixels to show it.

use pentimento_api::result::ChangeType;
use pentimento_compute::{Comparison, MAX_SIDE, Rect};
use pentimento_document::{Area, DocumentDiff, Finding};

/// How far apart colours must look to be told of where no pixel is beyond the threshold, in CIE L*a*b* of 1976: twice what
/// can just be noticed (2.3). The threshold of pixels lets pale tints pass: white and `#ffe8cc` are 18 apart.
const MIN_TINT: f64 = 5.0;

/// Square pixels that such an element must have.
const MIN_TINTED_AREA: i64 = 100;

/// Share of such an element's tiles that must differ by less than the threshold.
const MIN_FAINT_SHARE: f64 = 0.25;

/// Whether pictures show that something is painted in another colour by less than the threshold of pixels.
pub fn is_faint(pixels: &Comparison, document: &DocumentDiff) -> bool {
    let mut findings = document.findings.iter();
    findings.any(|change| is_tinted(pixels, change))
}

/// Whether an element looks otherwise, by the colours that it is painted with, and the picture differs there by less than
/// the threshold.
pub(super) fn is_tinted(pixels: &Comparison, change: &Finding) -> bool {
    change.kind == ChangeType::StyleOnly
        && change.tint.is_some_and(|tint| tint >= MIN_TINT)
        && change.area.is_some_and(|area| {
            area.w.saturating_mul(area.h) >= MIN_TINTED_AREA
                && pixels.faint_share(in_picture(area)) >= MIN_FAINT_SHARE
        })
}

/// The part of an area of the page that a picture may show.
fn in_picture(area: Area) -> Rect {
    let within = |start: i64, length: i64| {
        let end = start.saturating_add(length).clamp(0, MAX_SIDE.into());
        let start = start.clamp(0, end);
        let pixels = |value: i64| u32::try_from(value).expect("it was clamped");
        (pixels(start), pixels(end - start))
    };
    let ((x, width), (y, height)) = (within(area.x, area.w), within(area.y, area.h));
    Rect {
        x,
        y,
        width,
        height,
    }
}

/// Why such a change is told of.
pub(super) fn faint_reason(change: &Finding) -> String {
    let tint = change.tint.unwrap_or_default();
    format!(
        "Most of it differs by less than the threshold, but its colours look {tint:.1} apart (CIE 1976; from {MIN_TINT:.0} on it is told)."
    )
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use image::{ImageFormat, Rgb, RgbImage};
    use pentimento_api::result::Decision;
    use pentimento_compute::{BackendChoice, Comparator, CompareOptions};

    use super::*;
    use crate::verdict::judge;

    const WHITE: [u8; 3] = [255; 3];
    const PALE: [u8; 3] = [255, 232, 204];
    const CARD: Area = Area {
        x: 40,
        y: 60,
        w: 120,
        h: 90,
    };

    /// A page with a card of this colour and, far below it, a mark of that one.
    fn page(card: [u8; 3], mark: [u8; 3]) -> Vec<u8> {
        let pixels = RgbImage::from_fn(400, 400, |x, y| {
            let (x, y) = (i64::from(x), i64::from(y));
            let is_card =
                (CARD.x..CARD.x + CARD.w).contains(&x) && (CARD.y..CARD.y + CARD.h).contains(&y);
            let is_mark = (300..320).contains(&x) && (300..320).contains(&y);
            Rgb(match (is_card, is_mark) {
                (true, _) => card,
                (_, true) => mark,
                _ => WHITE,
            })
        });
        let mut png = Cursor::new(Vec::new());
        pixels.write_to(&mut png, ImageFormat::Png).unwrap();
        png.into_inner()
    }

    fn compared(after: &[u8]) -> Comparison {
        let comparator = Comparator::new(BackendChoice::Cpu).unwrap();
        let before = page(WHITE, WHITE);
        comparator
            .compare(&before, after, &CompareOptions::default())
            .unwrap()
    }

    fn painted(tint: f64, area: Area) -> DocumentDiff {
        DocumentDiff {
            findings: vec![Finding {
                tag: "div".to_owned(),
                tint: Some(tint),
                area: Some(area),
                ..Finding::new(ChangeType::StyleOnly, "#card".to_owned())
            }],
            ..DocumentDiff::default()
        }
    }

    #[test]
    fn a_pale_tint_below_the_threshold_is_a_change() {
        let faint = compared(&page(PALE, WHITE));
        assert_eq!(faint.changed_pixels, 0);
        let document = painted(18.2, CARD);
        let judged = judge(Some(&faint), Some(&document), None).unwrap();
        assert_eq!(judged.verdict.decision, Decision::NeedsReview);
        let reason = &judged.summary[0].verdict.as_ref().unwrap().reasoning;
        assert!(reason.contains("its colours look 18.2 apart"), "{reason}");
        let (small, elsewhere) = (Area { w: 9, h: 9, ..CARD }, Area { y: 290, ..CARD });
        for document in [
            painted(4.9, CARD),
            painted(18.2, small),
            painted(18.2, elsewhere),
        ] {
            assert!(judge(Some(&faint), Some(&document), None).is_none());
        }
        // The files are the same to the byte: nothing shows it.
        assert!(judge(None, Some(&document), None).is_none());
    }

    #[test]
    fn a_pale_tint_is_told_beside_other_changes() {
        let tinted = |page: &[u8]| {
            let pixels = compared(page);
            assert_eq!(pixels.changed_pixels, 400);
            let judged = judge(Some(&pixels), Some(&painted(18.2, CARD)), None).unwrap();
            let mut told = judged.summary.into_iter();
            let card = told.find(|finding| finding.text.contains("card")).unwrap();
            card.verdict.unwrap().decision
        };
        let black = [0; 3];
        assert_eq!(tinted(&page(PALE, black)), Decision::NeedsReview);
        // Where only the mark changed, nobody sees the card's style.
        assert_eq!(tinted(&page(WHITE, black)), Decision::Noise);
    }
}
