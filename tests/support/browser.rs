//! A browser to look with.
