//! How the canvas looks at a page: mode, zoom and position. Pure geometry; it knows no element.

/// Steps of the zoom, as ratios of screen pixels to captured pixels.
const STEPS: [f64; 13] = [
    0.1, 0.15, 0.25, 0.33, 0.5, 0.67, 0.75, 1.0, 1.5, 2.0, 3.0, 4.0, 8.0,
];
/// Two ratios closer than this are the same step.
const STEP_TOLERANCE: f64 = 0.001;

/// The zoom: the width of the pane, or a ratio.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Zoom {
    Fit,
    Ratio(f64),
}

impl Zoom {
    /// Screen pixels for a captured pixel, by the widths of the pane and of the page. A narrow page is not blown up.
    pub(crate) fn ratio(self, pane_px: f64, width_px: f64) -> f64 {
        match self {
            Self::Ratio(ratio) => ratio,
            Self::Fit if pane_px <= 0.0 || width_px <= 0.0 => 1.0,
            Self::Fit => (pane_px / width_px).min(1.0),
        }
    }
}

/// The next larger step after `ratio`.
pub(crate) fn zoomed_in(ratio: f64) -> f64 {
    STEPS
        .into_iter()
        .find(|step| *step > ratio + STEP_TOLERANCE)
        .unwrap_or(STEPS[STEPS.len() - 1])
}

/// The next smaller step before `ratio`.
pub(crate) fn zoomed_out(ratio: f64) -> f64 {
    STEPS
        .into_iter()
        .rev()
        .find(|step| *step < ratio - STEP_TOLERANCE)
        .unwrap_or(STEPS[0])
}

/// How much of what is in view one key scrolls by: what was last in sight stays in sight.
const KEY_STEP: f64 = 0.9;

/// Where a key scrolls to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scroll {
    Down,
    Up,
    Start,
    End,
}

/// What part of the page is in view, as ratios of its size.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Window {
    pub(crate) top: f64,
    pub(crate) height: f64,
    pub(crate) left: f64,
    pub(crate) width: f64,
}

impl Window {
    /// Its middle, across and down.
    pub(crate) fn centre(self) -> (f64, f64) {
        (self.left + self.width / 2.0, self.top + self.height / 2.0)
    }

    /// Where its middle is after a scroll, down, as a ratio of the page's height; it may lie where nothing can be scrolled to.
    pub(crate) fn scrolled(self, scroll: Scroll) -> f64 {
        let (_, middle) = self.centre();
        match scroll {
            Scroll::Down => middle + KEY_STEP * self.height,
            Scroll::Up => middle - KEY_STEP * self.height,
            Scroll::Start => 0.0,
            Scroll::End => 1.0,
        }
    }

    /// Whether a point, across and down, is in view.
    pub(crate) fn holds(self, across: f64, down: f64) -> bool {
        (self.left..=self.left + self.width).contains(&across)
            && (self.top..=self.top + self.height).contains(&down)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fitting_never_enlarges() {
        assert!((Zoom::Fit.ratio(640.0, 1280.0) - 0.5).abs() < f64::EPSILON);
        assert!((Zoom::Fit.ratio(1000.0, 390.0) - 1.0).abs() < f64::EPSILON);
        assert!((Zoom::Fit.ratio(0.0, 390.0) - 1.0).abs() < f64::EPSILON);
    }

    #[test]
    fn keys_scroll_by_most_of_what_is_in_view_and_to_the_ends() {
        let window = Window {
            top: 0.5,
            height: 0.2,
            left: 0.0,
            width: 1.0,
        };
        for (scroll, middle) in [
            (Scroll::Down, 0.78),
            (Scroll::Up, 0.42),
            (Scroll::Start, 0.0),
            (Scroll::End, 1.0),
        ] {
            assert!(
                (window.scrolled(scroll) - middle).abs() < 1e-9,
                "{scroll:?}"
            );
        }
    }

    #[test]
    fn zoom_goes_by_steps_and_ends() {
        assert!((zoomed_in(0.43) - 0.5).abs() < f64::EPSILON);
        assert!((zoomed_in(8.0) - 8.0).abs() < f64::EPSILON);
        assert!((zoomed_out(1.0) - 0.75).abs() < f64::EPSILON);
        assert!((zoomed_out(0.1) - 0.1).abs() < f64::EPSILON);
    }
}
