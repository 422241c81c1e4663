// Masks, custom CSS and the hidden caret, in every tree that has not got them yet, and watching each for changes.
// Says whether the document has loaded within its time, and which masks are no valid selectors.
async ({ masks, customCss, hideCaret, patience }) => {
  const shared = globalThis.pentimento;
  const loaded = await shared.loaded(patience);
  const badMasks = masks.filter((mask) => {
    try {
      document.createDocumentFragment().querySelector(mask);
      return false;
    } catch {
      return true;
    }
  });
  // Descendants too: one that is `visible` of itself would show through a hidden ancestor.
  const hidden = ["[data-vr-mask]", ...masks.filter((mask) => !badMasks.includes(mask))];
  const rules = hidden.map((selector) => `:is(${selector}), :is(${selector}) * { visibility: hidden !important; }`);
  if (hideCaret) rules.push("*, *::before, *::after { caret-color: transparent !important; }");
  shared.dress = () => {
    for (const root of shared.roots()) {
      if (shared.dressed.has(root)) continue;
      shared.dressed.add(root);
      // Adopted sheets, because the content policy of a page forbids style elements that scripts add. A sheet belongs to
      // the document that it was made for.
      const view = (root.ownerDocument ?? root).defaultView;
      if (!view) continue;
      const sheets = [...rules, ...(customCss ? [customCss] : [])].map((css) => {
        const sheet = new view.CSSStyleSheet();
        sheet.replaceSync(css);
        return sheet;
      });
      root.adoptedStyleSheets = [...root.adoptedStyleSheets, ...sheets];
    }
  };
  shared.dress();
  // What moves nothing on the page does not count: the title, the data of scripts.
  const counts = ({ target, type }) => type === "attributes" || !(target.closest?.("head") ?? target.parentElement?.closest("head"));
  const observer = new MutationObserver((changes) => {
    if (changes.some(counts)) shared.changedAt = performance.now();
  });
  // Tag managers and chat widgets keep frames that nobody sees. One that is flat may get its height from what it shows.
  const shows = (root) => {
    const frame = (root.ownerDocument ?? root).defaultView?.frameElement;
    return !frame || (frame.checkVisibility({ visibilityProperty: true, opacityProperty: true })
      && (frame.offsetWidth > 1 || frame.offsetHeight > 1) && shows(frame.ownerDocument));
  };
  const watched = new WeakSet();
  // An observer sees into no shadow tree and no frame, and is not told of new ones: they are looked for, and are a change.
  shared.watch = () => {
    for (const root of shared.roots()) {
      if (watched.has(root) || !shows(root)) continue;
      watched.add(root);
      observer.observe(root, {
        subtree: true, childList: true, characterData: true,
        attributeFilter: ["class", "style", "hidden", "open", "src", "srcset", "href", "width", "height", "aria-busy", "aria-hidden", "aria-expanded"],
      });
      shared.changedAt = performance.now();
    }
  };
  shared.watch();
  return { loaded, badMasks };
}
