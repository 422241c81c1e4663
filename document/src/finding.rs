//! What a comparison finds.

use std::collections::BTreeMap;

use pentimento_api::result::ChangeType;

use crate::pulled::negative_margin;
use rustc_hash::FxHashSet;

use crate::styles;

/// The most selectors that [`DocumentDiff::elements_changed`] names.
const MAX_ELEMENTS: usize = 100;

/// A rectangle in CSS pixels from the top left of the full page.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Area {
    /// Left edge.
    pub x: i64,
    /// Top edge.
    pub y: i64,
    /// Width.
    pub w: i64,
    /// Height.
    pub h: i64,
}

impl Area {
    /// Whether nothing can be seen of it.
    pub(crate) fn is_empty(self) -> bool {
        self.w == 0 || self.h == 0
    }

    /// How wide and how high the part is that lies in both.
    #[must_use]
    pub fn shared(self, other: Self) -> (i64, i64) {
        let along = |from: i64, extent: i64, start: i64, length: i64| {
            ((from + extent).min(start + length) - from.max(start)).max(0)
        };
        (
            along(self.x, self.w, other.x, other.w),
            along(self.y, self.h, other.y, other.h),
        )
    }

    /// The smallest rectangle around both; an empty one counts for nothing.
    pub(crate) fn union(self, other: Self) -> Self {
        if self.is_empty() {
            return other;
        }
        if other.is_empty() {
            return self;
        }
        let (x, y) = (self.x.min(other.x), self.y.min(other.y));
        Self {
            x,
            y,
            w: (self.x + self.w).max(other.x + other.w) - x,
            h: (self.y + self.h).max(other.y + other.h) - y,
        }
    }
}

/// One thing that changed, or moved because something changed.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// What happened. A `text-edit` with an `attribute` is about that attribute.
    pub kind: ChangeType,
    /// A CSS selector of the element, or the name of the metadata field.
    pub element: String,
    /// The element's tag; empty for metadata.
    pub tag: String,
    /// What was there: text, the value of the attribute, an image's source.
    pub before: Option<String>,
    /// What is there now.
    pub after: Option<String>,
    /// Styles that changed, from and to. A box that was resized by a style that no capture records
    /// has `width` and `height` here.
    pub style: BTreeMap<String, [String; 2]>,
    /// Where the element is now.
    pub area: Option<Area>,
    /// Where it was.
    pub area_before: Option<Area>,
    /// Elements folded into this finding besides its own.
    pub collapsed: u32,
    /// Index of the finding that made this one move.
    pub cause: Option<usize>,
    /// By how much it moved, right and down, if that is what happened.
    pub shift: Option<(i64, i64)>,
    /// The attribute that changed, if it is one: `href`, `alt`, `open`, `src` or
    /// `background-image`; `broken` for a picture that cannot be shown any more, `repaired` for one that
    /// can be shown again.
    pub attribute: Option<&'static str>,
    /// The element and what it lies in, the nearest first, each as `tag#id.class.class`; empty for metadata.
    pub lineage: Vec<String>,
    /// What people know the element by: the first heading in it, else what it says, else its alternative
    /// text; cut.
    pub text: Option<String>,
    /// Tags of what lies in the element, and ids and classes where that is not much; each once, in order of appearance, cut.
    pub contains: Vec<String>,
    /// Of an element that moved among its siblings: what people know the one by that it now stands next to on the side
    /// that it came from.
    pub beside: Option<String>,
    /// The contrast of its own colours before and after, 1 to 21, where one of them changed, or how opaque it is, and there is
    /// text in it.
    pub contrast: Option<[f64; 2]>,
    /// How far apart its ground's or its text's colours look before and after, whichever is more, as a distance in CIE L*a*b*
    /// of 1976, where a colour of it changed and both are known.
    pub tint: Option<f64>,
    /// Where the innermost elements that it displaced were and are; for a `reflow-displacement` only.
    pub displaced: Vec<[Area; 2]>,
    /// Landmarks and controls that could be seen in an element that went or was hidden, and of which nothing alike is left.
    pub lost: Vec<Lost>,
    /// What is wrong in the element because of the change.
    pub flaws: Flaws,
}

/// What is wrong with the element of a change or with what lies in it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Flaws {
    /// A CSS selector, in the document after, of a picture that came with an insert and cannot be shown.
    pub broken: Option<String>,
    /// The palest of the texts that can hardly be read now: their contrast is below
    /// [`READABLE_CONTRAST`](crate::READABLE_CONTRAST).
    pub pale_text: Option<PaleText>,
    /// What an element lies over that a margin below zero pulls.
    pub pulled: Pulled,
}

impl Flaws {
    /// What of it another capture of the same page shows too.
    pub(crate) fn agreed_with(self, other: &Self) -> Self {
        Self {
            broken: self.broken.filter(|_| other.broken.is_some()),
            pale_text: self.pale_text.filter(|_| other.pale_text.is_some()),
            pulled: match other.pulled {
                Pulled::Free => Pulled::Free,
                _ => self.pulled,
            },
        }
    }
}

