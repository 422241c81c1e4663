//! Everything the crate promises, tested through its public door on pictures made in code.

/// Files that are damaged, hostile or no PNG at all.
mod bad_input;
/// Exact numbers for small pictures made by hand.
mod figures;
/// Masks as PNG files.
mod masks;
/// Pictures made in code, used by all others.
mod pages;
/// The GPU path gives what the CPU path gives, case by case.
mod parity;
/// What holds for every pair of pictures.
mod properties;
/// The annotated picture and thumbnails.
mod rendering;
