//! Everything the crate promises, tested through its public door on pictures made in code.

/// Rows that were inserted, removed or moved are found exactly, and nothing else is.
mod alignment;
/// Files that are damaged, hostile or no PNG at all.
mod bad_input;
/// Comparing on both backends, which must agree: what all others use.
mod both;
/// Areas cut out of pictures.
mod crops;
/// Stored captures that are damaged, or another version's.
mod damaged_strips;
/// Scores of pages of few windows.
mod few_windows;
/// Exact numbers for small pictures made by hand.
mod figures;
/// Every kind of PNG file shows its pixels.
mod files;
/// One picture in every form it can be handed in gives one result.
mod forms;
/// What the check of a graphics adapter finds and prints.
mod gpu_check;
/// What regions are said to be.
mod kinds;
/// Masks as PNG files.
mod masks;
/// Files that are read piece by piece tell what those in memory do.
mod on_disk;
/// Pictures made in code, used by all others.
mod pages;
/// The GPU path gives what the CPU path gives, case by case.
mod parity;
/// Pages made to be slow to compare.
mod pathological;
/// What holds for every pair of pictures.
mod properties;
/// The annotated picture.
mod rendering;
/// Tables made in code.
mod tables;
/// Small pictures of pages.
mod thumbnails;
