//! Settings of the bucket that holds captures and uploads, where there is one.

use clap::Args;
use secrecy::SecretString;
use url::Url;

/// Longest prefix of objects' names.
const MAX_PREFIX_CHARACTERS: usize = 200;

/// A bucket for captures and uploads, in place of folders; off unless its name is given.
#[derive(Debug, Clone, Args)]
pub struct S3Settings {
    /// The bucket that holds captures and uploads, in place of the data folder's `blobs` and `staging`.
    #[arg(
        id = "s3_bucket",
        value_name = "NAME",
        long = "s3-bucket",
        env = "PENTIMENTO_S3_BUCKET",
        value_parser = parse_bucket
    )]
    pub bucket: Option<String>,

    /// Address of an S3 server such as `https://minio.internal:9000`; without it, AWS in the region.
    #[arg(id = "s3_endpoint", value_name = "URL", long = "s3-endpoint", env = "PENTIMENTO_S3_ENDPOINT", requires = "s3_bucket", value_parser = parse_endpoint)]
    pub endpoint: Option<Url>,

    /// Address under which clients reach the S3 server, where it is not the service's own; links to the bucket start with it.
    #[arg(id = "s3_public_endpoint", value_name = "URL", long = "s3-public-endpoint", env = "PENTIMENTO_S3_PUBLIC_ENDPOINT", requires = "s3_bucket", value_parser = parse_endpoint)]
    pub public_endpoint: Option<Url>,

    /// The bucket's region; without it that of the environment or the profile, else `us-east-1`.
    #[arg(
        id = "s3_region",
        value_name = "REGION",
        long = "s3-region",
        env = "PENTIMENTO_S3_REGION",
        requires = "s3_bucket"
    )]
    pub region: Option<String>,

    /// Name the bucket in the path instead of the host; most S3 servers other than AWS want that.
    #[arg(
        id = "s3_path_style",
        long = "s3-path-style",
        env = "PENTIMENTO_S3_PATH_STYLE"
    )]
    pub path_style: bool,

    /// What the names of all objects begin with, such as `pentimento/`.
    #[arg(id = "s3_prefix", value_name = "PREFIX", long = "s3-prefix", env = "PENTIMENTO_S3_PREFIX", default_value = "", value_parser = parse_prefix)]
    pub prefix: String,

    /// Access key; without it AWS's usual places are searched: environment, profile files, the machine's role.
    #[arg(
        id = "s3_access_key_id",
        value_name = "ID",
        long = "s3-access-key-id",
        env = "PENTIMENTO_S3_ACCESS_KEY_ID",
        hide_env_values = true,
        requires = "s3_bucket",
        requires = "s3_secret_access_key"
    )]
    pub access_key_id: Option<String>,

    /// The access key's secret.
    #[arg(
        id = "s3_secret_access_key",
        value_name = "SECRET",
        long = "s3-secret-access-key",
        env = "PENTIMENTO_S3_SECRET_ACCESS_KEY",
        hide_env_values = true,
        requires = "s3_access_key_id"
    )]
    pub secret_access_key: Option<SecretString>,
}

/// Wider than AWS's rule: other servers take capitals and underscores.
fn parse_bucket(text: &str) -> Result<String, String> {
    let plain = text
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'));
    if plain && (3..=255).contains(&text.len()) && !text.starts_with('.') {
        Ok(text.to_owned())
    } else {
        Err("write the bucket's name alone: 3–255 letters, digits, `-`, `_` and `.`".to_owned())
    }
}

fn parse_endpoint(text: &str) -> Result<Url, String> {
    let url: Url = text.parse().map_err(|error| {
        format!("write an address such as `https://minio.internal:9000` ({error})")
    })?;
    if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
        return Err("it must start with http:// or https:// and name a host".to_owned());
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(
            "credentials do not belong here; use --s3-access-key-id and --s3-secret-access-key"
                .to_owned(),
        );
    }
    if url.path() != "/" || url.query().is_some() || url.fragment().is_some() {
        return Err("it must end with the host or the port".to_owned());
    }
    Ok(url)
}

/// Characters that are written in a link as they are; ends with a slash unless it is empty.
fn parse_prefix(text: &str) -> Result<String, String> {
    let parts = text.trim_end_matches('/');
    if parts.is_empty() {
        return Ok(String::new());
    }
    let plain = |part: &str| {
        !part.is_empty()
            && !part.starts_with('.')
            && part
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'))
    };
    if parts.len() >= MAX_PREFIX_CHARACTERS || !parts.split('/').all(plain) {
        return Err(format!(
            "write names of letters, digits, `-`, `_` and `.` with slashes between them, such as `visual/main`; fewer than {MAX_PREFIX_CHARACTERS} characters"
        ));
    }
    Ok(format!("{parts}/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, clap::Parser)]
    struct Settings {
        #[command(flatten)]
        s3: S3Settings,
    }

    #[test]
    fn settings_that_mean_nothing_alone_are_refused() {
        let parse = |flags: &[&str]| {
            let parsed = <Settings as clap::Parser>::try_parse_from(
                std::iter::once("test").chain(flags.iter().copied()),
            );
            parsed.map(|settings| settings.s3.bucket)
        };
        assert!(matches!(parse(&[]), Ok(None)));
        assert!(parse(&["--s3-bucket", "captures"]).is_ok());
        for flags in [
            ["--s3-endpoint", "http://127.0.0.1:9000"],
            ["--s3-region", "eu-west-1"],
            ["--s3-access-key-id", "AK"],
            ["--s3-secret-access-key", "secret"],
            ["--s3-bucket", ""],
            ["--s3-bucket", "arn:aws:s3:::captures"],
            ["--s3-bucket", "captures/visual"],
        ] {
            assert!(parse(&flags).is_err(), "{flags:?}");
        }
        let half = ["--s3-bucket", "captures", "--s3-access-key-id", "AK"];
        assert!(parse(&half).is_err());
    }

    #[test]
    fn a_prefix_ends_with_one_slash_and_needs_no_escapes() {
        for (text, expected) in [
            ("", ""),
            ("/", ""),
            ("a", "a/"),
            ("visual/main_2.x//", "visual/main_2.x/"),
        ] {
            assert_eq!(parse_prefix(text).as_deref(), Ok(expected), "{text}");
        }
        for text in ["/a", "a//b", "../a", "a b", "a?b", "ä", &"a".repeat(300)] {
            assert!(parse_prefix(text).is_err(), "{text}");
        }
    }

    #[test]
    fn an_endpoint_is_an_address_without_credentials() {
        assert!(parse_endpoint("http://127.0.0.1:9000").is_ok());
        for text in [
            "minio:9000",
            "ftp://minio",
            "https://id:secret@minio",
            "https://minio/?x=1",
            "https://minio/s3",
            "minio",
        ] {
            assert!(parse_endpoint(text).is_err(), "{text}");
        }
    }
}
