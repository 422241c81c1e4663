//! What people wrote, cut into sentences that tell, or promise, one thing each.

use std::cmp::Reverse;

use super::conditions::begin_a_limit;
use super::promise::{Promise, is_apart, promises_alone, words_kept};
use super::quoted::unquoted;
use super::statement::is_spared;
use super::stays::{STAYS, says_it_goes_on, says_to_stay};
use super::terms::Terms;
use super::unmade::is_unmade;

/// Sentences of one text that are looked at.
const MAX_SENTENCES: usize = 200;

/// Words for what is not spoken of otherwise.
pub(super) const THE_REST: &[&str] = &["else", "other", "others", "otherwise", "remaining", "rest"];

/// Words for all that there is, which may be said of the rest.
const ALL: &[&str] = &["contents", "everything"];

/// Words that say besides those for what stays that nothing happens to it.
const AS_IT_WAS: &[&str] = &["same", "still", "unchanged"];

/// Words that begin a clause on what the clause before it is about.
const GOES_ON: &[&str] = &[
    "becomes", "gets", "goes", "grows", "has", "is", "leads", "looks", "moves", "now", "points",
    "reads", "says", "shows", "shrinks", "turns",
];

/// The sentences of a text, cut where a new thing is told.
pub(super) fn sentences(text: &str) -> Vec<String> {
    text.split('\n')
        .flat_map(|line| cut_at(line, &[";", ". "]))
        .flat_map(parts_of_sentence)
        .map(|sentence| sentence.trim().trim_end_matches('.').to_owned())
        .filter(|sentence| !sentence.is_empty())
        .take(MAX_SENTENCES)
        .collect()
}

/// The parts of a sentence.
fn parts_of_sentence(sentence: &str) -> Vec<&str> {
    let parts = cut_entry(sentence).into_iter();
    let parts = parts.flat_map(clauses).flat_map(without_promises).collect();
    uncut_from_what_is_unmade(sentence, parts)
}

/// The parts of a sentence in which what was not done is left whole, up to what is promised behind it or to the end, which may say
/// so: “we considered hiding the banner and moving the menu, but kept both”.
fn uncut_from_what_is_unmade<'s>(sentence: &'s str, mut parts: Vec<&'s str>) -> Vec<&'s str> {
    if is_unmade(sentence) {
        let first = parts.iter().position(|part| is_unmade(part)).unwrap_or(0);
        let begins = |part: &str| part.as_ptr() as usize - sentence.as_ptr() as usize;
        let uncut = |last: &str| &sentence[begins(parts[first])..begins(last) + last.len()];
        let is_promised =
            |at: &usize| promises_alone(parts[*at]) && is_unmade(uncut(parts[at - 1]));
        let end = (first + 1..parts.len())
            .find(is_promised)
            .unwrap_or(parts.len());
        let whole = uncut(parts[end - 1]);
        parts.splice(first..end, [whole]);
    }
    parts
}

/// A text cut at these words, but for those within what it quotes.
fn cut_at<'t>(text: &'t str, joints: &[&str]) -> Vec<&'t str> {
    let blank = unquoted(text);
    let mut ends: Vec<(usize, &str)> = (joints.iter())
        .flat_map(|joint| blank.match_indices(joint))
        .collect();
    ends.sort_unstable();
    let (mut parts, mut from) = (Vec::new(), 0);
    for (at, joint) in ends {
        parts.push(&text[from..at]);
        from = at + joint.len();
    }
    parts.push(&text[from..]);
    parts
}

