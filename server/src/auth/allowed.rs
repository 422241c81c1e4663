//! Callers of calls that need a scope.

use std::marker::PhantomData;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use pentimento_api::session::Scope;

use super::Caller;
use crate::app::App;
use crate::error::{Error, Result};

/// A caller whose key has the scope that a call needs. What is extracted after it is looked at only then: whoever may not
/// call learns so, whatever was sent.
pub(crate) struct Allowed<S> {
    pub(crate) caller: Caller,
    scope: PhantomData<S>,
}

/// A scope by its type.
pub(crate) trait Needed {
    const SCOPE: Scope;
}

macro_rules! needed {
    ($($scope:ident),*) => {$(
        #[doc = concat!("[`Scope::", stringify!($scope), "`].")]
        pub(crate) enum $scope {}

        impl Needed for $scope {
            const SCOPE: Scope = Scope::$scope;
        }
    )*};
}

needed!(Read, Run, Review, Admin);

impl<S: Needed> FromRequestParts<App> for Allowed<S> {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self> {
        let caller = Caller::from_request_parts(parts, app).await?;
        caller.need(S::SCOPE)?;
        Ok(Self {
            caller,
            scope: PhantomData,
        })
    }
}
