// Fixed elements become absolute ones and sticky ones relative, wherever their boxes stay the same by it: in a picture that
// is taken in several bands, each would be seen once in every band.
//
// All of them are changed at once, and those whose boxes moved are changed back, until none does: one layout of the page for
// all, not one for each.
(cap) => {
  const shared = globalThis.pentimento;
  return shared.step(cap, async (note) => {
    const begun = performance.now();
    // A round may set free what moved only with what was changed back; there are rarely more than two.
    const ROUNDS = 8;
    const box = (element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      return [x, y, width, height];
    };
    const moved = ({ element, before }) => box(element).some((value, at) => Math.abs(value - before[at]) > 0.1);
    const pin = ({ element, position }) => {
      if (position === "fixed") {
        element.style.setProperty("position", "absolute", "important");
      } else {
        element.style.setProperty("position", "relative", "important");
        element.style.setProperty("inset", "auto", "important");
      }
    };
    const restore = ({ element, former }) => {
      if (former === null) element.removeAttribute("style");
      else element.setAttribute("style", former);
    };
    // What is read comes before what is written, so that nothing is laid out in between.
    const all = shared.every("*")
      .map((element) => ({ element, position: getComputedStyle(element).position }))
      .filter(({ position }) => position === "fixed" || position === "sticky")
      .map((one) => ({ ...one, former: one.element.getAttribute("style"), before: box(one.element) }));
    all.forEach(pin);
    let pinned = all;
    for (let round = 0; ; round += 1) {
      const astray = new Set(pinned.filter(moved));
      if (!astray.size) break;
      const isOver = round === ROUNDS || performance.now() - begun > cap;
      pinned.filter((one) => isOver || astray.has(one)).forEach(restore);
      pinned = isOver ? [] : pinned.filter((one) => !astray.has(one));
      if (isOver) break;
    }
    const left = all.length - pinned.length;
    if (left) note(`${left} of them would have moved and stayed as they were.`);
  });
}
