//! Opaque cells unfolded as three vectors each, whose bytes are put in order by the kind of the cell instead of asking for it;
//! only those that are near take a way of their own. In instructions that x86-64 processors with AVX2 have.

use std::arch::x86_64::__m128i;
use std::hint::select_unpredictable;

use pulp::NullaryFnOnce;
use pulp::x86::V3;

use super::{
    ABOVE, ANYTHING, CELL_PX, GREY, LEFT, LESS, MORE, NEAR, OPAQUE, Row, STEPS, STEPS_TOGETHER,
};

/// Stands for a byte of zeros where bytes are put in another order.
const NONE: u8 = 0x80;

/// How the three vectors of a cell come of those that are read: the first of the first, the others of the first and of the one
/// at their own place.
struct Orders {
    first: [u8; 16],
    others: [[[u8; 16]; 2]; 2],
}

/// As they are.
const AS_READ: Orders = {
    let mut same = [0; 16];
    let mut at = 0_u8;
    while at < 16 {
        same[at as usize] = at;
        at += 1;
    }
    Orders {
        first: same,
        others: [[[NONE; 16], same]; 2],
    }
};

/// Each byte three times.
const THREEFOLD: Orders = {
    let mut orders = Orders {
        first: [0; 16],
        others: [[[0; 16], [NONE; 16]]; 2],
    };
    let mut at = 0_u8;
    while at < 16 {
        orders.first[at as usize] = at / 3;
        orders.others[0][0][at as usize] = (at + 16) / 3;
        orders.others[1][0][at as usize] = (at + 32) / 3;
        at += 1;
    }
    orders
};

/// For each kind of cell but [`NEAR`], how many bytes of its own it has.
const TAKEN: [usize; 4] = {
    let mut taken = [0; 4];
    taken[GREY as usize] = CELL_PX;
    taken[ANYTHING as usize] = OPAQUE;
    taken
};

/// Where each byte of the three vectors of a near cell has its step: the byte of steps, and its bit for one more and for one
/// less.
const STEP_BYTES: [[u8; 16]; 3] = {
    let mut bytes = [[0; 16]; 3];
    let (mut at, mut byte) = (0, 0);
    while at < OPAQUE {
        bytes[at / 16][at % 16] = byte;
        at += 1;
        if at.is_multiple_of(STEPS_TOGETHER) {
            byte += 1;
        }
    }
    bytes
};
const STEP_BITS: [[u8; 16]; 2] = {
    let mut bits = [[0; 16]; 2];
    let mut at = 0;
    while at < 16 {
        bits[0][at] = MORE << (at % STEPS_TOGETHER * 2);
        bits[1][at] = LESS << (at % STEPS_TOGETHER * 2);
        at += 1;
    }
    bits
};

/// Unfolds the whole cells of a row.
pub(super) struct Unfold<'r, 's> {
    pub(super) simd: V3,
    pub(super) row: &'r mut Row<'s>,
    pub(super) room: &'r mut [u8],
    pub(super) kinds: &'r [u32],
}

impl NullaryFnOnce for Unfold<'_, '_> {
    type Output = Option<()>;

    #[inline(always)]
    fn call(self) -> Option<()> {
        let simd = self.simd;
        self.row
            .unfold_by::<OPAQUE>(self.room, self.kinds, |row, room, kind, to| {
                unfold_cell(simd, row, room, kind, to)
            })
    }
}

/// Puts one cell where it belongs, and goes on to the next.
#[inline(always)]
fn unfold_cell(simd: V3, row: &mut Row<'_>, room: &mut [u8], kind: u32, to: usize) -> Option<()> {
    // A processor guesses this branch well: where one cell is near, those beside and below it are, too.
    if kind == NEAR {
        return unfold_near(simd, row, room, to);
    }
    let back = select_unpredictable(kind == LEFT, OPAQUE, row.stride);
    let at = select_unpredictable(kind <= LEFT, to - back, row.from);
    let Some(read) = room.get(at..).and_then(<[u8]>::first_chunk::<OPAQUE>) else {
        // The last cells, when they are grey, are shorter than what is read at once.
        return row.unfold_cell::<OPAQUE>(room, kind, to);
    };
    let [one, two, three]: [__m128i; 3] = pulp::cast(*read);
    let orders = [&AS_READ, &THREEFOLD][usize::from(kind == GREY)];
    let ordered = |bytes, order: [u8; 16]| simd.ssse3._mm_shuffle_epi8(bytes, pulp::cast(order));
    let other = |own, orders: [[u8; 16]; 2]| {
        let of_first = ordered(one, orders[0]);
        simd.sse2._mm_or_si128(of_first, ordered(own, orders[1]))
    };
    let cell = [
        ordered(one, orders.first),
        other(two, orders.others[0]),
        other(three, orders.others[1]),
    ];
    *room.get_mut(to..)?.first_chunk_mut::<OPAQUE>()? = pulp::cast(cell);
    row.from += TAKEN[kind as usize];
    Some(())
}

/// Puts a cell that is nearly the one above where it belongs.
#[inline(always)]
fn unfold_near(simd: V3, row: &mut Row<'_>, room: &mut [u8], to: usize) -> Option<()> {
    let mut steps = [0; 16];
    steps[..STEPS].copy_from_slice(&row.next_steps()?);
    let steps: __m128i = pulp::cast(steps);
    let [more, less]: [__m128i; 2] = STEP_BITS.map(pulp::cast);
    let above: [__m128i; 3] = pulp::cast(*room.get(to - row.stride..)?.first_chunk::<OPAQUE>()?);
    let sse2 = simd.sse2;
    let mut cell = above;
    for (bytes, at) in cell.iter_mut().zip(STEP_BYTES) {
        let steps = simd.ssse3._mm_shuffle_epi8(steps, pulp::cast(at));
        // Minus one where it has the bit.
        let has = |bits| sse2._mm_cmpeq_epi8(sse2._mm_and_si128(steps, bits), bits);
        *bytes = sse2._mm_add_epi8(sse2._mm_sub_epi8(*bytes, has(more)), has(less));
    }
    *room.get_mut(to..)?.first_chunk_mut::<OPAQUE>()? = pulp::cast(cell);
    Some(())
}

const _: () = assert!(ABOVE < LEFT && LEFT < GREY && GREY < ANYTHING && ANYTHING + 1 == NEAR);
