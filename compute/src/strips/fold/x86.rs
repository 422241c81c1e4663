//! Opaque cells unfolded without asking which kind each is: three vectors, whose bytes are put in order by the kind. In
//! instructions that x86-64 processors with AVX2 have.

use std::arch::x86_64::__m128i;
use std::hint::select_unpredictable;

use pulp::NullaryFnOnce;
use pulp::x86::V3;

use super::{ABOVE, ANYTHING, CELL_PX, GREY, LEFT, OPAQUE, Row};

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

/// For each kind of cell, how many bytes of its own it has.
const TAKEN: [usize; 4] = {
    let mut taken = [0; 4];
    taken[GREY as usize] = CELL_PX;
    taken[ANYTHING as usize] = OPAQUE;
    taken
};

/// Unfolds the whole cells of a row; says where those behind them begin.
pub(super) struct Unfold<'r> {
    pub(super) simd: V3,
    pub(super) row: Row,
    pub(super) room: &'r mut [u8],
    pub(super) kinds: &'r [[u8; 2]],
}

impl NullaryFnOnce for Unfold<'_> {
    type Output = Option<usize>;

    #[inline(always)]
    fn call(self) -> Option<usize> {
        let simd = self.simd;
        self.row
            .unfold_by::<OPAQUE>(self.room, self.kinds, |row, room, kind, to| {
                unfold_cell(simd, row, room, kind, to)
            })
    }
}

/// Puts one cell where it belongs, and goes on to the next.
#[inline(always)]
fn unfold_cell(simd: V3, row: &mut Row, room: &mut [u8], kind: u16, to: usize) -> Option<()> {
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
    row.from += TAKEN[usize::from(kind)];
    Some(())
}

const _: () = assert!(ABOVE == 0 && ABOVE < LEFT && LEFT < GREY);
