//! Files and folders as names of parts of a page: `src/components/PricingTable.tsx` is about what `PricingTable` is about.

/// Endings of files that people change to change a page.
const ENDINGS: &[&str] = &[
    "astro", "css", "erb", "haml", "hbs", "html", "js", "json", "jsx", "less", "liquid", "md",
    "mdx", "mjml", "mjs", "php", "png", "pug", "rs", "sass", "scss", "svelte", "svg", "ts", "tsx",
    "twig", "vue", "webp", "yaml", "yml",
];

/// Endings that are words as well, which classes may have.
const WORDS_TOO: &[&str] = &["less", "md", "js", "rs"];

/// Names of folders and files that say what kind of file lies there, or are of every page, not what it is about.
const GENERIC: &[&str] = &[
    "app",
    "apps",
    "assets",
    "base",
    "client",
    "common",
    "components",
    "config",
    "css",
    "features",
    "frontend",
    "global",
    "globals",
    "helpers",
    "hooks",
    "html",
    "i18n",
    "images",
    "img",
    "index",
    "js",
    "layout",
    "layouts",
    "lib",
    "locales",
    "main",
    "module",
    "modules",
    "package",
    "packages",
    "page",
    "pages",
    "partials",
    "public",
    "resources",
    "routes",
    "scss",
    "server",
    "shared",
    "src",
    "static",
    "stories",
    "style",
    "styles",
    "stylesheets",
    "template",
    "templates",
    "test",
    "tests",
    "theme",
    "themes",
    "tokens",
    "ui",
    "utils",
    "variables",
    "views",
    "web",
];

/// Whether a pattern names files rather than elements.
pub(super) fn is_path(pattern: &str) -> bool {
    if pattern.contains(['>', '=', '"', ':']) {
        return false;
    }
    let ending = ending_of(pattern);
    if !pattern.contains('/') {
        // `Card.tsx`, and not `button.less` or `main card.md`.
        let is_word = ending.is_some_and(|ending| WORDS_TOO.contains(&ending));
        let is_class = is_word && pattern == pattern.to_lowercase();
        let is_selector = pattern.contains(' ') || pattern.starts_with(['.', '#']);
        return ending.is_some() && !is_class && !is_selector;
    }
    // A class with a slash belongs to an element or begins the pattern: `div.w-1/2`, `.w-1/2`.
    let first = pattern.split('/').next().unwrap_or(pattern);
    let is_class = match first.split_once('.') {
        Some((_, class)) => !matches!(class, "" | "." | "github" | "storybook"),
        None => first.starts_with('#'),
    };
    ending.is_some() || !is_class
}

/// What a path is about: its folders and its file, but for those that only say of what kind they are.
pub(super) fn names(path: &str) -> impl Iterator<Item = &str> {
    path.split('/')
        .map(|segment| {
            // `price.test.ts`, `card.module.scss`
            let whole = segment.trim_start_matches('.');
            whole.split('.').next().unwrap_or(whole)
        })
        .filter(|name| {
            let is_named = name.contains(|letter: char| letter.is_alphanumeric());
            // `[slug]` stands for any page.
            let is_any = name.starts_with('[');
            is_named && !is_any && !GENERIC.contains(&name.to_lowercase().as_str())
        })
}

/// The ending of a file's name, when it is one of those that people change; `Card.{tsx,css}` has one as well.
fn ending_of(path: &str) -> Option<&str> {
    let (_, ending) = path.rsplit_once('.')?;
    let first = ending.trim_matches(['{', '}']).split(',').next()?;
    ENDINGS.contains(&first).then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_told_from_selectors() {
        for (pattern, expected) in [
            ("src/admin/users/**", true),
            ("PricingTable.tsx", true),
            ("./styles/card.css", true),
            ("templates/*.twig", true),
            (".card", false),
            ("article.card", false),
            ("#pricing", false),
            ("PricingTable", false),
            (".w-1/2", false),
            ("div.w-1/2", false),
            ("button.less", false),
            ("pages/[id].tsx", true),
            ("app/[slug]/PricingTable.tsx", true),
            ("src/My Card/Card.tsx", true),
            (".storybook/preview.js", true),
            ("Card.{tsx,css}", true),
            ("logo.svg", true),
            ("main > .card", false),
        ] {
            assert_eq!(is_path(pattern), expected, "{pattern}");
        }
    }

    #[test]
    fn a_path_is_about_what_its_folders_and_its_file_are_called() {
        for (path, expected) in [
            ("src/components/PricingTable.tsx", &["PricingTable"][..]),
            ("src/admin/users/**", &["admin", "users"]),
            ("src/map/cluster*.ts", &["map", "cluster*"]),
            ("cards/price-card.module.scss", &["cards", "price-card"]),
            ("styles/**/*.css", &[]),
            ("src/styles/globals.css", &[]),
            ("app/[slug]/PricingTable.tsx", &["PricingTable"]),
        ] {
            assert_eq!(names(path).collect::<Vec<_>>(), expected, "{path}");
        }
    }
}
