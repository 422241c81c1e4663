//! A fluent but non-native English speaker: polite complete sentences and now and then an unusual synonym.

use crate::words::Template;

/// The words for every edit.
pub(super) const TEMPLATES: [Template; 32] = [
    (
        "text-edit",
        "Renew the text of {what}",
        "The previous formulation was not so fortunate, especially in the comparison with our other languages. It shall read \"{to}\" from now.",
        "In place of the previous formulation one reads \"{to}\".",
    ),
    (
        "price-edit",
        "Actualise {what}",
        "According to the new tariff sheet the amount is {to} since the first of the month. I have put the correct amount on the page.",
        "From now on {what} amounts to {to}.",
    ),
    (
        "link-target",
        "Let {what} conduct to the right page",
        "Until today one arrived on a page that does not exist any more. With this change one arrives at {to}, the label remains as it was.",
        "By clicking on {what} one arrives at {to}.",
    ),
    (
        "colour-change",
        "Exchange the colour of {what}",
        "Our designers have wished another tone for this place. I have changed only the colour and nothing else, please have a look.",
        "It is only the colour of {what} that is another one.",
    ),
    (
        "spacing-change",
        "Give more air to {what}",
        "In the German version the lines were glued one to the other. I enlarged the distance, therefore all that follows glides somewhat downwards.",
        "The distance around {what} is larger and the following parts are situated deeper.",
    ),
    (
        "font-change",
        "Put another script type for {what}",
        "The actual font does not have all of our Cyrillic letters, so we take another family here. The size shall remain equal.",
        "We see {what} written in another family of letters.",
    ),
    (
        "contrast-loss",
        "Make {what} more discreet and more elegant",
        "In my opinion the letters were too dominant at this place. I have chosen a very tender tone which is near to the ground, so that it works more subtle.",
        "The letters of {what} become very tender and light.",
    ),
    (
        "overflow",
        "Enlarge {what} beyond the borders of its column",
        "We wished that this part has more presence, therefore it became considerably broader than the page itself. One can move the page to the side to see the rest.",
        "The width of {what} surpasses the width of the window.",
    ),
    (
        "overlap",
        "Lay {what} partly upon its neighbour",
        "As in the printed brochure, the two parts shall cover each other a little. For this I have pulled it in the direction of the preceding part.",
        "A portion of the neighbouring part is lying under {what}.",
    ),
    (
        "hidden-element",
        "Make {what} disappear for the moment",
        "We are not yet authorised to accept orders in this country. Therefore I ask you kindly to keep it invisible until we receive the permission.",
        "It is not possible any more to see {what} on the page.",
    ),
    (
        "insert-banner",
        "Introduce {what} for the information of the readers",
        "Our readers should be informed in time, hence I put this information well visible on the page. The remaining contents go down a bit.",
        "There appears {what}, which did not exist until now.",
    ),
    (
        "insert-card",
        "Complete the collection with {what}",
        "One piece was lacking in comparison with the original version. I inserted it in the same manner as the others.",
        "The collection counts one card more, that is to say {what}.",
    ),
    (
        "insert-row",
        "Supplement {what}",
        "By the proofreading I noticed that one position was forgotten. It is now contained, the other positions I did not touch.",
        "Among the positions one finds now also {what}.",
    ),
    (
        "remove-banner",
        "Take {what} away from the page",
        "The announced event has already taken place, so this information has no more sense. I thank you for a quick review.",
        "The page comes without {what}.",
    ),
    (
        "remove-card",
        "Eliminate {what} from the collection",
        "This article is not offered in our region any more, and the customers ask us for it every week. The neighbours shall fill the empty place.",
        "The collection does not contain {what} any more.",
    ),
    (
        "remove-row",
        "Cancel {what}",
        "This position was translated two times by mistake. I have struck it out, what comes after it moves upwards.",
        "One position less: {what} has been struck out.",
    ),
    (
        "move-section",
        "Displace {what} on the page",
        "For the logic of the reading it is better when this part comes on another position. I did not modify its content at all.",
        "The position of {what} on the page is another one, its content remains.",
    ),
    (
        "reorder",
        "Invert the succession of {what} and its neighbour",
        "In our language the succession sounded strange, so the two have exchanged their seats. Everything else is as it has been.",
        "Now {what} takes the seat of its neighbour and vice versa.",
    ),
    (
        "move-with-edit",
        "Transfer {what} and formulate it anew",
        "It was standing on a place where nobody was searching for it. I transferred it and on this occasion it also received the text \"{to}\".",
        "At its new place {what} carries the text \"{to}\".",
    ),
    (
        "image-swap",
        "Exchange {what} against a newer photograph",
        "On the former photograph one could see the English packaging. I have set the one which our colleagues from Kraków have sent to us.",
        "Another photograph is to be seen in the place of {what}.",
    ),
    (
        "broken-image",
        "Obtain {what} from the server of our partner",
        "Our partner has asked that we do not keep a copy by ourselves, so I registered the address which he gave me. At my computer it did unfortunately not charge, perhaps somebody can control it.",
        "The address from which {what} is taken is a new one.",
    ),
    (
        "noindex",
        "Please do not let the search machines list this page",
        "The translation is still provisional and we would be ashamed if it appears in the search results. The page as such can be visited like before.",
        "Search machines receive the indication not to list the page.",
    ),
    (
        "canonical-host",
        "Name {to} as the principal address of the page",
        "Our national domain has been given up in spring. The search machines should know that the original lies at {to}.",
        "As principal address the page indicates the host {to}.",
    ),
    (
        "title-edit",
        "The title of the document shall be \"{to}\"",
        "In the tab of the browser one saw up to now the untranslated title. The heading in the page itself I have left in peace.",
        "In the tab of the browser stands \"{to}\".",
    ),
    (
        "description-edit",
        "Translate also the description for the search machines",
        "We have forgotten this text by the first delivery because one does not see it in the page. It sounds now \"{to}\".",
        "The description of the document sounds \"{to}\".",
    ),
    (
        "json-ld-price",
        "Rectify the price in the data for the machines",
        "The price in the structured data was in contradiction to our catalogue. I have corrected it to {to}; the reader of the page does not remark anything.",
        "The structured data contain the price {to}.",
    ),
    (
        "clock",
        "Indicate the actual hour in {what}",
        "Our readers live in several time zones and they have asked for an orientation. The hour is calculated anew with each opening of the page.",
        "At each visit {what} indicates the hour of this moment.",
    ),
    (
        "anti-aliasing",
        "Make the letters of {what} somewhat smoother",
        "On my screen the accents were flickering, thus I displaced the text for a fraction of a point. With the naked eye one does practically not recognise it.",
        "The borders of the letters in {what} are painted a very little bit differently.",
    ),
    (
        "one-pixel-jitter",
        "Push {what} for one single pixel to the right",
        "It was not precisely aligned with the line above, and this has disturbed me since a long time. Please excuse the smallness of this change.",
        "One pixel further to the right stands {what}.",
    ),
    (
        "identical",
        "Generate the pages once again",
        "The server has been renewed and I was asked to generate everything one more time. I have altered neither a text nor a picture.",
        "There should be no difference at all with respect to the previous state.",
    ),
    (
        "class-names",
        "Give the style classes names which everybody understands",
        "Until now the names were half in Polish and half in English. I have exchanged them consequently in the pages as well as in the style files, the appearance remains equal.",
        "The page has the same appearance as before the renaming.",
    ),
    (
        "attribute-order",
        "Bring the source text into a uniform order",
        "Our translation tool writes the attributes in another succession and with other blanks. The meaning of the page is not concerned by that.",
        "What the reader sees is not touched, it is merely the source text which is otherwise arranged.",
    ),
];
