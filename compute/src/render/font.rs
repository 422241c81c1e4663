//! The capital letters as 5×7 dots, all that region labels need; no font file, no dependency.

/// Dots of a letter from left to right.
pub(crate) const GLYPH_WIDTH: u32 = 5;

/// Dots of a letter from top to bottom.
pub(crate) const GLYPH_HEIGHT: u32 = 7;

/// A to Z; a row of dots is five bits, the leftmost in the highest.
const GLYPHS: [[u8; GLYPH_HEIGHT as usize]; 26] = [
    [
        0b01110, 0b10001, 0b10001, 0b11111, 0b10001, 0b10001, 0b10001,
    ],
    [
        0b11110, 0b10001, 0b10001, 0b11110, 0b10001, 0b10001, 0b11110,
    ],
    [
        0b01111, 0b10000, 0b10000, 0b10000, 0b10000, 0b10000, 0b01111,
    ],
    [
        0b11110, 0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b11110,
    ],
    [
        0b11111, 0b10000, 0b10000, 0b11110, 0b10000, 0b10000, 0b11111,
    ],
    [
        0b11111, 0b10000, 0b10000, 0b11110, 0b10000, 0b10000, 0b10000,
    ],
    [
        0b01111, 0b10000, 0b10000, 0b10011, 0b10001, 0b10001, 0b01111,
    ],
    [
        0b10001, 0b10001, 0b10001, 0b11111, 0b10001, 0b10001, 0b10001,
    ],
    [
        0b11111, 0b00100, 0b00100, 0b00100, 0b00100, 0b00100, 0b11111,
    ],
    [
        0b00111, 0b00010, 0b00010, 0b00010, 0b00010, 0b10010, 0b01100,
    ],
    [
        0b10001, 0b10010, 0b10100, 0b11000, 0b10100, 0b10010, 0b10001,
    ],
    [
        0b10000, 0b10000, 0b10000, 0b10000, 0b10000, 0b10000, 0b11111,
    ],
    [
        0b10001, 0b11011, 0b10101, 0b10101, 0b10001, 0b10001, 0b10001,
    ],
    [
        0b10001, 0b11001, 0b11001, 0b10101, 0b10011, 0b10011, 0b10001,
    ],
    [
        0b01110, 0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b01110,
    ],
    [
        0b11110, 0b10001, 0b10001, 0b11110, 0b10000, 0b10000, 0b10000,
    ],
    [
        0b01110, 0b10001, 0b10001, 0b10001, 0b10101, 0b10010, 0b01101,
    ],
    [
        0b11110, 0b10001, 0b10001, 0b11110, 0b10100, 0b10010, 0b10001,
    ],
    [
        0b01111, 0b10000, 0b10000, 0b01110, 0b00001, 0b00001, 0b11110,
    ],
    [
        0b11111, 0b00100, 0b00100, 0b00100, 0b00100, 0b00100, 0b00100,
    ],
    [
        0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b01110,
    ],
    [
        0b10001, 0b10001, 0b10001, 0b10001, 0b01010, 0b01010, 0b00100,
    ],
    [
        0b10001, 0b10001, 0b10001, 0b10101, 0b10101, 0b11011, 0b10001,
    ],
    [
        0b10001, 0b10001, 0b01010, 0b00100, 0b01010, 0b10001, 0b10001,
    ],
    [
        0b10001, 0b10001, 0b01010, 0b00100, 0b00100, 0b00100, 0b00100,
    ],
    [
        0b11111, 0b00001, 0b00010, 0b00100, 0b01000, 0b10000, 0b11111,
    ],
];

/// Whether a capital letter has a dot there; other characters have none.
pub(crate) fn glyph_has(letter: char, column: u32, row: u32) -> bool {
    let index = u32::from(letter)
        .checked_sub(u32::from('A'))
        .map(|index| index as usize);
    let bits = index
        .and_then(|index| GLYPHS.get(index))
        .and_then(|glyph| glyph.get(row as usize));
    column < GLYPH_WIDTH && bits.is_some_and(|bits| bits >> (GLYPH_WIDTH - 1 - column) & 1 == 1)
}
