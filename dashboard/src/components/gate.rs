//! Lets only signed-in readers through, and leads the others to the sign-in page and back.

use leptos::prelude::*;
use leptos_router::NavigateOptions;
use leptos_router::hooks::use_navigate;

use crate::browser;
use crate::client;
use crate::components::notice::Problem;
use crate::shared::{SignedIn, use_shared};

/// Shows its children once it is known who is signed in.
#[component]
pub(crate) fn Gate(children: ChildrenFn) -> impl IntoView {
    let shared = use_shared();
    let navigate = use_navigate();
    Effect::new(move |_| {
        if shared.signed_in.get() == SignedIn::No {
            let target = format!("/app/sign-in?next={}", client::encoded(&browser::address()));
            navigate(
                &target,
                NavigateOptions {
                    replace: true,
                    ..NavigateOptions::default()
                },
            );
        }
    });
    // The children are built anew when this changes, so it only says what matters to them.
    let is_in = Memo::new(move |_| {
        shared
            .signed_in
            .with(|signed_in| matches!(signed_in, SignedIn::Yes(_)))
    });
    move || {
        if is_in.get() {
            return children().into_any();
        }
        match shared.signed_in.get() {
            SignedIn::Failed(error) => {
                let retry = Callback::new(move |()| shared.signed_in.set(SignedIn::Unknown));
                view! { <div class="page"><Problem error retry /></div> }.into_any()
            }
            SignedIn::Unknown | SignedIn::Yes(_) | SignedIn::No => ().into_any(),
        }
    }
}
