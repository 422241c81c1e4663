//! What the tests stand on.

pub(crate) mod app;
pub(crate) mod browser;
pub(crate) mod client;
pub(crate) mod gated;
pub(crate) mod hands;
pub(crate) mod model;
pub(crate) mod postgres;
pub(crate) mod process;
pub(crate) mod receiver;
pub(crate) mod site;
pub(crate) mod uploads;

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
