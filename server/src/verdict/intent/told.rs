//! What sentences tell: how pages look from now on, or of work on the code, which names where it was done and not what looks
//! different.

use std::collections::HashSet;
use std::sync::LazyLock;

use super::quoted::unquoted;
use super::statement::{says_to_stay, sentences};
use super::terms::{Terms, plain_stem};
use super::unchanged::{before_denial, hints};
use super::vocabulary::Verb;
use super::weight::weight;

/// Share of what a sentence says, in words of the trade, from which on it tells of the code.
const OF_THE_CODE: f64 = 0.5;

/// Words of those who write and run software, for what nobody sees on a page. Words that are also said of pages (“component”,
/// “template”, “style”, “token”) are not among them.
const TRADE: &str = "\
    abstraction adapter allocation annotation annotations ansible api apollo assertion assertions async autoloader \
    automerge aws azure babel backend backfill backoff benchmark benchmarks binding bindings boilerplate boolean \
    broker browserslist bundle bundler byte bytes cache cached caches caching callback cargo cdn celery changelog \
    chunk chunks ci circular cli clippy cluster code codebase codegen compile compiler composer concurrency config \
    configuration constructor container coroutine cors coverage crate crates crd credential credentials cron cypress \
    daemon dao database datasource db dead debounce decorator decorators dependabot dependencies dependency \
    deprecated deprecation deps deserialize devcontainer devise dialect django dns docker dockerfile documentation \
    drush dto dynamodb e2e elasticsearch endpoint endpoints enum env esbuild eslint exception exceptions export \
    exports fallback fetch fetcher fixture fixtures flake flaky formatter framework function functions gem gems \
    generate generated generator generics getter git github gitlab gradle graphql grpc handler handlers helm helper \
    helpers hibernate hook hooks http iam identifier import imports inheritance init inject injection \
    instrument integer integration interface interfaces internal internals ioc isort iterator jar java javascript \
    jenkins jest job jobs jpa jquery jsdoc json jsx junit jwt kafka kotlin kubectl kubernetes laravel latency leak \
    leaks legacy libraries library lifecycle lint linter linting lock lockfile log logger logging logs loop loops \
    lts maintenance makefile mapper maven memo memoize memory metrics microservice middleware migration migrations \
    minify mock mocks module modules monitoring monolith monorepo mutex mysql namespace namespaces nginx node npm \
    null nullable nx oauth observability openapi openid opensearch orm package packages param parameter parameters \
    params parse parser payload persisted persistence php phpstan phpunit pip pipeline playwright plugin plugins \
    pnpm pod pods polyfill polyfills pom pool postgres postgresql prefetch prettier profiling promise prop props \
    proxy pydantic pytest python queries query queue queues rabbitmq race rails rake ram react readme rebase redis \
    reducer reducers redux refactor refactoring regex regexes registry reindex renovate replica repo repository \
    request requests resolver response retries retry rollup router rspec rubocop ruby runner runtime rust schema \
    script scripts sdk secret secrets selector selectors sentry serializer server servers setter shim sidekiq \
    singleton solr sonar sourcemap sourcemaps spec specs spring sql ssl ssr starter stateless stdout stub stubs \
    stylelint suite svelte swagger symfony symlink sync syntax telemetry tenant terraform terser testcontainers \
    tests thread threads throttle timeout timeouts tls toolchain tooling trace traces tracing transpile tsc tsconfig \
    turborepo typed types typescript typing ubuntu unit unused upgrade urllib util utilities utils validator \
    validators variable variables vite vitest vue webhook webpack websocket worker workers workflow workflows \
    wrapper yaml yarn yml zod";

/// Parts and looks of pages.
const PARTS: &str = "\
    accordion avatar badge banner breadcrumb button caption card carousel chart chip colour column contrast cta divider drawer dropdown \
    emoji font footer gradient header heading headline hero icon illustration image logo margin menu modal navbar padding \
    paragraph photo picture popup sidebar slider slogan tagline teaser thumbnail tile toast tooltip typography wording";

