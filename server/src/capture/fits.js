// Counts the characters of text and attributes in the document, its templates, its open shadow trees and its frames of the same origin, or in
// the trees that are given in their place; tags count too. Null where there are more than so many: a page may have as many as it likes, so
// counting ends there. Told besides is how many nodes a search for "<" finds, which are the elements, and the texts that hold it, but for
// what is in templates.
(most, ...given) => {
  // A form's controls shadow its properties (`<input name="attributes">`), so they are read through their prototypes.
  const reader = (prototype, name) => {
    const { get } = Object.getOwnPropertyDescriptor(prototype, name);
    return (node) => get.call(node);
  };
  const typeOf = reader(Node.prototype, "nodeType");
  const parentOf = reader(Node.prototype, "parentNode");
  const dataOf = reader(CharacterData.prototype, "data");
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
  // Comments outside of the root element are not searched.
  const holdsIt = (text) => dataOf(text).includes("<") && typeOf(parentOf(text)) !== Node.DOCUMENT_NODE;
  // Whoever waits for the answer gives up sooner or later, and what comes next needs this thread.
  const end = performance.now() + 3000;
  let characters = 0;
  let found = 0;
  let nodes = 0;
  const roots = (given.length ? given : [document]).map((root) => ({ root, isSearched: true }));
  while (roots.length) {
    const { root, isSearched } = roots.pop();
    const walker = walk(root);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      nodes += 1;
      if (nodes % 10000 === 0 && performance.now() > end) return null;
      if (typeOf(node) !== Node.ELEMENT_NODE) {
        characters += lengthOf(node) + 1;
        if (characters > most) return null;
        if (isSearched && holdsIt(node)) found += 1;
        continue;
      }
      if (isSearched) found += 1;
      const tag = tagOf(node);
      // As they are written: `<p></p>`, ` title=""`.
      characters += 2 * tag.length + 5;
      for (const { name, value } of attributesOf(node)) characters += name.length + value.length + 4;
      if (characters > most) return null;
      for (const tree of [shadowOf(node), inFrame(node, tag)]) if (tree) roots.push({ root: tree, isSearched });
      const template = tag === "TEMPLATE" && node instanceof HTMLTemplateElement ? contentOf(node) : null;
      if (template) roots.push({ root: template, isSearched: false });
    }
  }
  return { characters, found };
}
