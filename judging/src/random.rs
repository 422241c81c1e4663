//! A small deterministic generator: `SplitMix64`, as in Steele, Lea and Flood, "Fast Splittable
//! Pseudorandom Number Generators" (OOPSLA 2014), with the constants of Vigna's public-domain
//! `splitmix64.c`.

/// A stream of numbers that hangs on its seed alone.
pub(crate) struct Random(u64);

impl Random {
    /// The stream of a seed.
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`; the bias of the remainder does not matter for bounds this small.
    pub(crate) fn below(&mut self, bound: u32) -> u32 {
        u32::try_from(self.next() % u64::from(bound)).expect("less than a u32")
    }

    /// One of the given values.
    pub(crate) fn pick<'a, T>(&mut self, values: &'a [T]) -> &'a T {
        &values[self.index(values.len())]
    }

    /// Puts the values in any order (Fisher and Yates).
    pub(crate) fn shuffle<T>(&mut self, values: &mut [T]) {
        for end in (1..values.len()).rev() {
            values.swap(end, self.index(end + 1));
        }
    }

    fn index(&mut self, length: usize) -> usize {
        self.below(u32::try_from(length).expect("short lists")) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::Random;

    /// The first numbers that the reference implementation gives for this seed.
    #[test]
    fn is_splitmix64() {
        let mut random = Random::new(1_234_567);
        assert_eq!(random.next(), 6_457_827_717_110_365_317);
        assert_eq!(random.next(), 3_203_168_211_198_807_973);
    }
}
