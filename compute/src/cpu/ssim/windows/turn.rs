//! Columns made of rows, so that what is filtered along a row lies as what is filtered down a column.

#[cfg(target_arch = "x86_64")]
mod x86;

use pulp::Simd;

use super::super::vectors::{Group, Square};

#[cfg(target_arch = "x86_64")]
pub(super) use x86::ByEight;

/// A way to make columns of rows.
pub(super) trait Turn<S: Simd>: Copy {
    fn turn(self, simd: S, rows: &Square, columns: &mut Square);
}

/// On any processor: value by value.
#[derive(Clone, Copy)]
pub(super) struct Portable;

impl<S: Simd> Turn<S> for Portable {
    #[inline(always)]
    fn turn(self, _: S, rows: &Square, columns: &mut Square) {
        for (at, column) in columns.iter_mut().enumerate() {
            *column = Group(rows.map(|row| row.0[at]));
        }
    }
}
