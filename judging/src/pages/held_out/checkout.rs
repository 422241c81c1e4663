//! A checkout with forms on the left and the basket on the right.

use crate::edit::{Edit, Part, Step, head, step, whole};
use crate::page::{Page, document};

/// What may be done to the page.
const STEPS: &[Step] = &[
    step(
        Edit::Price("€ 44.10"),
        ".grand--sum",
        "the sum to pay",
        ".sum",
    ),
    step(
        Edit::Colour("background-color: #ece3f7"),
        ".method--invoice",
        "the invoice option",
        ".block--pay",
    ),
    step(
        Edit::Spacing("padding-bottom: 58px"),
        "#block-delivery",
        "the delivery block",
        "#block-delivery",
    ),
    step(
        Edit::Insert {
            part: Part::Row,
            before: "#line-ink",
            html: r#"<tr class="line line--wax"><td>Sealing wax, red, two sticks</td><td>€ 6.80</td></tr>"#,
        },
        ".line--wax",
        "sealing wax",
        ".sum",
    ),
    step(
        Edit::Remove(Part::Banner),
        ".voucher--first",
        "the voucher message",
        ".voucher",
    ),
    step(
        Edit::Remove(Part::Row),
        ".line--blotter",
        "blotting paper",
        ".sum",
    ),
    step(
        Edit::SwapWithNext,
        ".way--post",
        "delivery by post",
        "#block-delivery",
    ),
    step(
        Edit::ContrastLoss("color: #f3f0f7"),
        ".card-hint--data",
        "the hint about card numbers",
        ".block--pay",
    ),
    step(
        Edit::Overlap("margin-top: -120px"),
        ".block--gift",
        "the present block",
        ".block--gift",
    ),
    step(Edit::Hidden, "#pay-now", "the pay button", ".sum"),
    head(Edit::NoIndex, r#"meta[name="robots"]"#),
    head(Edit::Title("Address and payment – Papershed"), "title"),
    step(
        Edit::Clock("Your basket is reserved for 11 min 05 s"),
        ".held--until",
        "the reservation countdown",
        ".held",
    ),
    step(
        Edit::Jitter,
        ".small--courier",
        "the remark on the courier",
        ".forms",
    ),
    whole(Edit::ClassNames),
];

pub(super) fn page() -> Page {
    Page {
        name: "checkout",
        seed: 911,
        intent: "Checkout flow. Nothing here may change without a ticket.",
        steps: STEPS,
        root: document(include_str!("../../../pages/held-out/checkout.html"), &[]),
    }
}
