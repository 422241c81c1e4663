// Makes a loaded page quiet before its picture is taken: lazy content is brought in, motion ends, masks and custom CSS
// apply. Every wait has a cap in milliseconds, and what was given up is reported.
async ({ masks, customCss, caps }) => {
  const report = { waited: {}, gaveUp: [], badMasks: [] };
  const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
  const within = async (name, cap, work) => {
    const begun = performance.now();
    let settled = false;
    await Promise.race([Promise.resolve(work).then(() => { settled = true; }, () => { settled = true; }), sleep(cap)]);
    report.waited[name] = Math.round(performance.now() - begun);
    if (!settled) report.gaveUp.push(name);
  };

  // Adopted sheets, because the content policy of a page forbids style elements that scripts add.
  const addCss = (css) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  };
  // Descendants too: one that is `visible` of itself would show through a hidden ancestor.
  const hide = (selector) => addCss(`:is(${selector}), :is(${selector}) * { visibility: hidden !important; }`);

  addCss(`
    *, *::before, *::after {
      transition-duration: 0s !important; transition-delay: 0s !important;
      animation-duration: 0s !important; animation-delay: 0s !important;
      animation-iteration-count: 1 !important; caret-color: transparent !important;
      scroll-behavior: auto !important;
    }
    ::-webkit-scrollbar { display: none !important; }`);
  hide("[data-vr-mask]");
  for (const selector of masks) {
    try {
      document.querySelector(selector);
      hide(selector);
    } catch {
      report.badMasks.push(selector);
    }
  }
  if (customCss) addCss(customCss);

  for (const image of document.images) {
    image.loading = "eager";
    image.decoding = "sync";
  }
  const scroll = async () => {
    const step = Math.max(200, innerHeight);
    for (let y = 0, steps = 0; y < document.documentElement.scrollHeight && steps < 200; y += step, steps += 1) {
      scrollTo(0, y);
      await new Promise((done) => requestAnimationFrame(done));
    }
    scrollTo(0, 0);
  };
  await within("scroll", caps.scroll, scroll());
  await within("fonts", caps.fonts, document.fonts ? document.fonts.ready : null);
  await within("images", caps.images, Promise.all([...document.images].map((image) =>
    image.complete ? null : new Promise((done) => {
      image.addEventListener("load", done, { once: true });
      image.addEventListener("error", done, { once: true });
    }))));

  const quietDom = () => new Promise((done) => {
    let timer = setTimeout(finish, caps.domQuiet);
    const observer = new MutationObserver(() => { clearTimeout(timer); timer = setTimeout(finish, caps.domQuiet); });
    function finish() { observer.disconnect(); done(); }
    observer.observe(document, { subtree: true, childList: true });
    setTimeout(finish, caps.dom);
  });
  await within("dom", caps.dom, quietDom());

  for (const animation of document.getAnimations({ subtree: true })) {
    try {
      if (animation.effect?.getComputedTiming().endTime === Infinity) animation.cancel();
      else animation.finish();
    } catch { animation.cancel(); }
  }
  for (const media of document.querySelectorAll("video, audio")) {
    media.pause();
    try { media.currentTime = 0; } catch { /* a stream cannot be wound back */ }
  }
  scrollTo(0, 0);
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const root = document.scrollingElement ?? document.documentElement;
  report.width = Math.max(root.clientWidth, 1);
  report.height = Math.max(root.scrollHeight, document.body ? document.body.scrollHeight : 0, 1);
  return report;
}
