//! Trying out a mask from the review: for a region, or a box that is drawn, selectors are suggested; the one that is chosen is
//! tried out on all changed pages of the job, and may become a mask of the project.

use leptos::ev;
use leptos::prelude::*;
use leptos::task::spawn_local;
use pentimento_api::comparison::Region;
use pentimento_api::ids::ResultId;
use pentimento_api::job::ComparisonMode;
use pentimento_api::mask::{CaptureSide, MaskQuestion, MaskSuggestion, MaskTrial, TriedMask};
use pentimento_api::result::Box as PageBox;
use pentimento_api::review::ReviewItem;
use pentimento_api::session::Scope;

use crate::browser;
use crate::client::{self, ClientError};
use crate::keys;
use crate::review::arrange::Side;
use crate::review::state::Review;
use crate::settings::saving::add_mask;
use crate::shared::{Shared, Tone};

/// What is to be masked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Place {
    page: ResultId,
    pub(crate) project: String,
    /// Whether its runs compare with a reference origin, and not with baselines.
    pub(crate) is_live: bool,
    /// The letter of the region that it is; a box that is drawn has none.
    pub(crate) label: Option<String>,
    /// Where it is, in which capture; nothing before it is drawn.
    area: Option<(PageBox, CaptureSide)>,
}

/// How far it is.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Stage {
    /// A box is to be drawn on the canvas, or a selector to be typed.
    Drawing,
    /// Elements are being looked for.
    Looking,
    /// No element holds the place.
    NothingFound,
    /// No selector is chosen.
    Nothing,
    /// The selector is being tried out.
    Trying,
    Tried(TriedMask),
    Failed(ClientError),
}

/// The signals of the panel; copies name the same ones.
#[derive(Clone, Copy)]
pub(crate) struct Masking {
    shared: Shared,
    pub(crate) stage: RwSignal<Stage>,
    /// While the panel is open.
    pub(crate) place: RwSignal<Option<Place>>,
    pub(crate) suggestions: RwSignal<Vec<MaskSuggestion>>,
    /// The selector that was chosen or typed.
    pub(crate) selector: RwSignal<String>,
    /// Whether the mask is being saved.
    pub(crate) busy: RwSignal<bool>,
    /// Counts the questions: only the last one's answer counts.
    asked: StoredValue<u32>,
    /// Whether the reader has typed into the field since the panel was opened for the place.
    typed: StoredValue<bool>,
}

/// A place of a page that is yet to be drawn, where the reader may mask any: in a project, by elements.
pub(crate) fn any_place(review: Review, item: &ReviewItem) -> Option<Place> {
    let has_documents = item.result.changes.is_some();
    // What clients upload is as they captured it; masks are for what the service captures.
    let is_ours = (item.current.as_ref()).is_some_and(|picture| picture.report.is_some());
    (review.shared.may(Scope::Admin) && has_documents && is_ours).then_some(())?;
    Some(Place {
        page: item.result.result_id,
        project: item.project.clone()?,
        is_live: item.comparison_mode == ComparisonMode::Live,
        label: None,
        area: None,
    })
}

/// The place of a region, likewise; rows that came or went far apart have none.
pub(crate) fn place_of(review: Review, item: &ReviewItem, region: &Region) -> Option<Place> {
    if region.loose_rows.is_some() {
        return None;
    }
    let current = region.current_box.map(|area| (area, CaptureSide::Current));
    let baseline = (region.baseline_box).map(|area| (area, CaptureSide::Baseline));
    Some(Place {
        label: Some(region.label.clone()),
        area: Some(current.or(baseline)?),
        ..any_place(review, item)?
    })
}

impl Masking {
    /// The panel of a review, closed. It closes when another page comes up.
    pub(crate) fn new(review: Review) -> Self {
        let masking = Self {
            shared: review.shared,
            stage: RwSignal::new(Stage::Looking),
            place: RwSignal::new(None),
            suggestions: RwSignal::new(Vec::new()),
            selector: RwSignal::new(String::new()),
            busy: RwSignal::new(false),
            asked: StoredValue::new(0),
            typed: StoredValue::new(false),
        };
        Effect::new(move |_| {
            review.id.track();
            // Captures that do not agree are none that a place could be looked up in.
            review.apart.track();
            masking.close();
        });
        let escape = window_event_listener(ev::keydown, move |event| {
            // What lies over the canvas, or has the focus, comes first.
            let is_others = event.default_prevented()
                || keys::is_dialog_open()
                || review.column.open.get_untracked() && !keys::is_taken(&event);
            if event.key() == "Escape" && !is_others && untrack(|| masking.is_drawing()) {
                event.prevent_default();
                masking.leave();
            }
        });
        on_cleanup(move || escape.remove());
        masking
    }

    /// Opens the panel for a place, and asks what could mask it; one that has no area yet is to be drawn.
    pub(crate) fn open(self, place: Place) {
        self.forget_answers();
        self.suggestions.set(Vec::new());
        self.selector.set(String::new());
        self.typed.set_value(false);
        let area = place.area;
        self.stage.set(Stage::Drawing);
        self.place.set(Some(place));
        if let Some((area, side)) = area {
            self.ask(MaskQuestion {
                place: Some(area),
                side: Some(side),
                selector: None,
            });
        }
    }

