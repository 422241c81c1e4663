//! A row of a picture, blurred along itself.

/// Weights of a pixel and of its two neighbours, and the sum of all three.
const WEIGHTS: [u16; 2] = [2, 1];
pub(super) const SUM: i32 = 4;

/// What some columns of a row show, of N channels one after the other.
pub(super) struct Blurred {
    /// Each pixel with its neighbours, [`SUM`] times.
    sums: Vec<u16>,
    /// The least and the most of a pixel and its neighbours.
    least: Vec<u8>,
    most: Vec<u8>,
}

impl Blurred {
    /// That of pixels beside each other; the first and the last one stand for what lies beyond them.
    pub(super) fn of(pixels: &[u8], channels: usize) -> Self {
        let last = &pixels[pixels.len() - channels..];
        let padded = [&pixels[..channels], pixels, last].concat();
        let [left, right] = [&padded[..pixels.len()], &padded[2 * channels..]];
        let [own_weight, weight] = WEIGHTS;
        let beside = || left.iter().zip(right).zip(pixels);
        Self {
            sums: beside()
                .map(|((&left, &right), &own)| {
                    own_weight * u16::from(own) + weight * (u16::from(left) + u16::from(right))
                })
                .collect(),
            least: beside()
                .map(|((&left, &right), &own)| left.min(right).min(own))
                .collect(),
            most: beside()
                .map(|((&left, &right), &own)| left.max(right).max(own))
                .collect(),
        }
    }

    /// The sums of a pixel, by its number.
    pub(super) fn sums<const N: usize>(&self, at: usize) -> &[u16; N] {
        &self.sums.as_chunks().0[at]
    }

    /// The least and the most around a pixel.
    pub(super) fn around<const N: usize>(&self, at: usize) -> [&[u8; N]; 2] {
        [&self.least, &self.most].map(|all| &all.as_chunks().0[at])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pixels_are_weighed_with_those_beside_them() {
        let blurred = Blurred::of(&[10, 1, 50, 2, 20, 9], 2);
        assert_eq!(
            [0, 1, 2].map(|at| *blurred.sums(at)),
            [[80, 5], [130, 14], [110, 29]]
        );
        assert_eq!(blurred.around(1), [&[10, 1], &[50, 9]]);
        assert_eq!(blurred.around(2), [&[20, 2], &[50, 9]]);
    }

    #[test]
    fn one_pixel_stands_for_all_beside_it() {
        let blurred = Blurred::of(&[7, 8, 9], 3);
        assert_eq!(blurred.sums(0), &[28, 32, 36]);
        assert_eq!(blurred.around(0), [&[7, 8, 9], &[7, 8, 9]]);
    }
}
