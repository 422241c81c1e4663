//! The review page's keys: which command each stands for, and when they are off.

use wasm_bindgen::JsCast;
use web_sys::{Element, EventTarget, HtmlElement, KeyboardEvent, MouseEvent};

use crate::review::mode::Mode;
use crate::review::view::Scroll;

/// What a key does on the review page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Command {
    Approve,
    Reject,
    Group,
    Undo,
    Next,
    Previous,
    ToggleOrder,
    Queue,
    Find,
    NextRegion,
    PreviousRegion,
    Mode(Mode),
    ToggleMask,
    ToggleRegions,
    ToggleAligned,
    ToggleZoom,
    ZoomIn,
    ZoomOut,
    Scroll(Scroll),
    Details,
    Help,
}

/// A command, its keys as events name them (the first is the one shown; `Shift+` before those that mean something else without), and
/// what it does in words.
pub(crate) struct Binding {
    pub(crate) command: Command,
    pub(crate) keys: &'static [&'static str],
    pub(crate) text: &'static str,
}

const fn binding(command: Command, keys: &'static [&'static str], text: &'static str) -> Binding {
    Binding {
        command,
        keys,
        text,
    }
}

/// Every key, in the order of the key list. Never N for "no": in most diff tools it means "next".
pub(crate) const BINDINGS: [Binding; 28] = [
    binding(
        Command::Approve,
        &["A"],
        "Approve, and go to the next undecided change",
    ),
    binding(Command::Reject, &["R"], "Reject with a note, and go on"),
    binding(
        Command::Group,
        &["G", "Shift+A"],
        "Decide on all pages with the same change at once",
    ),
    binding(
        Command::Undo,
        &["U"],
        "Undo the last decision; where none is left, take back yours on this page",
    ),
    binding(Command::Next, &["J", "ArrowDown"], "Next page"),
    binding(Command::Previous, &["K", "ArrowUp"], "Previous page"),
    binding(
        Command::ToggleOrder,
        &["O"],
        "Pages by cause, the worst first, or in the job’s order",
    ),
    binding(Command::Queue, &["Q"], "Show or hide the queue"),
    binding(Command::Find, &["/"], "Find a page in the queue"),
    binding(Command::NextRegion, &["N", "]"], "Next changed region"),
    binding(
        Command::PreviousRegion,
        &["P", "["],
        "Previous changed region",
    ),
    binding(Command::Mode(Mode::SideBySide), &["1"], "Side by side"),
    binding(Command::Mode(Mode::Swipe), &["2"], "Swipe"),
    binding(
        Command::Mode(Mode::Overlay),
        &["3"],
        "Mask over the current page",
    ),
    binding(Command::Mode(Mode::Blink), &["4"], "Blink"),
    binding(
        Command::Mode(Mode::Difference),
        &["5"],
        "Difference only: the mask, over a page that is hardly to be seen",
    ),
    binding(Command::ToggleMask, &["D"], "Show or hide the mask"),
    binding(
        Command::ToggleRegions,
        &["M"],
        "Show or hide the regions’ boxes and letters",
    ),
    binding(
        Command::ToggleAligned,
        &["S"],
        "Shifted rows aligned, or as they were captured",
    ),
    binding(Command::ToggleZoom, &["Z"], "Fit the width, or 100 %"),
    binding(Command::ZoomIn, &["+", "="], "Zoom in"),
    binding(Command::ZoomOut, &["-"], "Zoom out"),
    binding(
        Command::Scroll(Scroll::Down),
        &["PageDown"],
        "Scroll the page down",
    ),
    binding(
        Command::Scroll(Scroll::Up),
        &["PageUp"],
        "Scroll the page up",
    ),
    binding(Command::Scroll(Scroll::Start), &["Home"], "To its top"),
    binding(Command::Scroll(Scroll::End), &["End"], "To its end"),
    binding(Command::Details, &["I"], "Show or hide the details"),
    binding(Command::Help, &["?"], "This list"),
];

/// The command of a key, if it has one: of what it writes or is called, or, where that is a letter of another script, of what
/// is at its place on most keyboards. With Shift it is its own only where one is bound so: signs such as “?” need Shift.
pub(crate) fn command_of(key: &str, code: &str, has_shift: bool) -> Option<Command> {
    let mut characters = key.chars();
    let key = match (characters.next(), characters.next()) {
        (Some(letter), None) if !letter.is_ascii() => code.strip_prefix("Key")?.to_owned(),
        (Some(character), None) => character.to_ascii_uppercase().to_string(),
        _ => key.to_owned(),
    };
    let shifted = has_shift.then(|| bound(&format!("Shift+{key}"))).flatten();
    shifted.or_else(|| bound(&key))
}

/// The command that is bound to a key, by its name in the list.
fn bound(key: &str) -> Option<Command> {
    BINDINGS
        .iter()
        .find(|binding| binding.keys.contains(&key))
        .map(|binding| binding.command)
}

/// Whether a command is repeated while its key is held. Decisions are not: a key held a moment too long must not
/// approve pages that nobody has seen.
pub(crate) fn repeats(command: Command) -> bool {
    matches!(
        command,
        Command::Next
            | Command::Previous
            | Command::NextRegion
            | Command::PreviousRegion
            | Command::ZoomIn
            | Command::ZoomOut
            | Command::Scroll(_)
    )
}

