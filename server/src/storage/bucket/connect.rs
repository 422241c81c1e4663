//! From settings to a client of the S3 server, and to what signs links to the bucket.

use std::time::Duration;

use aws_config::default_provider::credentials::DefaultCredentialsChain;
use aws_config::environment::EnvironmentVariableRegionProvider;
use aws_config::meta::region::RegionProviderChain;
use aws_config::profile::ProfileFileRegionProvider;
use aws_config::provider_config::ProviderConfig;
use aws_sdk_s3::config::endpoint::{DefaultResolver, Params, ResolveEndpoint};
use aws_sdk_s3::config::retry::RetryConfig;
use aws_sdk_s3::config::timeout::TimeoutConfig;
use aws_sdk_s3::config::{
    Config, Credentials, Region, RequestChecksumCalculation, ResponseChecksumValidation,
    SharedCredentialsProvider, SharedHttpClient,
};
use aws_smithy_http_client::tls::Provider;
use aws_smithy_http_client::tls::rustls_provider::CryptoMode;
use secrecy::ExposeSecret;
use url::Url;

use crate::config::S3Settings;

/// Longest wait for a connection, for one try of a call, and for the call with all its tries.
const CONNECT_DEADLINE: Duration = Duration::from_secs(5);
const TRY_DEADLINE: Duration = Duration::from_mins(1);
const CALL_DEADLINE: Duration = Duration::from_mins(3);

/// Tries of a call, and the longest first pause between them; the next are longer.
const TRIES: u32 = 4;
const FIRST_PAUSE: Duration = Duration::from_millis(300);

/// Where a region is assumed when nothing names one; servers other than AWS take any.
const USUAL_REGION: &str = "us-east-1";

/// How the service speaks with the S3 server, and as whom.
pub(super) struct Connection {
    pub(super) client: aws_sdk_s3::Client,
    pub(super) credentials: SharedCredentialsProvider,
    pub(super) region: Region,
}

pub(super) async fn connect(settings: &S3Settings) -> Connection {
    let http = aws_smithy_http_client::Builder::new()
        .tls_provider(Provider::Rustls(CryptoMode::Ring))
        .build_https();
    let region = region(settings).await;
    let credentials = credentials(settings, &region, http.clone()).await;
    let timeouts = TimeoutConfig::builder()
        .connect_timeout(CONNECT_DEADLINE)
        .operation_attempt_timeout(TRY_DEADLINE)
        .operation_timeout(CALL_DEADLINE)
        .build();
    let retries = RetryConfig::standard()
        .with_max_attempts(TRIES)
        .with_initial_backoff(FIRST_PAUSE);
    let mut config = Config::builder()
        .region(region.clone())
        .credentials_provider(credentials.clone())
        .http_client(http)
        .force_path_style(settings.path_style)
        .timeout_config(timeouts)
        .retry_config(retries)
        // Servers other than AWS refuse the newer checksums; blobs are checked by their names anyway.
        .request_checksum_calculation(RequestChecksumCalculation::WhenRequired)
        .response_checksum_validation(ResponseChecksumValidation::WhenRequired);
    config.set_endpoint_url(settings.endpoint.as_ref().map(address));
    Connection {
        client: aws_sdk_s3::Client::from_conf(config.build()),
        credentials,
        region,
    }
}

/// The bucket's address as clients reach it, by the SDK's own rules; without a slash at its end.
pub(super) async fn public_address(
    settings: &S3Settings,
    bucket: &str,
    region: &Region,
) -> Result<String, String> {
    let endpoint = settings
        .public_endpoint
        .as_ref()
        .or(settings.endpoint.as_ref());
    let params = Params::builder()
        .bucket(bucket)
        .region(region.as_ref())
        .force_path_style(settings.path_style)
        .set_endpoint(endpoint.map(address))
        .build()
        .map_err(|error| error.to_string())?;
    let rules = DefaultResolver::new();
    let resolved = ResolveEndpoint::resolve_endpoint(&rules, &params)
        .await
        .map_err(|error| error.to_string())?;
    Ok(resolved.url().trim_end_matches('/').to_owned())
}

fn address(url: &Url) -> String {
    url.as_str().trim_end_matches('/').to_owned()
}

/// Asks nobody over the network: the setting, the environment, the profile.
async fn region(settings: &S3Settings) -> Region {
    RegionProviderChain::first_try(settings.region.clone().map(Region::new))
        .or_else(EnvironmentVariableRegionProvider::new())
        .or_else(ProfileFileRegionProvider::new())
        .or_else(Region::from_static(USUAL_REGION))
        .region()
        .await
        .unwrap_or(Region::from_static(USUAL_REGION))
}

async fn credentials(
    settings: &S3Settings,
    region: &Region,
    http: SharedHttpClient,
) -> SharedCredentialsProvider {
    if let (Some(id), Some(secret)) = (&settings.access_key_id, &settings.secret_access_key) {
        let named = Credentials::new(id, secret.expose_secret(), None, None, "settings");
        return SharedCredentialsProvider::new(named);
    }
    let searching = ProviderConfig::without_region()
        .with_region(Some(region.clone()))
        .with_http_client(http);
    let chain = DefaultCredentialsChain::builder()
        .configure(searching)
        .region(region.clone());
    SharedCredentialsProvider::new(chain.build().await)
}
