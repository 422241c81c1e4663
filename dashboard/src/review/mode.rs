//! The ways of showing the two captures of a page.

/// How the two captures are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    SideBySide,
    Swipe,
    Overlay,
    Blink,
    /// Only what changed stands out: the mask over a current capture that is hardly to be seen.
    Difference,
}

impl Mode {
    /// In the order of their buttons and keys.
    pub(crate) const ALL: [Self; 5] = [
        Self::SideBySide,
        Self::Swipe,
        Self::Overlay,
        Self::Blink,
        Self::Difference,
    ];

    /// Whether a page can be shown so. Without a mask its difference would be an all but empty page.
    pub(crate) fn fits(self, has_both: bool, has_mask: bool) -> bool {
        has_both && (has_mask || self != Self::Difference)
    }

    /// The mode in effect where this one was chosen: a page that cannot be shown so is shown as the overlay shows it.
    pub(crate) fn on(self, has_both: bool, has_mask: bool) -> Self {
        if self.fits(has_both, has_mask) {
            self
        } else {
            Self::Overlay
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_shown_as_chosen_where_it_has_what_that_takes() {
        for mode in Mode::ALL {
            assert_eq!(mode.on(true, true), mode);
            assert_eq!(mode.on(false, false), Mode::Overlay);
            assert!(!mode.fits(false, true), "{mode:?}");
        }
        assert_eq!(Mode::Difference.on(true, false), Mode::Overlay);
        assert!(!Mode::Difference.fits(true, false));
        assert_eq!(Mode::Swipe.on(true, false), Mode::Swipe);
    }
}
