//! What sentences tell: how pages look from now on, or of work on the code, which names where it was done and not what looks
//! different.

use std::collections::HashSet;
use std::sync::LazyLock;

use super::quoted::unquoted;
use super::stays::says_to_stay;
use super::terms::{Terms, plain_stem};
use super::unchanged::{announces, hints, is_ticked, undenied};
use super::vocabulary::Verb;
use super::weight::weight;
use crate::verdict::colour::Hue;

/// Share of what a sentence says, in words of software, from which on it tells of the code.
const OF_THE_CODE: f64 = 0.5;

/// Words of those who write and run software, for what nobody sees on a page. Words that are also said of pages (“component”,
/// “template”, “style”, “token”) are not among them.
const TRADE: &str = "\
    abstraction adapter allocation annotation annotations ansible api apollo assertion assertions async autoloader \
    automerge aws azure babel backend backfill backoff benchmark benchmarks binding bindings boilerplate boolean \
    browserslist bundle bundler byte bytes cache cached caches caching callback cargo cdn celery changelog ci \
    circular cli clippy codebase codegen compile compiler concurrency config configuration constructor coroutine \
    cors crate crates crd credential credentials cron daemon dao database datasource db debounce decorator \
    decorators dependabot dependencies dependency deprecated deprecation deps deserialize devcontainer devise django \
    dns docker dockerfile drush dto dynamodb e2e elasticsearch endpoint endpoints enum env esbuild eslint fetch \
    fetcher fixture fixtures flake flaky framework generator generics getter git github gitlab gradle graphql grpc \
    handler handlers helper helpers hibernate hook hooks http iam identifier inheritance init inject injection \
    integer internal internals ioc isort iterator jar java javascript jenkins jest jpa jquery jsdoc json jsx junit \
    jwt kafka kotlin kubectl kubernetes laravel latency leak leaks lifecycle lint linter linting lockfile log logger \
    logging logs loop loops lts makefile mapper maven memo memoize memory microservice middleware migration \
    migrations minify mock mocks monolith monorepo mutex mysql namespace namespaces nginx node npm null nullable nx \
    oauth observability openapi openid opensearch orm param parameter parameters params parse parser payload \
    persisted persistence php phpstan phpunit pip pipeline playwright pnpm polyfill polyfills pom postgres \
    postgresql prefetch profiling prop props pydantic pytest python queries query rabbitmq rails rake ram react \
    readme rebase redis reducer reducers redux refactor refactoring regex regexes reindex renovate repo repository \
    resolver response retries retry rollup router rspec rubocop ruby runner runtime schema sdk secret secrets \
    selector selectors sentry serializer server servers setter shim sidekiq singleton solr sonar sourcemap \
    sourcemaps sql ssl ssr stateless stdout stub stubs stylelint svelte swagger symfony symlink syntax telemetry \
    terraform terser testcontainers throttle timeout timeouts tls toolchain tooling trace traces tracing transpile \
    tsc tsconfig turborepo typed types typescript typing ubuntu unused urllib util utilities utils validator \
    validators variable variables vite vitest vue webhook webpack websocket worker workers workflow workflows yaml \
    yml zod";

/// Words that are of software only beside one that surely is.
const BESIDE_TRADE: &str = "\
    chunk chunks cluster code composer container coverage documentation event events exception exceptions export \
    exports fallback formatter function functions generate generated import imports instrument integration interface \
    interfaces job jobs legacy libraries library lock maintenance metrics module modules monitoring package packages \
    plugin plugins pod pods pool prettier process promise proxy queue queues race registry replica request requests \
    rust script scripts spec specs starter suite sync tenant test tests thread threads transaction unit upgrade \
    version wrapper yarn";

/// Parts and looks of pages.
const PARTS: &str = "\
    accordion avatar badge banner breadcrumb button caption card carousel chart chip colour column contrast cta design divider drawer dropdown \
    emoji font footer gradient header heading headline hero icon illustration image layout logo margin menu modal navbar padding \
    paragraph photo picture popup sidebar slider slogan tagline teaser theme thumbnail tile toast tooltip typography wording";

static PART_STEMS: LazyLock<HashSet<String>> =
    LazyLock::new(|| PARTS.split_whitespace().map(plain_stem).collect());

static TRADE_STEMS: LazyLock<HashSet<String>> =
    LazyLock::new(|| TRADE.split_whitespace().map(plain_stem).collect());

static BESIDE_STEMS: LazyLock<HashSet<String>> =
    LazyLock::new(|| BESIDE_TRADE.split_whitespace().map(plain_stem).collect());

/// What a sentence tells.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Told {
    /// Work on the code.
    Code,
    /// Something in which a word of software occurs.
    Trade,
    /// Something that is denied of pages, looks or people.
    Denial,
    /// How a page or a part of it looks from now on.
    Looks,
    /// Something else that was done.
    Done,
    /// Something that may be anything.
    Unclear,
    /// Nothing.
    Nothing,
}

