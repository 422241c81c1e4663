// Lays out a page that scrolls in an element, not by itself, as if its window had room for all of it: else a picture of the
// whole page would show one screen of it. A page that scrolls by itself, and a box on it that scrolls, stay as they are.
() => {
  const shared = globalThis.pentimento;
  const html = document.documentElement;
  const page = document.scrollingElement ?? html;
  const [width, height] = [page.clientWidth, page.clientHeight];
  const isCut = (element) => element.scrollHeight > element.clientHeight + 1;
  if (page.scrollHeight > height + 1) return false;
  // The part of the window that an element covers, 0 to 1.
  const share = (element) => {
    const box = element.getBoundingClientRect();
    const along = (from, to, most) => Math.max(0, Math.min(to, most) - Math.max(from, 0));
    return along(box.left, box.right, width) * along(box.top, box.bottom, height) / (width * height);
  };
  // Half of the window is more than any box on a page takes, and less than a shell leaves to its content.
  const LEAST_SHARE = 0.5;
  const scroller = shared.every("*")
    .filter((element) => element.ownerDocument === document && element !== page && isCut(element))
    .filter((element) => ["auto", "scroll"].includes(getComputedStyle(element).overflowY))
    .map((element) => ({ element, share: share(element) }))
    .filter((one) => one.share >= LEAST_SHARE)
    .reduce((best, one) => (best && best.share >= one.share ? best : one), null)?.element;
  if (!scroller) return false;
  const around = (element) => element.assignedSlot ?? element.parentElement ?? element.getRootNode().host;
  const chain = [];
  for (let element = scroller; element; element = around(element)) chain.push({ element, former: element.getAttribute("style") });
  const set = ({ element }, properties) => {
    for (const [name, value] of Object.entries(properties)) element.style.setProperty(name, value, "important");
  };
  const restore = () => {
    for (const { element, former } of chain) {
      if (former === null) element.removeAttribute("style");
      else element.setAttribute("style", former);
    }
  };
  // The room for its content: where scrollbars show, its own one goes and the page's comes.
  const place = () => {
    const { left, top } = scroller.getBoundingClientRect();
    return [left, top, scroller.clientWidth];
  };
  const before = place();
  scroller.scrollTop = 0;
  // Text may wrap anew once there is room, so that more of it is found to be missing.
  const ROUNDS = 3;
  for (let round = 0; round < ROUNDS && isCut(scroller); round += 1) {
    const more = scroller.scrollHeight - scroller.clientHeight;
    const sized = chain.map((one) => {
      const { position } = getComputedStyle(one.element);
      return { one, position, height: one.element.getBoundingClientRect().height + more };
    });
    for (const { one, position, height } of sized) {
      // Heights in pixels, so that what is as high as its container still is.
      set(one, { "box-sizing": "border-box", "height": `${height}px`, "max-height": "none", "overflow": "visible" });
      if (position === "fixed") set(one, { position: "absolute" });
    }
  }
  const isSame = place().every((value, at) => Math.abs(value - before[at]) <= 1);
  const isWhole = !isCut(scroller) && page.scrollHeight + 1 >= scroller.getBoundingClientRect().bottom;
  // Content that is as high as its scroller grows with it and never fits.
  if (!isSame || !isWhole) restore();
  return isSame && isWhole;
}
