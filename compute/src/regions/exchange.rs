//! Whether a region shows the same shapes in other colours.
//!
//! Where the pixels of one colour all became pixels of another one, the colour before foretells the colour after, and the other
//! way round. How well it does is the correlation ratio of K. Pearson: the share of the colours' variance that is between the
//! groups of pixels which show one colour in the other picture, not within them. A. Roche, G. Malandain, X. Pennec and N.
//! Ayache, "The correlation ratio as a new similarity measure for multimodal image registration" (MICCAI 1998), measure by it
//! whether pictures whose colours have nothing to do with each other show the same shapes. Here the variances are estimated as
//! from samples, as T. L. Kelley does ("An unbiased correlation ratio measure", PNAS 21, 1935).

use rustc_hash::FxHashMap;

use crate::pair::{Both, Pair};

use super::near::{Near, NearRow};

/// Least correlation ratio, both ways. Texts, icons and boxes in other colours have 0.998 and more, the same text drawn a part
/// of a pixel further at most 0.993.
const LEAST_RATIO: f64 = 0.997;

/// A pixel whose colour is further, in levels of a channel, from what its group became is an exception.
const EXCEPTION_LEVELS: u8 = 32;

/// One pixel of so many may be an exception: two colours may mix to one that is a third's.
const PIXELS_AN_EXCEPTION: u64 = 200;

/// Groups are of so many pixels or more, in the mean: of a photograph each pixel has a colour of its own, which foretells
/// whatever became of it.
const PIXELS_A_GROUP: u64 = 2;

/// Pairs of colours of a region; a page with gradients and texts has a few thousand.
const MAX_PAIRS: usize = 1 << 16;

/// Pixels after which, and after twice as many, four times and so on, a region is given up whose ratio is far too low.
const FIRST_CHECK: u64 = 256;
const HOPELESS_RATIO: f64 = 0.9;

/// Whether, near its changes, the current picture shows the baseline's shapes in other colours.
pub(super) fn are_exchanged(pair: &mut Pair<'_>, near: Near<'_>) -> bool {
    let mut row = NearRow::default();
    let mut pairs = Pairs::default();
    let mut check_at = FIRST_CHECK;
    let mut next_room = 0;
    for y in near.rows(pair).filter(|&y| near.is_in_box(y)) {
        pair.make_room_on_the_way(y, &mut next_room);
        near.read(pair, y, &mut row);
        for both in row.in_box() {
            pairs.add(both);
        }
        pairs.flush();
        if pairs.counts.len() > MAX_PAIRS {
            return false;
        }
        if pairs.pixels >= check_at {
            check_at = pairs.pixels * 2;
            if pairs.correlations().any(|it| it.ratio < HOPELESS_RATIO) {
                return false;
            }
        }
    }
    pairs.correlations().all(|it| {
        it.ratio >= LEAST_RATIO
            && it.exceptions * PIXELS_AN_EXCEPTION <= pairs.pixels
            && it.groups * PIXELS_A_GROUP <= pairs.pixels
    })
}

/// How many pixels show each pair of colours.
#[derive(Default)]
struct Pairs {
    counts: FxHashMap<Both, u64>,
    pixels: u64,
    /// Most pixels are like the one before.
    run: Option<(Both, u64)>,
}

impl Pairs {
    fn add(&mut self, both: Both) {
        match &mut self.run {
            Some((of, length)) if *of == both => *length += 1,
            _ => {
                self.flush();
                self.run = Some((both, 1));
            }
        }
    }

    fn flush(&mut self) {
        if let Some((of, length)) = self.run.take() {
            *self.counts.entry(of).or_default() += length;
            self.pixels += length;
        }
    }

    /// How well the baseline's colours foretell the current ones, and these the baseline's. Either is worked out when it is asked
    /// for: the first one rules most regions out.
    fn correlations(&self) -> impl Iterator<Item = Correlation> {
        let backwards = |(before, after)| (after, before);
        [|both| both, backwards].into_iter().map(|turned| {
            let counts = self.counts.iter();
            let counts = counts.map(move |(&both, &count)| (turned(both), count));
            Correlation::of(counts, self.pixels)
        })
    }
}

/// How well one colour of a pixel foretells the other one.
struct Correlation {
    /// 1 where it always does, 0 where it tells nothing.
    ratio: f64,
    /// Colours that foretell.
    groups: u64,
    /// Pixels whose other colour is far from the mean of their group.
    exceptions: u64,
}

