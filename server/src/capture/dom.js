// The document as a tree of plain values: tag, rectangle in page coordinates, id, class, chosen styles, direct text.
// Link targets, image sources, position, overflow, closed details and the head come with it, for the document diff.
(limits) => {
  const STYLES = [
    "color", "background-color", "background-image", "font-family", "font-size", "font-weight", "font-style",
    "line-height", "text-align", "text-decoration-line", "display", "visibility", "opacity", "position", "overflow-x",
    "overflow-y", "margin-top", "margin-right", "margin-bottom", "margin-left", "padding-top", "padding-right",
    "padding-bottom", "padding-left", "border-top-width", "border-top-color", "border-radius", "box-shadow", "z-index",
  ];
  const SKIP = new Set(["SCRIPT", "STYLE", "NOSCRIPT", "TEMPLATE", "LINK", "META", "HEAD"]);
  let nodes = 0;
  const clip = (text) => text.replace(/\s+/g, " ").trim().slice(0, limits.text);
  const visit = (element, depth) => {
    nodes += 1;
    const box = element.getBoundingClientRect();
    const computed = getComputedStyle(element);
    const node = {
      tagName: element.tagName.toLowerCase(),
      rect: {
        x: Math.round(box.x + scrollX), y: Math.round(box.y + scrollY), w: Math.round(box.width), h: Math.round(box.height),
      },
    };
    if (element.id) node.id = element.id;
    if (typeof element.className === "string" && element.className) node.className = element.className;
    node.styles = Object.fromEntries(STYLES.map((name) => [name, computed.getPropertyValue(name)]));
    const text = clip([...element.childNodes].filter((child) => child.nodeType === Node.TEXT_NODE).map((child) => child.data).join(" "));
    if (text) node.text = text;
    if (element.href && typeof element.href === "string") node.href = element.getAttribute("href");
    if (element.tagName === "IMG") {
      node.src = element.getAttribute("src");
      node.alt = element.getAttribute("alt");
      node.broken = element.complete && element.naturalWidth === 0;
    }
    if (element.tagName === "DETAILS") node.open = element.open;
    if (depth < limits.depth && element.tagName !== "SVG" && element.tagName.toLowerCase() !== "svg") {
      const children = [];
      for (const child of element.children) {
        if (SKIP.has(child.tagName) || nodes >= limits.nodes) continue;
        children.push(visit(child, depth + 1));
      }
      if (children.length) node.children = children;
    }
    return node;
  };
  const tree = visit(document.body ?? document.documentElement, 0);
  tree.head = {
    title: document.title,
    lang: document.documentElement.lang || undefined,
    meta: [...document.querySelectorAll("meta[name], meta[property]")].slice(0, 200).map((meta) => ({
      name: meta.getAttribute("name") ?? meta.getAttribute("property"), content: meta.getAttribute("content") ?? "",
    })),
    links: [...document.querySelectorAll("link[rel=canonical], link[rel=alternate]")].slice(0, 200).map((link) => ({
      rel: link.rel, href: link.getAttribute("href"), hreflang: link.hreflang || undefined,
    })),
    jsonLd: [...document.querySelectorAll('script[type="application/ld+json"]')].slice(0, 50).map((script) => script.textContent.slice(0, 20000)),
  };
  tree.truncated = nodes >= limits.nodes;
  return JSON.stringify(tree);
}
