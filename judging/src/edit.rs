//! The mutations: what can be done to a page, and where.

use crate::truth::Pixels;

/// What is done. Texts are the new values; CSS is a list of declarations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Edit {
    /// Another text in a leaf.
    Text(&'static str),
    /// Another price or figure in a leaf.
    Price(&'static str),
    /// Another target of a link.
    Link(&'static str),
    /// Another colour.
    Colour(&'static str),
    /// More room in an element, so that what follows moves down.
    Spacing(&'static str),
    /// Another font of a heading.
    Font(&'static str),
    /// Text in nearly the colour of its ground.
    ContrastLoss(&'static str),
    /// A block that makes the page scroll sideways.
    Overflow(&'static str),
    /// A block that lies over its neighbour.
    Overlap(&'static str),
    /// The main button cannot be seen.
    Hidden,
    /// A new element before an anchor.
    Insert {
        part: Part,
        before: &'static str,
        html: &'static str,
    },
    /// An element is gone.
    Remove(Part),
    /// An element goes before an anchor, more than one sibling away.
    MoveBefore(&'static str),
    /// An element and its next sibling change places.
    SwapWithNext,
    /// A leaf goes before an anchor, and its text changes a little.
    MoveAndReword {
        before: &'static str,
        text: &'static str,
    },
    /// Another picture, named by its seed.
    Image(u64),
    /// A picture that cannot load.
    BrokenImage,
    /// Search engines are sent away.
    NoIndex,
    /// The canonical address names another host.
    CanonicalHost(&'static str),
    /// Another title of the document.
    Title(&'static str),
    /// Another description of the document.
    Description(&'static str),
    /// Another price in the structured data.
    SchemaPrice(&'static str),
    /// Glyphs a fraction of a pixel further, which no recorded style tells.
    AntiAliasing,
    /// One pixel to the right, of an element that is positioned already.
    Jitter,
    /// A text that is another one whenever the page is captured.
    Clock(&'static str),
    /// Nothing at all.
    Identical,
    /// Every class has another name, in the markup and in the style sheet.
    ClassNames,
    /// Attributes in another order, and other white space between tags.
    AttributeOrder,
}

/// What is inserted or removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    Banner,
    Card,
    Row,
}

/// An edit of a page's element, with the words for it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Step {
    /// What is done.
    pub(crate) edit: Edit,
    /// The element that it is done to, as [`Planted::element`](crate::Planted::element) has it;
    /// empty for edits of the whole page.
    pub(crate) at: &'static str,
    /// What a person would call that element.
    pub(crate) what: &'static str,
    /// The selector of the part of the page that a developer would name as the scope.
    pub(crate) scope: &'static str,
    /// Whether other elements move up or down.
    pub(crate) displaces: bool,
}

/// A step whose displacement is the usual one of its edit.
pub(crate) const fn step(
    edit: Edit,
    at: &'static str,
    what: &'static str,
    scope: &'static str,
) -> Step {
    Step {
        edit,
        at,
        what,
        scope,
        displaces: edit.usually_displaces(),
    }
}

/// A step that concerns the document's head.
pub(crate) const fn head(edit: Edit, field: &'static str) -> Step {
    step(edit, field, "", "head")
}

/// A step that concerns no element in particular.
pub(crate) const fn whole(edit: Edit) -> Step {
    step(edit, "", "", "body")
}

impl Step {
    /// The same step, where nothing else on the page moves up or down.
    pub(crate) const fn in_place(self) -> Self {
        Self {
            displaces: false,
            ..self
        }
    }
}

impl Edit {
    /// The name in case names, and the key of its words.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Text(_) => "text-edit",
            Self::Price(_) => "price-edit",
            Self::Link(_) => "link-target",
            Self::Colour(_) => "colour-change",
            Self::Spacing(_) => "spacing-change",
            Self::Font(_) => "font-change",
            Self::ContrastLoss(_) => "contrast-loss",
            Self::Overflow(_) => "overflow",
            Self::Overlap(_) => "overlap",
            Self::Hidden => "hidden-element",
            Self::Insert { part, .. } => match part {
                Part::Banner => "insert-banner",
                Part::Card => "insert-card",
                Part::Row => "insert-row",
            },
            Self::Remove(part) => match part {
                Part::Banner => "remove-banner",
                Part::Card => "remove-card",
                Part::Row => "remove-row",
            },
            Self::MoveBefore(_) => "move-section",
            Self::SwapWithNext => "reorder",
            Self::MoveAndReword { .. } => "move-with-edit",
            Self::Image(_) => "image-swap",
            Self::BrokenImage => "broken-image",
            Self::NoIndex => "noindex",
            Self::CanonicalHost(_) => "canonical-host",
            Self::Title(_) => "title-edit",
            Self::Description(_) => "description-edit",
            Self::SchemaPrice(_) => "json-ld-price",
            Self::AntiAliasing => "anti-aliasing",
            Self::Jitter => "one-pixel-jitter",
            Self::Clock(_) => "clock",
            Self::Identical => "identical",
            Self::ClassNames => "class-names",
            Self::AttributeOrder => "attribute-order",
        }
    }

    /// What the pictures show.
    pub(crate) fn pixels(self) -> Pixels {
        match self {
            Self::AntiAliasing => Pixels::Noise,
            Self::Link(_) | Self::Identical | Self::ClassNames | Self::AttributeOrder => {
                Pixels::Same
            }
            _ if self.is_in_head() => Pixels::Same,
            _ => Pixels::Changed,
        }
    }

    /// Whether it breaks the page whatever was meant.
    pub(crate) fn is_hard_bug(self) -> bool {
        matches!(
            self,
            Self::ContrastLoss(_)
                | Self::Overflow(_)
                | Self::Overlap(_)
                | Self::Hidden
                | Self::BrokenImage
                | Self::NoIndex
                | Self::CanonicalHost(_)
        )
    }

    /// Whether it changes the document's head and nothing that is shown.
    pub(crate) fn is_in_head(self) -> bool {
        matches!(
            self,
            Self::NoIndex
                | Self::CanonicalHost(_)
                | Self::Title(_)
                | Self::Description(_)
                | Self::SchemaPrice(_)
        )
    }

    /// Whether it concerns the whole page, so that it stands alone.
    pub(crate) fn is_whole(self) -> bool {
        matches!(
            self,
            Self::Identical | Self::ClassNames | Self::AttributeOrder
        )
    }

    const fn usually_displaces(self) -> bool {
        matches!(
            self,
            Self::Spacing(_)
                | Self::Overlap(_)
                | Self::Insert { .. }
                | Self::Remove(_)
                | Self::MoveBefore(_)
                | Self::MoveAndReword { .. }
        )
    }
}