/// A key as people call it.
pub(crate) fn shown(key: &'static str) -> &'static str {
    match key {
        "ArrowDown" => "↓",
        "ArrowUp" => "↑",
        "-" => "−",
        "PageDown" => "Page ↓",
        "PageUp" => "Page ↑",
        other => other,
    }
}

/// Whether a key stroke belongs to something else: a field, an open dialog, the browser.
pub(crate) fn is_taken(event: &KeyboardEvent) -> bool {
    event.default_prevented()
        || event.ctrl_key()
        || event.meta_key()
        || event.alt_key()
        || event.is_composing()
        || is_dialog_open()
        || element(event.target()).is_some_and(|element| {
            is_matching(&element, "input:not([type=range], [type=color], [type=checkbox]), textarea, select, dialog, dialog *")
                || element
                    .dyn_ref::<HtmlElement>()
                    .is_some_and(HtmlElement::is_content_editable)
        })
}

/// Whether an arrow key belongs to what has the focus: it scrolls a pane, or moves a slider.
pub(crate) fn is_arrow_of_focused(event: &KeyboardEvent) -> bool {
    event.key().starts_with("Arrow")
        && element(event.target()).is_some_and(|element| {
            is_matching(&element, ".pane-scroll, [role=slider], input[type=range]")
        })
}

/// What of the review page scrolls by itself, around the canvas and in it.
const SCROLLERS: &str = ".pane-scroll, .inspector, .queue-list, .toasts, .stage-notice";

/// Whether a key that scrolls belongs to where the focus is: to a field or a slider, or to a part that has more than it shows.
pub(crate) fn is_scroll_of_focused(event: &KeyboardEvent) -> bool {
    matches!(event.key().as_str(), "PageDown" | "PageUp" | "Home" | "End")
        && element(event.target()).is_some_and(|element| {
            let part = element.closest(SCROLLERS).ok().flatten();
            is_matching(&element, "input, [role=slider]")
                || part.is_some_and(|part| part.scroll_height() > part.client_height())
        })
}

/// Whether Enter and Space press the focused control.
pub(crate) fn is_for_focused_control(event: &KeyboardEvent) -> bool {
    element(event.target())
        .is_some_and(|element| is_matching(&element, "button, a, summary, input"))
}

/// Keeps a held Enter from pressing the focused button again and again: what it decides is to be seen first.
pub(crate) fn press_once(event: KeyboardEvent) {
    if event.repeat() && event.key() == "Enter" {
        event.prevent_default();
    }
}

/// Takes the focus from a control that was clicked with a pointer: Space must then show the baseline, and not press
/// "Approve" once more. A control that was pressed by key keeps the focus.
pub(crate) fn let_go_of_control(click: &MouseEvent) {
    if click.detail() == 0 {
        return;
    }
    let control = element(click.target())
        .and_then(|element| element.closest("button, a").ok().flatten())
        .and_then(|control| control.dyn_into::<HtmlElement>().ok());
    if let Some(control) = control {
        // What cannot lose the focus did not have it.
        let _ = control.blur();
    }
}

/// Whether a dialog has the keys. A click into it may have left the focus on the page behind it.
pub(crate) fn is_dialog_open() -> bool {
    let document = web_sys::window().and_then(|window| window.document());
    let open = document.and_then(|document| document.query_selector("dialog[open]").ok().flatten());
    open.is_some()
}

fn element(target: Option<EventTarget>) -> Option<Element> {
    target.and_then(|target| target.dyn_into().ok())
}

fn is_matching(element: &Element, selector: &str) -> bool {
    element.matches(selector).unwrap_or(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_key_stands_for_two_commands() {
        let mut keys: Vec<_> = BINDINGS.iter().flat_map(|binding| binding.keys).collect();
        let count = keys.len();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), count);
    }

    #[test]
    fn each_mode_has_the_number_of_its_button() {
        for (index, mode) in Mode::ALL.into_iter().enumerate() {
            let number = (index + 1).to_string();
            let command = command_of(&number, &format!("Digit{number}"), false);
            assert_eq!(command, Some(Command::Mode(mode)));
        }
    }

    #[test]
    fn letters_count_in_either_case() {
        let of = |key, code| command_of(key, code, false);
        assert_eq!(of("a", "KeyA"), Some(Command::Approve));
        // With the capitals locked.
        assert_eq!(of("A", "KeyA"), Some(Command::Approve));
        assert_eq!(of("ArrowUp", "ArrowUp"), Some(Command::Previous));
        assert_eq!(of("End", "End"), Some(Command::Scroll(Scroll::End)));
        assert_eq!(of("F5", "F5"), None);
        // Where others have it, and where a German keyboard has it.
        assert_eq!(of("/", "Slash"), Some(Command::Find));
        assert_eq!(of("/", "Digit7"), Some(Command::Find));
        // Cyrillic, and a French keyboard, which writes A where others have Q.
        assert_eq!(of("ф", "KeyA"), Some(Command::Approve));
        assert_eq!(of("a", "KeyQ"), Some(Command::Approve));
        assert_eq!(of("é", "Digit2"), None);
    }

    #[test]
    fn shift_makes_another_key_of_a_alone() {
        let of = |key, code| command_of(key, code, true);
        for (key, code) in [("A", "KeyA"), ("a", "KeyA"), ("Ф", "KeyA"), ("A", "KeyQ")] {
            assert_eq!(of(key, code), Some(Command::Group), "{key}");
        }
        assert_eq!(of("?", "Slash"), Some(Command::Help));
        assert_eq!(of("+", "Equal"), Some(Command::ZoomIn));
        assert_eq!(of("R", "KeyR"), Some(Command::Reject));
    }
}
