// Put once into the world of our own that each document of a page gets: what the steps share. Nothing of it is seen by the
// page's own scripts, and nothing that they replace (promises, timers, observers) is used by the steps.
(() => {
  const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
  // The document, its open shadow trees, and the documents of its frames of the same origin with theirs.
  const roots = () => {
    const found = [];
    const visit = (root) => {
      if (found.length >= 500) return;
      found.push(root);
      for (const element of root.querySelectorAll("*")) {
        if (element.shadowRoot) visit(element.shadowRoot);
        if (element.tagName === "IFRAME" || element.tagName === "FRAME") {
          try {
            if (element.contentDocument?.documentElement) visit(element.contentDocument);
          } catch { /* of another origin */ }
        }
      }
    };
    visit(document);
    return found;
  };
  const every = (selector) => roots().flatMap((root) => [...root.querySelectorAll(selector)]);
  const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  // Does the work until it is done or its time is over; the note is one sentence for people, or nothing. Work that goes on in
  // turns asks `isOver`: nothing else ends it.
  const step = async (cap, work) => {
    const begun = performance.now();
    const over = Symbol();
    let isOver = false;
    let note;
    const ended = await Promise.race([
      Promise.resolve().then(() => work((text) => { note = text; }, () => isOver)).catch((error) => { note = `It failed: ${error}`.slice(0, 300) + "."; }),
      sleep(cap).then(() => { isOver = true; return over; }),
    ]);
    return { gaveUp: ended === over, tookMs: Math.round(performance.now() - begun), note: note || null };
  };
  const named = (addresses, what) => {
    const different = [...new Set(addresses.map((address) => String(address).slice(0, 200)))];
    if (!different.length) return "";
    const more = different.length > 3 ? ` and ${different.length - 3} more` : "";
    return `${what}: ${different.slice(0, 3).join(", ")}${more}.`;
  };
  const event = (name) => new Promise((done) => addEventListener(name, done, { once: true }));
  // Waits for the document, which may still be on its way where the page went to it by itself, for so many milliseconds; says
  // whether it is there.
  const there = async (cap) => {
    if (document.readyState === "loading") await Promise.race([event("DOMContentLoaded"), sleep(cap)]);
    return document.readyState !== "loading";
  };
  // Waits for what a document that is there loads, until so many milliseconds after it was; says whether all of that came.
  const loaded = async (patience) => {
    if (document.readyState !== "complete") {
      const begun = performance.getEntriesByType("navigation")[0]?.domContentLoadedEventEnd || performance.now();
      await Promise.race([event("load"), sleep(begun + patience - performance.now())]);
    }
    return document.readyState === "complete";
  };
  globalThis.pentimento = { sleep, roots, every, frame, step, named, there, loaded, changedAt: performance.now(), dressed: new WeakSet(), stilled: new WeakSet() };
})();