impl Correlation {
    /// Of pairs of colours, and how many pixels have each.
    fn of(counts: impl Iterator<Item = (Both, u64)> + Clone, pixels: u64) -> Self {
        let mut groups: FxHashMap<[u8; 4], Colors> = FxHashMap::default();
        let mut all = Colors::default();
        for ((telling, told), count) in counts.clone() {
            groups.entry(telling).or_default().add(told, count);
            all.add(told, count);
        }
        let within: f64 = groups.values().map(Colors::spread).sum();
        let whole = all.spread();
        let is_exception = |&((telling, told), _): &(Both, u64)| {
            let mean = groups[&telling].mean();
            (mean.iter().zip(told))
                .any(|(mean, level)| (mean - f64::from(level)).abs() > f64::from(EXCEPTION_LEVELS))
        };
        let exceptions = counts.filter(is_exception).map(|(_, count)| count).sum();
        let groups = groups.len() as u64;
        // As estimated from samples: the mean of a small group is near each of its pixels.
        let degrees = [pixels - groups, pixels - 1];
        let ratio = if within == 0.0 {
            1.0
        } else {
            1.0 - within / degrees[0] as f64 * (degrees[1] as f64 / whole)
        };
        Self {
            ratio,
            groups,
            exceptions,
        }
    }
}

/// Sums over the colours of some pixels.
#[derive(Default)]
struct Colors {
    count: u64,
    levels: [u64; 4],
    squares: u64,
}

impl Colors {
    fn add(&mut self, color: [u8; 4], count: u64) {
        self.count += count;
        for (sum, level) in self.levels.iter_mut().zip(color) {
            *sum += u64::from(level) * count;
            self.squares += u64::from(level).pow(2) * count;
        }
    }

    fn mean(&self) -> [f64; 4] {
        self.levels.map(|sum| sum as f64 / self.count as f64)
    }

    /// Summed squared distance from the mean, over all channels; exactly 0 for pixels of one colour.
    fn spread(&self) -> f64 {
        let count = u128::from(self.count);
        let of_means: u128 = self.levels.iter().map(|&sum| u128::from(sum).pow(2)).sum();
        (count * u128::from(self.squares) - of_means) as f64 / self.count as f64
    }
}

/// A look at pixels, one after the other, that soon tells of most regions that their colours were not exchanged: some of the
/// colours seen first became one colour here and another there.
pub(super) struct FirstLook {
    /// Of some of the baseline's colours what they became, and of some of the current ones what they were.
    colors: [[Option<Became>; FirstLook::COLORS]; 2],
    /// Most pixels are like the one before.
    last: Option<Both>,
    pixels: u64,
    contradictions: u64,
}

#[derive(Clone, Copy)]
struct Became {
    from: [u8; 4],
    to: [u8; 4],
    /// By how many more pixels that say so than say otherwise.
    lead: u32,
}

impl Default for FirstLook {
    fn default() -> Self {
        Self {
            colors: [[None; Self::COLORS]; 2],
            last: None,
            pixels: 0,
            contradictions: 0,
        }
    }
}

impl FirstLook {
    const COLORS: usize = 32;

    /// Contradictions that are no matter; as many exceptions come besides as a region may have.
    const FREE: u64 = 4;

    /// Pixels that tell enough.
    const ENOUGH: u64 = 1024;

    pub(super) fn add(&mut self, both: Both) {
        self.pixels += 1;
        if self.last.replace(both) == Some(both) {
            return;
        }
        let (before, after) = both;
        let ways = [(before, after), (after, before)];
        for (colors, (from, to)) in self.colors.iter_mut().zip(ways) {
            let [red, green, blue, _] = from.map(usize::from);
            let known = &mut colors[(red * 7 + green * 3 + blue) % Self::COLORS];
            match known {
                Some(became) if became.from == from => {
                    self.contradictions += u64::from(!became.agrees(to));
                }
                Some(_) => {}
                None => *known = Some(Became { from, to, lead: 1 }),
            }
        }
    }

    /// Whether more pixels would tell no more.
    pub(super) fn is_over(&self) -> bool {
        !self.is_likely() || self.pixels >= Self::ENOUGH
    }

    /// Whether few pixels contradicted each other.
    pub(super) fn is_likely(&self) -> bool {
        self.contradictions <= Self::FREE + self.pixels / PIXELS_AN_EXCEPTION
    }
}

impl Became {
    /// Whether a pixel agrees with those before it; the majority counts.
    fn agrees(&mut self, to: [u8; 4]) -> bool {
        let is_other = (self.to.into_iter().zip(to))
            .any(|(one, other)| one.abs_diff(other) > EXCEPTION_LEVELS);
        if !is_other {
            self.lead = self.lead.saturating_add(1);
        } else if self.lead == 0 {
            (self.to, self.lead) = (to, 1);
        } else {
            self.lead -= 1;
        }
        !is_other
    }
}
