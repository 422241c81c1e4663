// Whether the document, its templates, its open shadow trees and its frames of the same origin have no more than so many characters of text and
// attributes; tags count too. Counting ends where there are more: a page may have as many as it likes.
(most) => {
  // A form's controls shadow its properties (`<input name="attributes">`), so they are read through their prototypes.
  const reader = (prototype, name) => {
    const { get } = Object.getOwnPropertyDescriptor(prototype, name);
    return (node) => get.call(node);
  };
  const typeOf = reader(Node.prototype, "nodeType");
  const lengthOf = reader(CharacterData.prototype, "length");
  const tagOf = reader(Element.prototype, "tagName");
  const attributesOf = reader(Element.prototype, "attributes");
  const shadowOf = reader(Element.prototype, "shadowRoot");
  const SHOWN = NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT | NodeFilter.SHOW_CDATA_SECTION | NodeFilter.SHOW_COMMENT;
  const walk = (root) => Document.prototype.createTreeWalker.call(document, root, SHOWN);
  const inFrame = (element, tag) => {
    if (tag !== "IFRAME" && tag !== "FRAME") return null;
    try {
      return element.contentDocument;
    } catch {
      return null; // of another origin
    }
  };
  const contentOf = reader(HTMLTemplateElement.prototype, "content");
  // Whoever waits for the answer gives up sooner or later, and what comes next needs this thread.
  const end = performance.now() + 3000;
  let count = 0;
  let nodes = 0;
  const roots = [document];
  while (roots.length && count <= most) {
    const walker = walk(roots.pop());
    for (let node = walker.nextNode(); node && count <= most; node = walker.nextNode()) {
      nodes += 1;
      if (nodes % 10000 === 0 && performance.now() > end) return false;
      if (typeOf(node) !== Node.ELEMENT_NODE) {
        count += lengthOf(node) + 1;
        continue;
      }
      const tag = tagOf(node);
      // As they are written: `<p></p>`, ` title=""`.
      count += 2 * tag.length + 5;
      for (const { name, value } of attributesOf(node)) count += name.length + value.length + 4;
      const template = tag === "TEMPLATE" && node instanceof HTMLTemplateElement ? contentOf(node) : null;
      for (const root of [shadowOf(node), inFrame(node, tag), template]) if (root) roots.push(root);
    }
  }
  return count <= most;
}
