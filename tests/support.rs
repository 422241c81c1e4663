//! What the tests stand on.

pub(crate) mod app;
pub(crate) mod browser;
pub(crate) mod client;
pub(crate) mod gated;
pub(crate) mod hands;
pub(crate) mod model;
pub(crate) mod picture;
pub(crate) mod postgres;
pub(crate) mod process;
pub(crate) mod receiver;
pub(crate) mod s3;
pub(crate) mod site;
pub(crate) mod uploads;

use std::time::{Duration, Instant};

/// Waits until something holds.
pub(crate) async fn until(holds: impl Fn() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < Duration::from_secs(20), "it never holds");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

/// Runs each test on SQLite and on PostgreSQL: one list of tests, two databases.
macro_rules! on_both_databases {
    ($($(#[$meta:meta])* async fn $name:ident($app:ident: TestApp) $body:block)*) => {
        $($(#[$meta])* async fn $name($app: $crate::support::app::TestApp) $body)*

        mod on_sqlite {
            $(#[tokio::test(flavor = "multi_thread")]
            async fn $name() {
                super::$name($crate::support::app::TestApp::on_sqlite().await).await;
            })*
        }

        mod on_postgres {
            $(#[tokio::test(flavor = "multi_thread")]
            async fn $name() {
                super::$name($crate::support::app::TestApp::on_postgres().await).await;
            })*
        }
    };
}
pub(crate) use on_both_databases;

/// Runs each test with captures on a disk and in a bucket, on both databases: one list of tests, two storages.
macro_rules! on_every_storage {
    ($($(#[$meta:meta])* async fn $name:ident($app:ident: TestApp) $body:block)*) => {
        $($(#[$meta])* async fn $name($app: $crate::support::app::TestApp) $body)*

        $crate::support::on_every_storage!(@on disk_and_sqlite, on_sqlite, $($name)*);
        $crate::support::on_every_storage!(@on disk_and_postgres, on_postgres, $($name)*);
        $crate::support::on_every_storage!(@on bucket_and_sqlite, on_s3_and_sqlite, $($name)*);
        $crate::support::on_every_storage!(@on bucket_and_postgres, on_s3_and_postgres, $($name)*);
    };
    (@on $module:ident, $start:ident, $($name:ident)*) => {
        mod $module {
            $(#[tokio::test(flavor = "multi_thread")]
            async fn $name() {
                super::$name($crate::support::app::TestApp::$start().await).await;
            })*
        }
    };
}
pub(crate) use on_every_storage;
