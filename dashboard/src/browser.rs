//! What the app asks of the browser itself: storage, window, title.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use leptos::html::ElementType;
use leptos::prelude::{
    Effect, Get, NodeRef, document, on_cleanup, request_animation_frame, window,
};
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;

/// A preference of this reader, by name.
pub(crate) fn stored(name: &str) -> Option<String> {
    storage()?.get_item(&key(name)).ok().flatten()
}

/// Keeps a preference; where the browser allows no storage it lasts until the page is left.
pub(crate) fn store(name: &str, value: &str) {
    if let Some(storage) = storage() {
        let _ = storage.set_item(&key(name), value);
    }
}

/// The name under which tabs tell each other that somebody has signed in or out.
const SESSION: &str = "session";

/// Tells this browser's other tabs that somebody has signed in or out.
pub(crate) fn tell_of_session() {
    store(SESSION, &js_sys::Date::now().to_string());
}

/// Whether another tab tells that somebody has.
pub(crate) fn is_of_session(event: &web_sys::StorageEvent) -> bool {
    event.key() == Some(key(SESSION))
}

/// Whether somebody is typing into a field.
pub(crate) fn is_typing() -> bool {
    const FIELDS: &str =
        "input:not([type=range], [type=color], [type=checkbox], [type=radio]), textarea";
    let active = document().active_element();
    active.is_some_and(|element| element.matches(FIELDS).unwrap_or(false))
}

/// Puts a text on the clipboard; false where the browser does not allow it, as on pages without TLS.
pub(crate) async fn copy(text: &str) -> bool {
    let navigator = window().navigator();
    // Without TLS there is no such object, which its type does not say.
    if js_sys::Reflect::get(&navigator, &"clipboard".into()).is_ok_and(|found| found.is_object()) {
        let copied = JsFuture::from(navigator.clipboard().write_text(text));
        return copied.await.is_ok();
    }
    false
}

/// Names the page in the browser's tab and history.
pub(crate) fn set_title(title: &str) {
    document().set_title(&format!("{title} · Pentimento"));
}

/// Gives an element the focus as soon as it is there.
pub(crate) fn focus_when_there<E>(node: NodeRef<E>)
where
    E: ElementType + 'static,
    E::Output: JsCast + Clone + 'static,
{
    when_there(node, |element| {
        // What cannot take the focus can still be clicked.
        let _ = element.focus();
    });
}

/// Gives an element the focus as soon as it is there, when what had it is gone; what is in sight stays.
pub(crate) fn focus_if_lost<E>(node: NodeRef<E>)
where
    E: ElementType + 'static,
    E::Output: JsCast + Clone + 'static,
{
    when_there(node, |element| {
        if is_focus_lost() {
            focus_in_place(element);
        }
    });
}

fn when_there<E>(node: NodeRef<E>, act: impl Fn(&web_sys::HtmlElement) + 'static)
where
    E: ElementType + 'static,
    E::Output: JsCast + Clone + 'static,
{
    Effect::new(move |_| {
        if let Some(element) = node.get() {
            act(element.unchecked_ref());
        }
    });
}

/// Gives the page's content the focus when what had it is gone, and says so: readers of screens begin there.
pub(crate) fn focus_content_if_lost() {
    let content = document().get_element_by_id("main");
    if let Some(content) = content.filter(|_| is_focus_lost()) {
        focus_in_place(&content.unchecked_into());
    }
}

/// For a part of a page that goes away by what its own button does. What it returns is to be called when the button is pressed:
/// when the part is gone after that, the page's content gets the focus that the button had.
pub(crate) fn hand_focus_on() -> impl Fn() + Clone + Send + Sync + 'static {
    let pressed = Arc::new(AtomicBool::new(false));
    let was_pressed = Arc::clone(&pressed);
    on_cleanup(move || {
        if was_pressed.load(Ordering::Relaxed) {
            // What takes its place may take the focus, too.
            request_animation_frame(focus_content_if_lost);
        }
    });
    move || pressed.store(true, Ordering::Relaxed)
}

/// Once the page has been drawn anew: gives the focus to the first element that a selector names when what had it is gone, or to
/// the page's content where there is none.
pub(crate) fn focus_next_if_lost(selector: &'static str) {
    request_animation_frame(move || {
        let next = document().query_selector(selector).ok().flatten();
        if let Some(next) = next.filter(|_| is_focus_lost()) {
            focus_in_place(&next.unchecked_into());
        } else {
            focus_content_if_lost();
        }
    });
}

/// Whether the pointer or the focus rests on the element with this id.
pub(crate) fn is_in_use(id: &str) -> bool {
    let element = document().get_element_by_id(id);
    element.is_some_and(|element| element.matches(":hover, :focus-within").unwrap_or(false))
}

/// Whether no element has the focus.
fn is_focus_lost() -> bool {
    let active = document().active_element();
    active.is_none_or(|active| active.tag_name() == "BODY")
}

fn focus_in_place(element: &web_sys::HtmlElement) {
    let options = web_sys::FocusOptions::new();
    options.set_prevent_scroll(true);
    // What cannot take the focus can still be read.
    let _ = element.focus_with_options(&options);
}

/// Gives the focus to the element with this id, out of whatever fold it lies in.
pub(crate) fn focus(id: &str) {
    let Some(element) = document().get_element_by_id(id) else {
        return;
    };
    if let Ok(Some(fold)) = element.closest("details") {
        // An element always takes a well-formed attribute.
        let _ = fold.set_attribute("open", "");
    }
    // What cannot take the focus can still be clicked.
    let _ = element.unchecked_into::<web_sys::HtmlElement>().focus();
}

/// Whether an element has the focus.
pub(crate) fn has_focus(element: &web_sys::Element) -> bool {
    document().active_element().as_ref() == Some(element)
}

/// Whether a media query holds now.
pub(crate) fn media_matches(query: &str) -> bool {
    window()
        .match_media(query)
        .ok()
        .flatten()
        .is_some_and(|list| list.matches())
}

/// Whether the page is narrow enough for the one-pane layout; the same width as in `review.css`.
pub(crate) fn is_narrow() -> bool {
    media_matches("(max-width: 760px)")
}

/// Whether the details would leave too little of the window to the captures.
pub(crate) fn is_tight() -> bool {
    media_matches("(max-width: 1000px)")
}

/// Whether the tab is in the background.
pub(crate) fn is_hidden() -> bool {
    document().hidden()
}

/// The address shown: path and query.
pub(crate) fn address() -> String {
    let location = window().location();
    [location.pathname(), location.search()]
        .into_iter()
        .filter_map(Result::ok)
        .collect()
}

/// How far the page is scrolled down, in pixels.
pub(crate) fn scrolled() -> f64 {
    window().scroll_y().unwrap_or(0.0)
}

/// Scrolls the page down to there, at once.
pub(crate) fn scroll_to(top_px: f64) {
    window().scroll_to_with_x_and_y(0.0, top_px);
}

fn storage() -> Option<web_sys::Storage> {
    window().local_storage().ok().flatten()
}

fn key(name: &str) -> String {
    format!("pentimento.{name}")
}