/// A sentence cut at each “and”, but where it would part what is promised from the promise: “prices and the footer must not
/// change” is of both. Behind a comma begins another clause.
fn clauses(sentence: &str) -> Vec<&str> {
    const AND: &str = " and ";
    let mut clauses: Vec<&str> = Vec::new();
    let mut from = 0;
    let cut = words_kept(sentence).unwrap_or(sentence);
    let blank = unquoted(cut);
    let ends = blank.match_indices(AND).map(|(at, _)| at);
    for to in ends.chain([sentence.len()]) {
        let begins = from;
        let clause = &sentence[begins..to];
        from = (to + AND.len()).min(sentence.len());
        let goes_on = clause.split_whitespace().next();
        let goes_on = goes_on.is_some_and(|first| GOES_ON.contains(&first));
        let is_of_the_last = (clauses.last()).is_some_and(|last| {
            goes_on || (says_to_stay(clause) && !says_to_stay(last) && is_a_name(last))
        });
        if is_of_the_last {
            let last = clauses.pop().unwrap_or_default();
            let start = last.as_ptr() as usize - sentence.as_ptr() as usize;
            clauses.push(&sentence[start..to]);
        } else {
            clauses.push(clause);
        }
    }
    clauses
}

/// Whether a clause is no more than what something is called.
fn is_a_name(clause: &str) -> bool {
    const MAX_WORDS: usize = 6;
    !clause.ends_with(',') && clause.split_whitespace().count() <= MAX_WORDS && !tells(clause)
}

/// Whether a clause tells a change by itself.
pub(super) fn tells(clause: &str) -> bool {
    const TELLS: [&str; 8] = [
        "is", "are", "now", "goes", "gets", "becomes", "become", "leads",
    ];
    let mut words = clause.split_whitespace();
    words.any(|word| TELLS.contains(&word)) || Terms::of_sentence(clause).0.is_done
}

/// A sentence that tells a change and says in its last or its first clause that something else stays, in parts; any other as it
/// is.
fn without_promises(sentence: &str) -> Vec<&str> {
    const JOINT: &str = ", ";
    let blank = unquoted(sentence);
    let cut = |at: usize| [&sentence[..at], &sentence[at + JOINT.len()..]];
    let stays = |clause: &str| {
        let goes_on = says_it_goes_on(clause) && !is_spared(clause, sentence);
        goes_on || promises_by_itself(clause)
    };
    let tells_more = |clause: &str| {
        let first = clause.split_whitespace().next().unwrap_or("");
        let is_told = tells(clause) || matches!(first, "just" | "only");
        is_told && !says_to_stay(clause) && !says_it_goes_on(clause) && !is_beside(clause)
    };
    let last = (blank.rfind(JOINT).map(cut)).filter(|[told, kept]| tells_more(told) && stays(kept));
    let first = (blank.find(JOINT).map(cut)).filter(|[kept, told]| tells_more(told) && stays(kept));
    let parts = last.or(first).filter(|_| words_kept(sentence).is_none());
    parts.map_or_else(|| vec![sentence], Vec::from)
}

/// Whether a clause promises something that it names, or that nothing happens to the rest.
fn promises_by_itself(clause: &str) -> bool {
    let mut words = clause.split(|letter: char| !letter.is_alphabetic());
    Promise::of(clause).is_some()
        || (says_to_stay(clause) && words.any(|word| THE_REST.contains(&&*word.to_lowercase())))
}

/// Whether a clause only says when what stands beside it holds, or more of what that names.
fn is_beside(clause: &str) -> bool {
    const WHICH: [&str; 4] = ["that", "which", "who", "whose"];
    let clause = clause.to_lowercase();
    let words: Vec<&str> = clause.split_whitespace().collect();
    begin_a_limit(&words) || words.first().is_some_and(|first| WHICH.contains(first))
}

/// An entry of the list of changes that are expected, cut where another change is told, or promised not to happen.
pub(super) fn parts_of_entry(entry: &str) -> Vec<&str> {
    uncut_from_what_is_unmade(entry, cut_entry(entry))
}