static PART_STEMS: LazyLock<HashSet<String>> =
    LazyLock::new(|| PARTS.split_whitespace().map(plain_stem).collect());

static TRADE_STEMS: LazyLock<HashSet<String>> =
    LazyLock::new(|| TRADE.split_whitespace().map(plain_stem).collect());

/// What a sentence tells.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Told {
    /// Work on the code.
    Code,
    /// Something in which a word of the trade occurs.
    Trade,
    /// Something that is denied of pages, looks or people.
    Denial,
    /// How a page or a part of it looks from now on.
    Looks,
    /// Something else that was done.
    Done,
    /// Nothing to go by.
    Other,
}

/// The sentence that shows that texts tell of nothing but work on the code; nothing when they tell of anything else.
///
/// Two signs are enough where none is sure: a word of the trade, and a sentence that denies something of the pages.
pub(super) fn code_alone(texts: &[&str]) -> Option<String> {
    let told: Vec<(Told, String)> = (texts.iter().flat_map(|text| sentences(text)))
        .map(|sentence| (told(&sentence), sentence))
        .collect();
    let find = |wanted: Told| {
        let mut told = told.iter();
        Some(&told.find(|(told, _)| *told == wanted)?.1)
    };
    if find(Told::Looks).or_else(|| find(Told::Done)).is_some() {
        return None;
    }
    let code = find(Told::Code);
    match find(Told::Denial) {
        Some(denial) => (code.or_else(|| find(Told::Trade))).map(|_| denial.clone()),
        None => code.filter(|_| find(Told::Trade).is_none()).cloned(),
    }
}

/// Whether a sentence tells how a page or a part of it looks from now on.
pub(super) fn tells_of_looks(sentence: &str) -> bool {
    told(sentence) == Told::Looks
}

/// Whether a sentence names work on the code, by its first word or its kind of commit (<https://www.conventionalcommits.org>).
pub(super) fn begins_with_code(sentence: &str) -> bool {
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
    if begins_with_code(sentence) {
        return Told::Code;
    }
    let plain = unquoted(sentence);
    let (said, _) = Terms::of_sentence(&before_denial(&plain));
    let is_restyled = [Verb::Recolour, Verb::Restyle]
        .iter()
        .any(|verb| said.verbs.contains(verb));
    let is_of_now = plain
        .split(|letter: char| !letter.is_alphabetic())
        .any(|word| matches!(word, "now" | "Now" | "instead"));
    if hints(&plain) && !is_restyled && !is_of_now {
        Told::Denial
    } else if names_a_part(sentence) || is_restyled {
        Told::Looks
    } else {
        match share_of_the_trade(&plain) {
            share if share >= OF_THE_CODE => Told::Code,
            share if share > 0.0 => Told::Trade,
            _ if is_of_now || (said.is_done && !says_to_stay(sentence)) => Told::Done,
            _ => Told::Other,
        }
    }
}

/// Whether a sentence names a part of a page, if only in the name of a component or a setting: “set `footer.showIcons`”.
fn names_a_part(sentence: &str) -> bool {
    let (_, words) = Terms::of_sentence(sentence);
    (words.iter()).any(|word| PART_STEMS.contains(&plain_stem(&word.word)))
}

/// How much of what a sentence says is said in words of the trade, 0–1.
fn share_of_the_trade(sentence: &str) -> f64 {
    let (_, words) = Terms::of_sentence(sentence);
    let (mut trade, mut other) = (0.0, 0.0);
    for word in &words {
        if TRADE_STEMS.contains(&plain_stem(&word.word)) {
            trade += 1.0;
        } else {
            other += weight(&word.stem);
        }
    }
    if trade > 0.0 {
        trade / (trade + other)
    } else {
        0.0
    }
}

#[cfg(test)]
mod tests;
