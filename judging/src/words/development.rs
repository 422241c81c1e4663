//! The wording of the development half, in several voices.

mod backend;
mod chatty;
mod conventional;
mod designer;
mod elsewhere;
mod junior;
mod marketer;
mod plain;
mod product;
mod sayings;
mod terse;
mod ticket;
mod translator;

use super::Template;

pub(super) use elsewhere::ELSEWHERE;
pub(super) use sayings::NOTHING_VISUAL;

/// Every voice has its own words for every edit.
pub(super) static VOICES: [[Template; 32]; 11] = [
    plain::TEMPLATES,
    terse::TEMPLATES,
    chatty::TEMPLATES,
    ticket::TEMPLATES,
    conventional::TEMPLATES,
    marketer::TEMPLATES,
    backend::TEMPLATES,
    translator::TEMPLATES,
    designer::TEMPLATES,
    product::TEMPLATES,
    junior::TEMPLATES,
];
