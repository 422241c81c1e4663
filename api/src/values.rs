//! The values that requests hold, with their bounds, as the OpenAPI document describes them. Nothing is parsed here: the
//! service checks what it is sent, and its tests check that both say the same.

#![allow(
    dead_code,
    reason = "these types are described and never made: the fields that they describe are plain texts and numbers"
)]

use utoipa::ToSchema;

/// A project's name: letters, digits, `.`, `_`, `-`.
#[derive(ToSchema)]
#[schema(
    min_length = 1,
    max_length = 100,
    pattern = "^[A-Za-z0-9._-]+$",
    example = "shop"
)]
pub struct ProjectName(String);

/// An `http` or `https` origin, without a path, a user name or a password.
#[derive(ToSchema)]
#[schema(
    max_length = 2048,
    pattern = r"^[hH][tT][tT][pP][sS]?://[^\s/?#@\\\u0000-\u0020]+/?$",
    example = "https://staging.example.com"
)]
pub struct Origin(String);

/// An `http` or `https` address, without a user name or a password.
#[derive(ToSchema)]
#[schema(
    max_length = 2048,
    pattern = r"^[hH][tT][tT][pP][sS]?://[^\s/?#@\\\u0000-\u0020]+([/?#][^\u0000-\u0020]*)?$",
    example = "https://staging.example.com/pricing?plan=team"
)]
pub struct PageUrl(String);

/// Path with query, starting with one `/`.
#[derive(ToSchema)]
#[schema(
    min_length = 1,
    max_length = 2048,
    pattern = r"^/(?!/)[^\u0000-\u001f\u007f-\u009f]*$",
    example = "/pricing"
)]
pub struct PathWithQuery(String);

/// A glob over paths: `*` within a segment, `**` across segments; every other character stands for itself.
#[derive(ToSchema)]
#[schema(
    max_length = 1000,
    pattern = r"^[^\u0000-\u001f\u007f-\u009f]*$",
    example = "/docs/**"
)]
pub struct PathGlob(String);

/// A point in time (RFC 3339).
#[derive(ToSchema)]
#[schema(
    format = "date-time",
    max_length = 40,
    example = "2026-01-15T12:00:00Z"
)]
pub struct Instant(String);

/// The name of a device or viewport, in any case.
#[derive(ToSchema)]
#[schema(min_length = 1, max_length = 200, example = "Desktop Chrome")]
pub struct DeviceName(String);

/// A CSS selector.
#[derive(ToSchema)]
#[schema(
    min_length = 1,
    max_length = 1000,
    pattern = r"^(?=[\s\S]*\S)[^\u0000]*$",
    example = "#clock"
)]
pub struct Selector(String);

/// CSS that is applied before capturing.
#[derive(ToSchema)]
#[schema(max_length = 4096, example = ".cookie-banner { display: none }")]
pub struct Css(String);

/// Pages of one job that are captured at once.
#[derive(ToSchema)]
#[schema(minimum = 1, maximum = 20, example = 4)]
pub struct Concurrency(u32);

/// A percentage of a page's pixels.
#[derive(ToSchema)]
#[schema(minimum = 0, maximum = 100, example = 0.1)]
pub struct Percentage(f64);

/// An hour of the day, in UTC.
#[derive(ToSchema)]
#[schema(minimum = 0, maximum = 23, example = 3)]
pub struct HourUtc(u8);

/// A short name on one line, which may be empty.
#[derive(ToSchema)]
#[schema(
    max_length = 200,
    pattern = r"^[^\u0000-\u001f\u007f-\u009f]*$",
    example = "staging"
)]
pub struct Label(String);

/// A variant's name, such as a device: what a baseline is kept for, beside the page.
#[derive(ToSchema)]
#[schema(
    min_length = 1,
    max_length = 200,
    pattern = r"^[^\u0000-\u001f\u007f-\u009f]*[^\s\u0000-\u001f\u007f-\u009f][^\u0000-\u001f\u007f-\u009f]*$",
    example = "Desktop Chrome"
)]
pub struct VariantName(String);

/// A text of some length.
#[derive(ToSchema)]
#[schema(max_length = 10000)]
pub struct LongText(String);

/// A key's name, for people.
#[derive(ToSchema)]
#[schema(
    min_length = 1,
    max_length = 100,
    pattern = r"^[^\u0000-\u001f\u007f-\u009f]*[^\s\u0000-\u001f\u007f-\u009f][^\u0000-\u001f\u007f-\u009f]*$",
    example = "ci"
)]
pub struct KeyName(String);

/// Days until a key ends by itself.
#[derive(ToSchema)]
#[schema(minimum = 1, maximum = 3650, example = 90)]
pub struct ExpiryDays(u32);

/// Hours for which what is replaced goes on working.
#[derive(ToSchema)]
#[schema(minimum = 0, maximum = 168, example = 24)]
pub struct OverlapHours(u32);

/// A place of a capture, in CSS pixels from the top left of the full page.
#[derive(ToSchema)]
pub struct MaskPlace {
    /// Left edge.
    #[schema(minimum = 0, maximum = 10_000_000)]
    x: i64,
    /// Top edge.
    #[schema(minimum = 0, maximum = 10_000_000)]
    y: i64,
    /// Width.
    #[schema(minimum = 1, maximum = 10_000_000)]
    w: i64,
    /// Height.
    #[schema(minimum = 1, maximum = 10_000_000)]
    h: i64,
}
