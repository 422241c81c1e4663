//! Files and folders as names of parts of a page: `src/components/PricingTable.tsx` is about what `PricingTable` is about.

/// Endings of files that people change to change a page.
const ENDINGS: &[&str] = &[
    "astro", "blade", "css", "erb", "haml", "hbs", "html", "js", "json", "jsx", "leaf", "less",
    "liquid", "md", "mdx", "mjml", "mjs", "php", "pug", "rs", "sass", "scss", "svelte", "ts",
    "tsx", "twig", "vue", "yaml", "yml",
];

/// Names of folders and files that say what kind of file lies there, not what it is about.
const GENERIC: &[&str] = &[
    "app",
    "apps",
    "assets",
    "client",
    "common",
    "components",
    "css",
    "frontend",
    "html",
    "index",
    "js",
    "layouts",
    "lib",
    "main",
    "module",
    "modules",
    "packages",
    "pages",
    "page",
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
    "ui",
    "views",
    "web",
];

/// Whether a pattern names files rather than elements.
pub(super) fn is_path(pattern: &str) -> bool {
    let is_selector = pattern.contains(['>', ' ', '[', ':'])
        || pattern.starts_with('#')
        || (pattern.starts_with('.') && !pattern.starts_with("./") && !pattern.starts_with("../"));
    !is_selector && (pattern.contains('/') || without_ending(pattern) != pattern)
}

/// What a path is about: its folders and its file, but for those that only say of what kind they are.
pub(super) fn names(path: &str) -> impl Iterator<Item = &str> {
    path.split('/')
        .map(|segment| {
            let first = without_ending(segment);
            // `price.test.ts`, `card.module.scss`
            without_ending(first).split('.').next().unwrap_or(first)
        })
        .filter(|name| {
            let is_named = name.contains(|letter: char| letter.is_alphanumeric());
            is_named && !GENERIC.contains(&name.to_lowercase().as_str())
        })
}

fn without_ending(name: &str) -> &str {
    match name.rsplit_once('.') {
        Some((stem, ending)) if ENDINGS.contains(&ending.to_lowercase().as_str()) => stem,
        _ => name,
    }
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
        ] {
            assert_eq!(names(path).collect::<Vec<_>>(), expected, "{path}");
        }
    }
}