/// Where an element lies that a margin below zero pulls.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Pulled {
    /// It is not known; also where no margin went below zero.
    #[default]
    Unknown,
    /// Over nothing that it did not lie over before.
    Free,
    /// Over something beside it, which is named by a CSS selector in the document after.
    Over(String),
    /// Beyond an edge of the page.
    OffPage,
}

/// A text that can hardly be read.
#[derive(Debug, Clone, PartialEq)]
pub struct PaleText {
    /// A CSS selector of its element, in the document after.
    pub element: String,
    /// Its contrast before, 1 to 21; none when it was not there, or lay on a picture or gradient that is gone.
    pub before: Option<f64>,
    /// Its contrast now.
    pub after: f64,
}

/// An element that a page lost with another one that it lay in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lost {
    /// Its tag.
    pub tag: String,
    /// A CSS selector of it, in the document before.
    pub element: String,
}

impl Finding {
    /// The margin of the element that became negative, as a property, by more than rounding or fine tuning would; and its pixels
    /// now.
    #[must_use]
    pub fn negative_margin(&self) -> Option<(&str, f64)> {
        negative_margin(&self.style)
    }

    /// Whether it only says that something else made the element move.
    pub fn is_consequence(&self) -> bool {
        use ChangeType::{ReflowDisplacement, StickyReposition};
        matches!(self.kind, ReflowDisplacement | StickyReposition)
    }

    /// Whether one of its styles may move boxes or make them larger; a colour does neither.
    pub fn may_move_boxes(&self) -> bool {
        self.style.keys().any(|name| styles::moves_boxes(name))
    }

    /// Whether its styles hide an element that could be seen.
    pub fn hides(&self) -> bool {
        styles::hides(&self.style)
    }

    /// A finding of this kind about this element, of which nothing more is known.
    pub fn new(kind: ChangeType, element: String) -> Self {
        Self {
            kind,
            element,
            tag: String::new(),
            before: None,
            after: None,
            style: BTreeMap::new(),
            area: None,
            area_before: None,
            collapsed: 0,
            cause: None,
            shift: None,
            attribute: None,
            lineage: Vec::new(),
            text: None,
            contains: Vec::new(),
            beside: None,
            contrast: None,
            tint: None,
            displaced: Vec::new(),
            lost: Vec::new(),
            flaws: Flaws::default(),
        }
    }
}

/// Everything that differs between two documents.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DocumentDiff {
    /// The most significant first, causes before their consequences.
    pub findings: Vec<Finding>,
    /// What is broken now and was not before.
    pub damages: Vec<Damage>,
}

/// Something that is broken on the page after and was not before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Damage {
    /// What is broken.
    pub fault: Fault,
    /// Index of the finding that is to blame, if one is.
    pub cause: Option<usize>,
}

/// What is broken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// Nothing on the page can be seen any more.
    Blank,
    /// What lies in an element sticks out of it to the side, and nothing cuts it off or lets it scroll.
    SticksOut {
        /// A CSS selector of the element.
        element: String,
        /// By how many pixels.
        by: i64,
    },
    /// Two texts in the flow of the page lie over each other.
    Overlaps {
        /// What people know them by, the upper one first.
        texts: [String; 2],
    },
    /// A text is cut off by what it lies in, which did not cut it.
    CutOff {
        /// A CSS selector of the text's element.
        element: String,
        /// How much of its box can still be seen, in percent.
        shown: i64,
    },
    /// A text does not fit its own box any more, which cuts it off.
    CutText {
        /// A CSS selector of the text's element.
        element: String,
        /// How much of its length can still be seen, in percent.
        shown: i64,
    },
    /// The page's scripts threw an error that nothing caught.
    Error {
        /// Its message; cut.
        message: String,
    },
}

impl DocumentDiff {
    /// Whether the body says, shows or orders something else: not whether it was displaced, and not
    /// whether its styles differ, which only pictures can tell.
    pub fn content_changed(&self) -> bool {
        self.findings.iter().any(|finding| {
            !is_metadata(finding.kind)
                && !finding.is_consequence()
                && finding.kind != ChangeType::StyleOnly
        })
    }

    /// Whether the metadata or the structured data changed.
    pub fn metadata_changed(&self) -> bool {
        self.findings
            .iter()
            .any(|finding| is_metadata(finding.kind))
    }

    /// Selectors of the changed elements, without those that were only displaced; each once, in the
    /// order of the findings, at most 100.
    pub fn elements_changed(&self) -> Vec<String> {
        let mut seen = FxHashSet::default();
        self.findings
            .iter()
            .filter(|finding| !is_metadata(finding.kind) && !finding.is_consequence())
            .filter(|finding| seen.insert(finding.element.as_str()))
            .map(|finding| finding.element.clone())
            .take(MAX_ELEMENTS)
            .collect()
    }
}

fn is_metadata(kind: ChangeType) -> bool {
    use ChangeType::{MetaDelete, MetaEdit, MetaInsert, SchemaDelete, SchemaEdit, SchemaInsert};
    matches!(
        kind,
        MetaEdit | MetaInsert | MetaDelete | SchemaEdit | SchemaInsert | SchemaDelete
    )
}
