// The document as a tree of plain values: tag, rectangle in page coordinates, id, class, chosen styles, direct text.
// Link targets, image sources, position, overflow, closed details and the head come with it, for the document diff; so does
// more of a text that is cut, as far as there is room for it in a tree, and how much of a text its own box shows.
// Of masked elements, only their place is recorded, with their id to find them by: what they say and wear is left out of
// every comparison.
(limits) => {
  const STYLES = [
    "color", "background-color", "background-image", "font-family", "font-size", "font-weight", "font-style",
    "line-height", "text-align", "text-decoration-line", "display", "visibility", "opacity", "position", "overflow-x",
    "overflow-y", "margin-top", "margin-right", "margin-bottom", "margin-left", "padding-top", "padding-right",
    "padding-bottom", "padding-left", "border-top-width", "border-top-color", "border-radius", "box-shadow", "z-index",
  ];
  const SKIP = new Set(["SCRIPT", "STYLE", "NOSCRIPT", "TEMPLATE", "LINK", "META", "HEAD"]);
  // A form's controls shadow its properties (`<input name="children">`), so they are read through their prototypes.
  const reader = (prototype, name) => {
    const { get } = Object.getOwnPropertyDescriptor(prototype, name);
    return (node) => get.call(node);
  };
  const childrenOf = reader(Element.prototype, "children");
  const childNodesOf = reader(Node.prototype, "childNodes");
  const scrollWidthOf = reader(Element.prototype, "scrollWidth");
  const clientWidthOf = reader(Element.prototype, "clientWidth");
  const tagOf = reader(Element.prototype, "tagName");
  const attribute = (element, name) => Element.prototype.getAttribute.call(element, name);
  // What is drawn otherwise than the colours say: nobody can tell then what a text lies on.
  const NOTHING = "rgba(0, 0, 0, 0)";
  const paints = (element, pseudo) => {
    const styles = getComputedStyle(element, pseudo);
    if (styles.content === "none" || styles.content === "normal" || styles.display === "none") return false;
    const isPainted = styles.backgroundImage !== "none" || styles.backgroundColor !== NOTHING;
    return isPainted && !(parseFloat(styles.width) < 24 || parseFloat(styles.height) < 12);
  };
  const isVeiled = (element, computed) =>
    computed.mixBlendMode !== "normal" || computed.textShadow !== "none" ||
    computed.webkitTextFillColor !== computed.color || paints(element, "::before") || paints(element, "::after");
  const CUTS = new Set(["hidden", "clip"]);
  let lines = limits.lines;
  // Percent of an element's own text that its box does not cut off, by the length of its lines; nothing where it cuts off none.
  const shownOf = (texts, box, computed) => {
    const [across, down] = [CUTS.has(computed.overflowX), CUTS.has(computed.overflowY)];
    if ((!across && !down) || computed.display === "inline") return undefined;
    const range = new Range();
    let [all, shown] = [0, 0];
    for (const text of texts) {
      range.selectNodeContents(text);
      let last;
      for (const line of range.getClientRects()) {
        lines -= 1;
        if (lines < 0) return undefined;
        // A line that ends in an ellipsis comes twice, the whole one first.
        if (last && line.top === last.top && line.left >= last.left && line.right <= last.right) continue;
        last = line;
        const middle = (line.top + line.bottom) / 2;
        const left = across ? Math.min(line.right, box.right) - Math.max(line.left, box.left) : line.width;
        all += line.width;
        if (!down || (middle > box.top && middle < box.bottom)) shown += Math.max(0, left);
      }
    }
    return all > 0 ? Math.floor((100 * shown) / all) : undefined;
  };
  const UNTYPED = "input:is([type=range], [type=checkbox], [type=radio], [type=color], [type=file], [type=hidden], [type=image])";
  let nodes = 0;
  let room = limits.longTexts;
  // Characters of the nodes so far. Nothing of a tree is kept that has too many, and it must not grow to any length before.
  let size = 0;
  const isFull = () => nodes >= limits.nodes || size > limits.size;
  const visit = (element, depth) => {
    nodes += 1;
    const box = Element.prototype.getBoundingClientRect.call(element);
    const computed = getComputedStyle(element);
    const node = {
      tagName: tagOf(element).slice(0, limits.name).toLowerCase(),
      rect: {
        x: Math.round(box.x + scrollX), y: Math.round(box.y + scrollY), w: Math.round(box.width), h: Math.round(box.height),
      },
    };
    const masked = Element.prototype.matches.call(element, limits.masked);
    const id = attribute(element, "id");
    if (id) node.id = id.slice(0, limits.name);
    if (masked) {
      node.masked = true;
      node.styles = { position: computed.position };
      size += JSON.stringify(node).length;
      return node;
    }
    const className = attribute(element, "class");
    if (className) node.className = className.slice(0, limits.name);
    node.styles = Object.fromEntries(STYLES.map((name) => [name, computed.getPropertyValue(name).slice(0, limits.style)]));
    const texts = [...childNodesOf(element)].filter((child) => child.nodeType === Node.TEXT_NODE);
    const text = texts.map((child) => child.data).join(" ").replace(/\s+/g, " ").trim();
    if (text) {
      node.text = text.slice(0, limits.text);
      // That of a marquee goes through its box.
      if (node.tagName !== "marquee") node.shown = shownOf(texts, box, computed);
      if (node.shown < 100 && (computed.textOverflow === "ellipsis" || computed.webkitLineClamp !== "none")) node.shortens = true;
    }
    if (text.length >= limits.text && room > 0) {
      node.longText = text.slice(0, limits.longText);
      room -= node.longText.length;
    }
    const tag = node.tagName;
    const href = attribute(element, "href");
    if (href !== null) node.href = href.slice(0, limits.address);
    if (tag === "img") {
      node.src = (attribute(element, "src") ?? "").slice(0, limits.address);
      node.alt = attribute(element, "alt")?.slice(0, limits.name);
      node.broken = element.complete && element.naturalWidth === 0;
    }
    if (tag === "details") node.open = element.open;
    if (isVeiled(element, computed)) node.veiled = true;
    if (Element.prototype.matches.call(element, ":disabled, [aria-disabled=true]")) node.off = true;
    if (Element.prototype.matches.call(element, UNTYPED)) node.untyped = true;
    // Inline boxes have no width of their own to stick out of.
    const spill = scrollWidthOf(element) - clientWidthOf(element);
    if (spill > 1 && clientWidthOf(element) > 0 && computed.overflowX === "visible") node.spill = spill;
    size += JSON.stringify(node).length;
    if (depth < limits.depth && tag !== "svg") {
      const children = [];
      for (const child of childrenOf(element)) {
        if (SKIP.has(tagOf(child)) || isFull()) continue;
        children.push(visit(child, depth + 1));
      }
      if (children.length) node.children = children;
    }
    return node;
  };
  const tree = visit(document.body ?? document.documentElement, 0);
  tree.head = {
    title: document.title.slice(0, limits.name),
    lang: document.documentElement.lang.slice(0, limits.name) || undefined,
    meta: [...document.querySelectorAll("meta[name], meta[property]")].slice(0, 200).map((meta) => ({
      name: (meta.getAttribute("name") ?? meta.getAttribute("property")).slice(0, limits.name),
      content: (meta.getAttribute("content") ?? "").slice(0, limits.name),
    })),
    links: [...document.querySelectorAll("link[rel=canonical], link[rel=alternate]")].slice(0, 200).map((link) => ({
      rel: link.rel.slice(0, limits.name), href: link.getAttribute("href")?.slice(0, limits.address) ?? null, hreflang: link.hreflang.slice(0, limits.name) || undefined,
    })),
    jsonLd: [...document.querySelectorAll('script[type="application/ld+json"]')].slice(0, 50).map((script) => script.textContent.slice(0, 20000)),
  };
  // What the page is painted on, empty where it cannot be told: the root element's ground, else the browser's white.
  const root = getComputedStyle(document.documentElement);
  const isDark = root.colorScheme.includes("dark") && (!root.colorScheme.includes("light") || matchMedia("(prefers-color-scheme: dark)").matches);
  const isPlain = root.backgroundImage === "none" && !isDark;
  tree.canvas = !isPlain ? "" : root.backgroundColor === NOTHING ? "rgb(255, 255, 255)" : root.backgroundColor.slice(0, limits.style);
  tree.errors = limits.errors;
  tree.truncated = isFull();
  return JSON.stringify(tree);
}