fn cut_entry(entry: &str) -> Vec<&str> {
    const JOINTS: [&str; 8] = [". ", ", and ", " and ", ", ", "; ", " - ", " – ", " — "];
    let blank = unquoted(entry);
    let mut joints: Vec<(usize, &str)> = (JOINTS.iter().chain(&[" without "]))
        .flat_map(|joint| blank.match_indices(joint))
        .collect();
    joints.sort_unstable_by_key(|(at, joint)| (*at, Reverse(joint.len())));
    let its_end = words_kept(entry).map(str::len);
    let (mut parts, mut from, mut read) = (Vec::new(), 0, 0);
    // Of what was read since the last cut.
    let (mut tells_so_far, mut stays_so_far) = (false, false);
    for (at, joint) in joints {
        if at < read || parts.len() + 1 >= MAX_SENTENCES {
            continue;
        }
        let told = &blank[read..at];
        let is_news = read == from && names_news(told);
        tells_so_far |= tells(told);
        stays_so_far |= says_to_stay(told);
        read = at + joint.len();
        let is_next = Some(at) != its_end
            && match joint {
                ". " => true,
                " without " => {
                    let clause = blank[at + 1..].split([',', ';']).next();
                    !stays_so_far && clause.is_some_and(is_apart)
                }
                _ => {
                    let rest = &blank[read..];
                    let first = |ends: &[char]| rest.split(ends).next().unwrap_or(rest);
                    let clause = first(&[',', ';']);
                    let is_dash = joint.ends_with("- ") || joint.contains(['–', '—']);
                    let is_parted = is_dash || joint.starts_with([',', ';']);
                    let is_deed = !is_dash && begins_with_a_deed(rest);
                    // “New footer, header and prices must not change”.
                    let stays = (tells_so_far && is_a_promise(clause))
                        || (is_news && is_a_promise(first(&[';'])));
                    ((tells_so_far || is_news) && is_deed)
                        || (is_parted && !stays_so_far && stays)
                        || (is_parted && stays_so_far && names_news(clause))
                }
            };
        if is_next {
            parts.push(&entry[from..at]);
            from = if joint == " without " { at + 1 } else { read };
            (tells_so_far, stays_so_far) = (false, false);
        }
    }
    parts.push(&entry[from..]);
    parts
}

/// Whether a clause promises something by itself, which is not the rest.
fn is_a_promise(clause: &str) -> bool {
    Promise::of(clause).is_some() && !is_of_the_rest(clause)
}

/// “add a phone number”, “then remove the banner”; not “turns grey”, which is of what was spoken of.
fn begins_with_a_deed(clause: &str) -> bool {
    let mut words = clause.split_whitespace();
    let first = words.find(|word| !matches!(*word, "then" | "also" | "to"));
    let Some(first) = first else { return false };
    let is_of_the_last = GOES_ON.contains(&first) || matches!(first, "must" | "should");
    !is_of_the_last && Terms::of_sentence(first).0.is_done
}

/// “New footer”, “a bigger logo”: names what comes, or how it looks from now on, without a word for a deed. (“The new footer” may
/// be there already.)
fn names_news(clause: &str) -> bool {
    const NEWS: &[&str] = &[
        "another", "bigger", "bolder", "brighter", "darker", "larger", "lighter", "narrower",
        "new", "shorter", "smaller", "taller", "thicker", "thinner", "wider",
    ];
    let clause = clause.to_lowercase();
    let mut words = clause
        .split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .skip_while(|word| matches!(*word, "a" | "an"));
    let is_news = words.next().is_some_and(|first| NEWS.contains(&first));
    is_news
        && words
            .next()
            .is_some_and(|thing| !matches!(thing, "and" | "or" | "than"))
}

/// “The others are still there”, “contents as before”.
pub(super) fn is_of_the_rest(clause: &str) -> bool {
    let clause = clause.to_lowercase();
    let words: Vec<&str> = clause
        .split(|letter: char| !letter.is_alphabetic())
        .filter(|word| !word.is_empty())
        .collect();
    let has = |known: &[&str]| words.iter().any(|word| known.contains(word));
    let stays = has(STAYS) || has(AS_IT_WAS) || words.ends_with(&["as", "before"]);
    stays && (has(THE_REST) || has(ALL))
}

