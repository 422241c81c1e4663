//! What people call what a style does to an element: they write “tucked over the box next to it”, not “margin-top −80 px”.

use pentimento_document::Finding;

use super::vocabulary::Verb;

/// What a style does that people speak of in words of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Effect {
    /// It cannot be seen any more.
    Hides,
    /// It lies over what is above, below or to the left.
    LiesOver,
    /// It reaches out to the right.
    SticksOut,
    /// Its text is nearer to its ground.
    Fades,
}

/// The words in which people tell what the style of an element does now.
pub(super) fn words(finding: &Finding) -> impl Iterator<Item = &'static str> {
    effects(finding).flat_map(|effect| {
        let words = match effect {
            Effect::Hides => "invisible visible sight view",
            Effect::LiesOver => {
                "overlap cover layer tuck top edge neighbour neighbor part piece gap hole higher closer near stack side"
            }
            Effect::SticksOut => {
                "wide wider width broad broader edge border column window screen viewport container bleed full stretch rest \
                 beyond limit right sideways"
            }
            Effect::Fades => {
                "letter tone ground background light lighter faint subtle muted discreet quiet soft pale paler dim tender gray \
                 contrast shade"
            }
        };
        words.split_whitespace()
    })
}

/// What it does, as a verb.
pub(super) fn verbs(finding: &Finding) -> impl Iterator<Item = Verb> {
    effects(finding).map(|effect| match effect {
        Effect::Hides => Verb::Remove,
        Effect::LiesOver => Verb::Move,
        Effect::SticksOut => Verb::Restyle,
        Effect::Fades => Verb::Recolour,
    })
}

fn effects(finding: &Finding) -> impl Iterator<Item = Effect> {
    let margin = finding
        .negative_margin()
        .map(|(property, _)| match property {
            "margin-right" => Effect::SticksOut,
            _ => Effect::LiesOver,
        });
    let is_paler = finding.contrast.is_some_and(|[from, to]| to < from);
    let fades = is_paler && !finding.hides();
    let known = [
        finding.hides().then_some(Effect::Hides),
        margin,
        fades.then_some(Effect::Fades),
    ];
    known.into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use pentimento_api::result::ChangeType;

    use super::*;

    fn restyled(property: &str, [from, to]: [&str; 2]) -> Finding {
        let mut finding = Finding::new(ChangeType::StyleOnly, "p".to_owned());
        let values = [from, to].map(str::to_owned);
        finding.style.insert(property.to_owned(), values);
        finding
    }

    #[test]
    fn styles_are_known_by_what_they_do() {
        for (property, values, word, verb) in [
            ("visibility", ["visible", "hidden"], "sight", Verb::Remove),
            ("margin-top", ["0px", "-80px"], "overlap", Verb::Move),
            ("margin-right", ["0px", "-600px"], "wider", Verb::Restyle),
        ] {
            let finding = restyled(property, values);
            assert!(words(&finding).any(|known| known == word), "{property}");
            assert_eq!(verbs(&finding).collect::<Vec<_>>(), [verb], "{property}");
        }
        let plain = restyled("margin-top", ["0px", "24px"]);
        assert_eq!(words(&plain).next(), None);
    }
}
