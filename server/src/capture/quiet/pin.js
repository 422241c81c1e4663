// Fixed elements become absolute ones and sticky ones relative, wherever their boxes stay the same by it: in a picture that
// is taken in several bands, each would be seen once in every band.
(cap) => {
  const shared = globalThis.pentimento;
  return shared.step(cap, (note) => {
    const box = (element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      return [x, y, width, height];
    };
    let left = 0;
    for (const element of shared.every("*")) {
      const { position } = getComputedStyle(element);
      if (position !== "fixed" && position !== "sticky") continue;
      const before = box(element);
      const former = element.getAttribute("style");
      if (position === "fixed") {
        element.style.setProperty("position", "absolute", "important");
      } else {
        element.style.setProperty("position", "relative", "important");
        element.style.setProperty("inset", "auto", "important");
      }
      if (box(element).some((value, at) => Math.abs(value - before[at]) > 0.1)) {
        left += 1;
        if (former === null) element.removeAttribute("style");
        else element.setAttribute("style", former);
      }
    }
    if (left) note(`${left} of them would have moved and stayed as they were.`);
  });
}
