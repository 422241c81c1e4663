//! Icons: one path each on a 16 × 16 grid, drawn with the colour of the text around them.

use leptos::prelude::*;

/// What an icon shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Glyph {
    Alert,
    Align,
    ArrowRight,
    Blink,
    Check,
    ChevronDown,
    ChevronUp,
    Circle,
    Clock,
    Close,
    Copy,
    Cross,
    Delta,
    Difference,
    Drop,
    Equal,
    Eye,
    Flag,
    Info,
    Keyboard,
    Mask,
    Minus,
    Moon,
    Move,
    Order,
    Overlay,
    Pencil,
    Plus,
    Queue,
    Search,
    SideBySide,
    SignOut,
    Sun,
    Swipe,
    Undo,
    Wave,
}

impl Glyph {
    fn path(self) -> &'static str {
        match self {
            Self::Alert => "M8 1.8 15 14H1zM8 6v4M8 12v.2",
            Self::Align => "M1.5 2.5h13M1.5 13.5h13M8 5v6M5.5 8.5 8 11l2.5-2.5",
            Self::ArrowRight => "M2.5 8h11M9.5 4l4 4-4 4",
            Self::Blink => {
                "M8 1.5v2M8 12.5v2M1.5 8h2M12.5 8h2M3.4 3.4l1.4 1.4M11.2 11.2l1.4 1.4M12.6 3.4l-1.4 1.4M4.8 11.2l-1.4 1.4M8 6a2 2 0 1 1 0 4 2 2 0 0 1 0-4"
            }
            Self::Check => "M2.5 8.5 6.5 12.5 13.5 4",
            Self::ChevronDown => "M3.5 6 8 10.5 12.5 6",
            Self::ChevronUp => "M3.5 10 8 5.5 12.5 10",
            Self::Circle => "M8 3a5 5 0 1 1 0 10A5 5 0 0 1 8 3",
            Self::Clock => "M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2M8 4.5V8l2.5 1.5",
            Self::Close | Self::Cross => "M3.5 3.5l9 9M12.5 3.5l-9 9",
            Self::Copy => "M6 5.5h7.5V14H6zM10 5.5V2H2.5v8.5H6",
            Self::Delta => "M8 2.5 14 13.5H2z",
            Self::Difference => {
                "M1.5 4.5v-3h3M11.5 1.5h3v3M14.5 11.5v3h-3M4.5 14.5h-3v-3M5 6h6M5 8h6M5 10h3.5"
            }
            Self::Drop => "M8 1.5C10.5 5 12.5 7.4 12.5 9.8a4.5 4.5 0 0 1-9 0C3.5 7.4 5.5 5 8 1.5",
            Self::Equal => "M3 6h10M3 10h10",
            Self::Eye => {
                "M1.5 8S4 3.5 8 3.5 14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8M8 6.2a1.8 1.8 0 1 1 0 3.6 1.8 1.8 0 0 1 0-3.6"
            }
            Self::Flag => "M4 14V2.5h8L10 5.5l2 3H4",
            Self::Info => "M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2M8 7v4M8 4.8V5",
            Self::Keyboard => "M1.5 4h13v8h-13zM4 6.5h.5M7 6.5h.5M10 6.5h.5M4.5 9.5h7",
            Self::Mask => "M2 2h12v12H2zM2 8l6-6M2 14 14 2M8 14l6-6",
            Self::Minus => "M3 8h10",
            Self::Moon => "M13 9.5A5.5 5.5 0 0 1 6.5 3 5.5 5.5 0 1 0 13 9.5",
            Self::Move => {
                "M8 1.5v13M1.5 8h13M6 3.5l2-2 2 2M6 12.5l2 2 2-2M3.5 6l-2 2 2 2M12.5 6l2 2-2 2"
            }
            Self::Order => "M2 3.5h12M2 8h8M2 12.5h4",
            Self::Overlay => "M2 2h8v8H2zM6 6h8v8H6z",
            Self::Pencil => "M2 14l.8-3.4L11 2.5 13.5 5 5.4 13.2zM9.2 4.3l2.5 2.5",
            Self::Plus => "M8 3v10M3 8h10",
            Self::Queue => "M5.5 3.5H14M5.5 8H14M5.5 12.5H14M2 3.5h.5M2 8h.5M2 12.5h.5",
            Self::Search => "M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9M10.3 10.3 14 14",
            Self::SideBySide => "M1.5 3h5.5v10H1.5zM9 3h5.5v10H9z",
            Self::SignOut => "M6 2.5H2.5v11H6M6.5 8h7M11 5l3 3-3 3",
            Self::Sun => {
                "M8 5a3 3 0 1 1 0 6 3 3 0 0 1 0-6M8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1 1M12 12l1 1M13 3l-1 1M4 12l-1 1"
            }
            Self::Swipe => "M1.5 3h13v10h-13zM8 1v14M6 6.5 4.5 8 6 9.5M10 6.5 11.5 8 10 9.5",
            Self::Wave => "M1 8q2.3-6 4.7 0t4.6 0 4.7 0",
            Self::Undo => "M6 3 2.5 6.5 6 10M3 6.5h6a4 4 0 0 1 0 8H6",
        }
    }
}

/// An icon. A word stands next to it or in its control's name, so that it is hidden from screen readers.
#[component]
pub(crate) fn Icon(glyph: Glyph) -> impl IntoView {
    view! {
        <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
            <path d=glyph.path() />
        </svg>
    }
}
