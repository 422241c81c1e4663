//! Compares pages that are laid out by a small block layout, so that rectangles hold together.

/// What several comparisons have in common.
mod agree;
/// Each kind of change.
mod changes;
/// What follows from changes.
mod consequences;
mod damage;
mod flaws;
/// What texts lie on, and lose.
mod grounds;
/// What is missed with what it lay in.
mod lost;
/// What is left out of every comparison.
mod masked;
/// Titles, metas, links and structured data.
mod metadata;
/// Random pages with random changes.
mod planted;
mod pulled;
/// Input that is not a tree.
mod unreadable;
/// What goes over the wire.
mod wire;

/// Builds pages.
mod page;