#[cfg(test)]
mod tests {
    use super::super::promise::promises;
    use super::super::statement::Statement;
    use super::*;

    #[test]
    fn an_entry_is_cut_where_another_change_is_told() {
        for (entry, parts) in [
            (
                "Remove the banner and add a phone number",
                ["Remove the banner", "add a phone number"].as_slice(),
            ),
            (
                "Remove the banner, then add a number",
                &["Remove the banner", "then add a number"],
            ),
            (
                "The header turns blue, prices must not change",
                &["The header turns blue", "prices must not change"],
            ),
            (
                "Names and prices are updated",
                &["Names and prices are updated"],
            ),
            (
                "Prices, names and links must not change",
                &["Prices, names and links must not change"],
            ),
            (
                "The title becomes “Salt, add pepper”",
                &["The title becomes “Salt, add pepper”"],
            ),
            (
                "The banner is gone, the others must stay",
                &["The banner is gone, the others must stay"],
            ),
            (
                "- New footer, header must not change",
                &["- New footer", "header must not change"],
            ),
            (
                "New footer – header must not change",
                &["New footer", "header must not change"],
            ),
            (
                "New footer, header and prices must not change",
                &["New footer", "header and prices must not change"],
            ),
            (
                "Header must not change, new footer",
                &["Header must not change", "new footer"],
            ),
            (
                "The new footer, header and prices must not change",
                &["The new footer, header and prices must not change"],
            ),
            (
                "Prices must not change, new or old",
                &["Prices must not change, new or old"],
            ),
        ] {
            assert_eq!(parts_of_entry(entry), parts);
        }
    }

    #[test]
    fn a_clause_that_promises_is_told_from_the_change_before_it() {
        assert_eq!(
            sentences("The link is now /repairs, prices unchanged."),
            ["The link is now /repairs", "prices unchanged"]
        );
        for (told, parts) in [
            (
                "The price goes up, everything else stays the same",
                ["The price goes up", "everything else stays the same"],
            ),
            (
                "The price goes up, everything else must not change",
                ["The price goes up", "everything else must not change"],
            ),
            (
                "Prices must not change, the header gets taller",
                ["Prices must not change", "the header gets taller"],
            ),
            (
                "The header stays put, only the button turns green",
                ["The header stays put", "only the button turns green"],
            ),
        ] {
            assert_eq!(sentences(told), parts);
        }
        for whole in [
            "When the menu is open, the header stays at the top",
            "Prices must not change, when a plan is renamed",
            "Prices must not change, which is important",
        ] {
            assert_eq!(sentences(whole), [whole]);
        }
        for kept in [
            "The link is now /repairs, its label unchanged",
            "AC1: the figure is blue, AC2: wording and size unchanged",
        ] {
            assert_eq!(sentences(kept), [kept]);
            assert!(!promises(kept) && Statement::of(kept).unwrap().aim.keeps_words);
        }
        assert!(promises("Texts unchanged"));
        for whole in [
            "Prices, names and the footer must stay",
            "The header, which is sticky, must not move",
        ] {
            let parts = sentences(whole);
            assert!(
                parts.iter().any(|part| says_to_stay(part)),
                "{whole}: {parts:?}"
            );
        }
        assert_eq!(sentences("Pricing, tariffs, fees must not change").len(), 1);
        assert_eq!(
            sentences("The logo, prices and the footer must not change. The header turns blue"),
            [
                "The logo, prices and the footer must not change",
                "The header turns blue"
            ]
        );
        assert_eq!(
            sentences("The data will say 7.20, and what visitors see is not affected").len(),
            2
        );
        assert_eq!(
            sentences("The header turns blue and prices and texts must not change"),
            ["The header turns blue", "prices and texts must not change"]
        );
    }
}