    /// Takes a box that was drawn on a side of the page.
    pub(crate) fn draw(self, area: PageBox, side: Side) {
        let Some(place) = self.place.get_untracked() else {
            return;
        };
        let side = match side {
            Side::Baseline => CaptureSide::Baseline,
            Side::Current => CaptureSide::Current,
        };
        self.open(Place {
            area: Some((area, side)),
            ..place
        });
    }

    pub(crate) fn close(self) {
        self.forget_answers();
        self.place.set(None);
    }

    /// Closes the panel and gives the focus back to what opened it.
    pub(crate) fn leave(self) {
        let label = self
            .place
            .with_untracked(|place| place.as_ref().and_then(|place| place.label.clone()));
        self.close();
        browser::focus(&opener(label.as_deref()));
    }

    /// Takes note that the reader types; what is found meanwhile is offered, but does not replace it.
    pub(crate) fn note_typing(self) {
        self.typed.set_value(true);
    }

    /// Answers that are still under way are about something else.
    fn forget_answers(self) {
        self.asked.update_value(|asked| *asked += 1);
    }

    /// Whether a box can be drawn on the canvas.
    pub(crate) fn is_drawing(self) -> bool {
        self.place.with(Option::is_some) && self.stage.with(|stage| *stage == Stage::Drawing)
    }

    /// What the selector hides of the page, once it was tried out.
    pub(crate) fn hidden(self) -> Vec<PageBox> {
        let is_open = self.place.with(Option::is_some);
        self.stage.with(|stage| match stage {
            Stage::Tried(tried) if is_open => tried.hidden.clone(),
            _ => Vec::new(),
        })
    }

    /// Tries out a selector; the same again only when it failed before.
    pub(crate) fn choose(self, selector: String) {
        let selector = selector.trim().to_owned();
        let has_failed = self
            .stage
            .with_untracked(|stage| matches!(stage, Stage::Failed(_)));
        if selector == self.selector.get_untracked() && !has_failed {
            return;
        }
        self.selector.set(selector.clone());
        if selector.is_empty() {
            self.forget_answers();
            let is_drawn = (self.place)
                .with_untracked(|place| place.as_ref().is_some_and(|place| place.area.is_some()));
            self.stage.set(if is_drawn {
                Stage::Nothing
            } else {
                Stage::Drawing
            });
            return;
        }
        self.ask(MaskQuestion {
            selector: Some(selector),
            ..MaskQuestion::default()
        });
    }

    fn ask(self, question: MaskQuestion) {
        let Some(place) = self.place.get_untracked() else {
            return;
        };
        let is_place = question.place.is_some();
        self.stage.set(if is_place {
            Stage::Looking
        } else {
            Stage::Trying
        });
        self.forget_answers();
        let number = self.asked.get_value();
        spawn_local(async move {
            let path = format!("/result/{}/mask", place.page);
            let answer = client::post::<MaskTrial>(&path, &question).await;
            // The reader may have left, or asked something else.
            if self.asked.try_get_value() != Some(number) {
                return;
            }
            match answer {
                Ok(trial) => {
                    if is_place {
                        self.suggestions.set(trial.suggestions);
                    }
                    self.stage.set(match trial.tried {
                        Some(_) if is_place && self.typed.get_value() => Stage::Nothing,
                        Some(tried) => {
                            self.selector.set(tried.selector.clone());
                            Stage::Tried(tried)
                        }
                        None => Stage::NothingFound,
                    });
                }
                Err(error) => {
                    self.shared.note_error(&error);
                    self.stage.set(Stage::Failed(error));
                }
            }
        });
    }

    /// Makes the selector a mask of the project.
    pub(crate) fn save(self) {
        let Some(place) = self.place.get_untracked() else {
            return;
        };
        let (selector, shared) = (self.selector.get_untracked(), self.shared);
        self.busy.set(true);
        spawn_local(async move {
            let answer = add_mask(&place.project, &selector).await;
            let is_left = self.busy.try_set(false).is_some();
            match answer {
                Ok(message) => {
                    shared.toast(Tone::Done, message, None);
                    if !is_left && self.place.get_untracked().as_ref() == Some(&place) {
                        self.leave();
                    }
                }
                Err(error) => {
                    shared.note_error(&error);
                    let text = format!("“{}” has no new mask. {error}", place.project);
                    shared.toast(Tone::Failed, text, None);
                }
            }
        });
    }
}

/// The id of the button that opens the panel for a region, or for a place that is drawn.
pub(crate) fn opener(label: Option<&str>) -> String {
    label.map_or_else(
        || "mask-place".to_owned(),
        |label| format!("mask-region-{label}"),
    )
}

/// The panel of the review that this component is part of.
pub(crate) fn use_masking() -> Masking {
    expect_context::<Masking>()
}
