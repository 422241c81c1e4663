//! Lets only signed-in readers through, and leads the others to the sign-in page and back.

use leptos::prelude::*;
use leptos_router::NavigateOptions;
use leptos_router::hooks::use_navigate;

use crate::browser;
use crate::client;
use crate::components::notice::Problem;
use crate::shared::{Reader, SignedIn, use_shared};

/// Shows its children once it is known who is signed in.
#[component]
pub(crate) fn Gate(children: ChildrenFn) -> impl IntoView {
    let shared = use_shared();
    let navigate = use_navigate();
    let leave = navigate.clone();
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
    // To another organization the address names nothing.
    Effect::new(move |before: Option<Option<String>>| {
        let organization = shared.reader().map(|reader| reader.organization);
        if let (Some(Some(before)), Some(now)) = (&before, &organization)
            && before != now
        {
            leave("/app", NavigateOptions::default());
        }
        organization
    });
    // What one reader sees and has begun is not another's: whoever comes next has all of it anew.
    let reader = move || shared.reader();
    let key = |reader: &Reader| format!("{}\n{}", reader.organization, reader.name);
    let draw = move |_: Reader| children();
    let problem = move || match shared.signed_in.get() {
        SignedIn::Failed(error) => {
            let retry = Callback::new(move |()| shared.signed_in.set(SignedIn::Unknown));
            Some(view! { <div class="page"><Problem error retry /></div> })
        }
        SignedIn::Unknown | SignedIn::Yes(_) | SignedIn::No => None,
    };
    view! {
        <For each=reader key=key children=draw />
        {problem}
    }
}
