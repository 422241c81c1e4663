//! The rule for 32 opaque pixels at a time.
//!
//! Of a pixel its rank is all that the rule needs: [ranks](crate::metric::rank) are in the order of brightness, and two
//! pixels have the same rank only if they have the same colour.

mod portable;
#[cfg(target_arch = "x86_64")]
mod x86;

use super::Neighbourhood;

/// What was made of the neighbourhood of a word; the word below it shares most of that.
pub(super) enum Recent {
    /// In whatever vectors the processor has.
    Portable(Box<portable::Recent>),
    /// In those of AVX2.
    #[cfg(target_arch = "x86_64")]
    ByEight(pulp::x86::V3, Box<x86::Recent>),
}

impl Default for Recent {
    /// As it is done fastest here. Registers are twice as many and twice as long with AVX-512, so that there the portable way keeps
    /// within them.
    fn default() -> Self {
        #[cfg(target_arch = "x86_64")]
        if pulp::x86::V4::try_new().is_none()
            && let Some(simd) = pulp::x86::V3::try_new()
        {
            return Self::ByEight(simd, Box::default());
        }
        Self::Portable(Box::default())
    }
}

impl Recent {
    /// Forgets the word before, which may have been another picture's.
    pub(super) fn forget(&mut self) {
        match self {
            Self::Portable(recent) => recent.forget(),
            #[cfg(target_arch = "x86_64")]
            Self::ByEight(_, recent) => recent.forget(),
        }
    }

    /// Wanted pixels from which on a whole word is decided faster than they are one by one.
    pub(super) fn worth_a_word(&self) -> u32 {
        match self {
            Self::Portable(_) => 2,
            #[cfg(target_arch = "x86_64")]
            Self::ByEight(..) => 1,
        }
    }

    /// Which of the wanted pixels of the word that begins in column `first` the rule recognises, one bit each.
    pub(super) fn find(&mut self, around: &Neighbourhood<'_, 3>, first: u32, wanted: u32) -> u32 {
        let found = match self {
            Self::Portable(recent) => portable::find(around, first, recent),
            #[cfg(target_arch = "x86_64")]
            Self::ByEight(simd, recent) => x86::find(*simd, around, first, wanted, recent),
        };
        found & wanted
    }
}

#[cfg(test)]
mod tests;
