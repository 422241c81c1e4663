//! Elements that are painted in another colour, too pale for the threshold of pixels to show it.

use pentimento_api::result::ChangeType;
use pentimento_compute::Comparison;
use pentimento_document::{Area, DocumentDiff, Finding};

/// How far apart colours must look to be told of where no pixel is beyond the threshold, in CIE L*a*b* of 1976: twice what
/// can just be noticed (2.3). The threshold of pixels lets pale tints pass: white and `#ffe8cc` are 18 apart.
const MIN_TINT: f64 = 5.0;

/// Square pixels that such an element must have.
const MIN_TINTED_AREA: i64 = 100;

/// Whether pictures show nothing but that something is painted in another colour: their files differ, and no pixel does by
/// enough.
pub fn is_faint(pixels: &Comparison, document: &DocumentDiff) -> bool {
    pixels.changed_pixels + pixels.anti_aliased_pixels == 0
        && document.findings.iter().any(is_tinted)
}

/// Whether an element looks otherwise, by the colours that it is painted with.
pub(super) fn is_tinted(change: &Finding) -> bool {
    let is_large = |area: Area| area.w.saturating_mul(area.h) >= MIN_TINTED_AREA;
    change.kind == ChangeType::StyleOnly
        && change.tint.is_some_and(|tint| tint >= MIN_TINT)
        && change.area.is_some_and(is_large)
}

/// Why such a change is told of.
pub(super) fn faint_reason(change: &Finding) -> String {
    let tint = change.tint.unwrap_or_default();
    format!(
        "No pixel is beyond the threshold, but its colours look {tint:.1} apart (CIE 1976; from {MIN_TINT:.0} on it is told)."
    )
}

#[cfg(test)]
mod tests {
    use pentimento_api::result::Decision;

    use super::*;
    use crate::verdict::judge;
    use crate::verdict::tests::comparison;

    #[test]
    fn a_pale_tint_below_the_threshold_is_a_change() {
        let painted = |tint: f64, side: i64| DocumentDiff {
            findings: vec![Finding {
                tag: "div".to_owned(),
                tint: Some(tint),
                area: Some(Area {
                    x: 0,
                    y: 0,
                    w: side,
                    h: side,
                }),
                ..Finding::new(ChangeType::StyleOnly, "#card".to_owned())
            }],
            ..DocumentDiff::default()
        };
        let faint = comparison(0, 0);
        let judged = judge(Some(&faint), Some(&painted(18.2, 200)), None).unwrap();
        assert_eq!(judged.verdict.decision, Decision::NeedsReview);
        let reason = &judged.summary[0].verdict.as_ref().unwrap().reasoning;
        assert!(reason.contains("its colours look 18.2 apart"), "{reason}");
        for (pixels, document) in [
            (Some(&faint), painted(4.9, 200)),
            (Some(&faint), painted(18.2, 9)),
            // The files are the same to the byte: nothing shows it.
            (None, painted(18.2, 200)),
        ] {
            assert!(judge(pixels, Some(&document), None).is_none());
        }
        // Where pixels did change, and not here, no one sees it.
        let elsewhere = judge(Some(&comparison(0, 12)), Some(&painted(18.2, 200)), None).unwrap();
        assert_eq!(elsewhere.verdict.decision, Decision::Noise);
    }
}