/// The sentence that shows that all of them tell of nothing but work on the code; nothing when they tell of anything else.
///
/// Two signs are enough where none is sure: a word of software, and a sentence that denies something of the pages.
pub(super) fn code_alone(sentences: &[String]) -> Option<String> {
    let told: Vec<(Told, &String)> = (sentences.iter())
        .map(|sentence| (told(sentence), sentence))
        .collect();
    let find = |wanted: Told| {
        let mut told = told.iter();
        Some(told.find(|(told, _)| *told == wanted)?.1)
    };
    if find(Told::Looks).or_else(|| find(Told::Done)).is_some() {
        return None;
    }
    let code = find(Told::Code);
    if let Some(denial) = find(Told::Denial) {
        return (code.or_else(|| find(Told::Trade))).map(|_| denial.clone());
    }
    // What comes first says what it is about; an unclear sentence behind it only explains.
    let first = |wanted: Told| told.iter().position(|(told, _)| *told == wanted);
    let is_first = first(Told::Unclear).is_none_or(|unclear| first(Told::Code) < Some(unclear));
    let is_clear = is_first && find(Told::Trade).is_none();
    code.filter(|code| is_clear || begins_with_code(code))
        .cloned()
}

/// Whether a sentence tells that something comes, goes or is painted otherwise.
pub(super) fn limits_a_promise(sentence: &str) -> bool {
    let heard = undenied(&unquoted(sentence));
    let (said, _) = Terms::of_sentence(&heard);
    let comes_or_goes = [Verb::Add, Verb::Remove]
        .iter()
        .any(|verb| said.verbs.contains(verb));
    let is_of_code = begins_with_code(sentence) || share_of_the_trade(&heard) > 0.0;
    told(sentence) == Told::Looks && (is_restyled(&heard) || (comes_or_goes && !is_of_code))
}

/// Whether a sentence tells of nothing but work on the code by how it begins.
pub(super) fn is_code_by_its_beginning(sentence: &str) -> bool {
    begins_with_code(sentence) && told(sentence) == Told::Code
}

/// Whether a sentence names work on the code, by its first word or its kind of commit (<https://www.conventionalcommits.org>).
fn begins_with_code(sentence: &str) -> bool {
    const KINDS: [&str; 5] = ["refactor", "test", "ci", "build", "perf"];
    const BEGINNINGS: [&str; 6] = ["refactor", "migrat", "extract", "memoiz", "dedup", "lint"];
    let sentence = sentence.trim().to_lowercase();
    let word = sentence
        .split(|letter: char| !letter.is_alphabetic())
        .next()
        .unwrap_or("");
    let is_kind = KINDS.contains(&word) && sentence[word.len()..].starts_with([':', '(', '!']);
    is_kind
        || BEGINNINGS
            .iter()
            .any(|beginning| word.starts_with(beginning))
}

fn told(sentence: &str) -> Told {
    let plain = unquoted(sentence);
    if is_ticked(&plain) {
        return if announces(&plain) {
            Told::Done
        } else {
            Told::Nothing
        };
    }
    let heard = undenied(&plain);
    let is_restyled = is_restyled(&heard);
    let has = |known: &[&str]| {
        let mut words = plain.split(|letter: char| !letter.is_alphabetic());
        words.any(|word| known.contains(&word.to_lowercase().as_str()))
    };
    let is_of_now = has(&["now", "instead", "except"]);
    let names_a_part = names_a_part(sentence);
    if begins_with_code(sentence) {
        let rest = plain.split_once([':', ' ']).map_or("", |(_, rest)| rest);
        let is_done = Terms::of_sentence(rest).0.is_done;
        let is_of_looks = is_restyled || (names_a_part && (is_of_now || is_done || has(&["new"])));
        return if is_of_looks { Told::Looks } else { Told::Code };
    }
    if hints(&plain) && !is_restyled && !is_of_now {
        return Told::Denial;
    }
    if names_a_part || is_restyled {
        return Told::Looks;
    }
    let is_done = Terms::of_sentence(&heard).0.is_done && !says_to_stay(sentence);
    match share_of_the_trade(&plain) {
        share if share >= OF_THE_CODE => Told::Code,
        _ if is_of_now || announces(&plain) => Told::Done,
        share if share > 0.0 => Told::Trade,
        _ if is_done => Told::Done,
        _ if Terms::of_sentence(&plain).1.is_empty() => Told::Nothing,
        _ => Told::Unclear,
    }
}

/// Whether a text has words for colours, sizes, type or room.
fn is_restyled(text: &str) -> bool {
    let (said, _) = Terms::of_sentence(text);
    let looks = [Verb::Recolour, Verb::Restyle];
    let mut words = text.split(|letter: char| !letter.is_alphabetic());
    looks.iter().any(|verb| said.verbs.contains(verb))
        || words.any(|word| Hue::named(&word.to_lowercase()).is_some())
}

/// Whether a sentence names a part of a page, if only in the name of a component or a setting: “set `footer.showIcons`”.
fn names_a_part(sentence: &str) -> bool {
    let (_, words) = Terms::of_sentence(sentence);
    (words.iter()).any(|word| PART_STEMS.contains(&plain_stem(&word.word)))
}

/// How much of what a sentence says is said in words of software, 0–1.
fn share_of_the_trade(sentence: &str) -> f64 {
    let (_, words) = Terms::of_sentence(sentence);
    let (mut is_sure, mut trade, mut other) = (false, 0.0, 0.0);
    for word in &words {
        let stem = plain_stem(&word.word);
        if TRADE_STEMS.contains(&stem) {
            (is_sure, trade) = (true, trade + 1.0);
        } else if BESIDE_STEMS.contains(&stem) {
            trade += 1.0;
        } else {
            other += weight(&word.stem);
        }
    }
    if is_sure {
        trade / (trade + other)
    } else {
        0.0
    }
}

#[cfg(test)]
mod tests;
