//! A UI designer who thinks in hierarchy, rhythm, calm, tokens and Figma frames.

use crate::words::Template;

/// The words for every edit.
pub(super) const TEMPLATES: [Template; 32] = [
    (
        "text-edit",
        "Microcopy pass: shorter, warmer words for {what}",
        "The old wording fought with everything around it. Frame 14 in the Figma file has the copy we agreed on with Content, so this brings the page in line.",
        "{what} now says “{to}”",
    ),
    (
        "price-edit",
        "Sync the figure in {what} with the signed-off frame",
        "Numbers in the mockup and numbers on the page had drifted apart. Size, weight and alignment of the figure are as before, it just reads {to}.",
        "The figure shown for {what} is {to}",
    ),
    (
        "link-target",
        "Prototype flow: send {what} to its real destination",
        "In the click-through prototype this step goes to {to}, while the live page still took people somewhere else. Styling of the link stays on link/default.",
        "Clicking {what} leads to {to}",
    ),
    (
        "colour-change",
        "Apply the accent/strong token to {what}",
        "It was the last thing in this view on a legacy hex value. With the new hue it carries the right visual weight next to its siblings.",
        "A different colour on {what}, layout as in the current frame",
    ),
    (
        "spacing-change",
        "Let {what} breathe (space-400 → space-700)",
        "The vertical rhythm broke down here: everything was glued together and the eye had nowhere to rest. More air around it, and the content underneath slides down by the same amount.",
        "More white space around {what}; whatever comes after sits lower",
    ),
    (
        "font-change",
        "Display face for {what}",
        "Headlines go to the serif from the brand refresh so that they separate from UI text. Same size step in the type scale, same line breaks in my tests.",
        "{what} is set in the new typeface",
    ),
    (
        "contrast-loss",
        "Calm down {what}: text/subtle instead of text/primary",
        "It was shouting for attention it doesn't deserve. A whisper of a tone, close to the surface colour, puts it where it belongs in the hierarchy.",
        "{what} recedes: much lighter, softer lettering on the same background",
    ),
    (
        "overflow",
        "Full-bleed treatment for {what}",
        "In the frame this breaks out of the 12-column grid for a more editorial feel. I've given it a generous fixed width so it no longer feels boxed in.",
        "{what} runs wider than the column it lives in",
    ),
    (
        "overlap",
        "Layered look: tuck {what} up over its neighbour",
        "Stacking the two adds depth and ties them together, like in the “Collage” exploration. Done with a negative top margin.",
        "{what} partly covers the element next to it",
    ),
    (
        "hidden-element",
        "Reduce competing actions: take {what} out of view",
        "Too many calls to action in one viewport flatten the hierarchy. It keeps its slot in the layout for the moment but is not shown.",
        "{what} can no longer be seen",
    ),
    (
        "insert-banner",
        "Introduce {what} using the Notice/Info component",
        "Uses surface/info and body-sm so it informs without dominating the fold. See frame “Notice – desktop”.",
        "{what} appears, everything beneath it starts a little further down",
    ),
    (
        "insert-card",
        "One more tile in the grid: {what}",
        "The set felt incomplete with an odd gap at the end. Same card component, same radius, same elevation as its siblings.",
        "The group of cards gains {what}",
    ),
    (
        "insert-row",
        "Extend the list by {what}",
        "Content was missing compared with the handoff. Density and dividers follow the existing rows, so the rhythm is kept.",
        "{what} is present as an extra line",
    ),
    (
        "remove-banner",
        "Declutter above the fold by dropping {what}",
        "It added noise before people even reached the headline. Without it the page opens much calmer.",
        "{what} is gone and the page closes up over it",
    ),
    (
        "remove-card",
        "Fewer tiles, clearer choice: cut {what}",
        "Research showed that one option too many slows people down. The remaining cards reflow on the same grid.",
        "{what} no longer sits among the cards",
    ),
    (
        "remove-row",
        "Tighten the list: {what} goes",
        "It repeated what the line above already tells us. Shorter list, same rhythm.",
        "The list is one line shorter, without {what}",
    ),
    (
        "move-section",
        "Rework the page narrative: new place for {what}",
        "The story should go from promise to proof to action, and this section came at the wrong beat. Nothing inside it was redesigned.",
        "{what} is found at another point of the page, contents as before",
    ),
    (
        "reorder",
        "Swap reading order of {what} and its neighbour",
        "Eye tracking suggests the stronger item should come first. Just the sequence, components untouched.",
        "{what} and the item beside it have traded positions",
    ),
    (
        "move-with-edit",
        "New position and new copy for {what}",
        "In the revised frame it lives further along in the flow, and because the context is different there, the copy had to be tuned as well: “{to}”.",
        "{what} sits in its new spot with the words “{to}”",
    ),
    (
        "image-swap",
        "Replace the visual in {what} with the final art direction",
        "The placeholder was too busy and pulled focus from the headline. New asset has the same ratio and a quieter background.",
        "A different image is displayed in {what}",
    ),
    (
        "broken-image",
        "Load {what} from the new asset library",
        "We're retiring the old export folder, so the source now points to the path in the shared design library.",
        "{what} comes from the library path instead of the old exports folder",
    ),
    (
        "noindex",
        "Keep the redesign preview out of search results",
        "This layout is still an exploration and I don't want strangers landing on it from Google. Robots meta only.",
        "Search engines are asked not to list the page; the design itself stays as it is",
    ),
    (
        "canonical-host",
        "Brand domain as the canonical home ({to})",
        "Part of the rebrand: the address we declare as the original should carry the new brand host.",
        "The canonical link in the head names {to}",
    ),
    (
        "title-edit",
        "Browser tab label per brand voice guidelines",
        "The label in the tab still used the old tone. The voice & tone sheet asks for “{to}”.",
        "Tab and bookmark show “{to}”",
    ),
    (
        "description-edit",
        "Rewrite the search snippet in our brand voice",
        "That little text under our name in search results is a touchpoint too, so it deserves the same care: “{to}”.",
        "Meta description becomes “{to}”",
    ),
    (
        "json-ld-price",
        "Rich snippet should quote {to}",
        "The preview card in search results showed an outdated amount. This is the schema.org block only, no frame is affected.",
        "The offer in the structured data has the price {to}",
    ),
    (
        "clock",
        "Make {what} feel alive with the current time",
        "A small living detail, straight from the moodboard: the line picks up the time of the visit. Same text style, body-sm/medium.",
        "{what} shows the time of day, so it reads differently on every visit",
    ),
    (
        "anti-aliasing",
        "Optical alignment of the lettering in {what}",
        "Nudged by a fraction of a pixel so the stems land better on the grid. You'd need to zoom in to 800% to notice.",
        "Only the smoothing of the letter edges in {what} differs, nothing the naked eye would pick up",
    ),
    (
        "one-pixel-jitter",
        "Optical correction: shift {what} 1px right",
        "Mathematically aligned, optically off. One pixel to the right fixes the left edge against the heading above.",
        "{what} stands one pixel further right",
    ),
    (
        "identical",
        "Re-export tokens, same values",
        "Style Dictionary was bumped and spat out the files again. I compared every frame side by side and they match.",
        "Pages look precisely as they did before the export",
    ),
    (
        "class-names",
        "Align class names with component names in Figma",
        "`.box-2` told nobody anything. The classes in markup and stylesheet now have the same names as the layers, and the look is pixel for pixel what it was.",
        "New class names under the hood, identical appearance",
    ),
    (
        "attribute-order",
        "Consistent attribute order and indentation in templates",
        "For the sake of my own sanity when inspecting: class first, then the rest, two-space indents. A purely editorial tidy-up of the source.",
        "Source is tidier, the rendering stays the same to the last pixel",
    ),
];
