// Waits side by side for fonts, images and busy elements, each for its time in milliseconds; null switches one off.
async ({ fonts, images, ariaBusy }) => {
  const shared = globalThis.pentimento;
  const wait = (cap, work) => cap === null ? null : shared.step(cap, work);
  const documents = () => shared.roots().filter((root) => root.nodeType === Node.DOCUMENT_NODE);
  const waitForFonts = async (note) => {
    await Promise.all(documents().map((one) => one.fonts.ready));
    const failed = documents().flatMap((one) => [...one.fonts]).filter((font) => font.status === "error");
    note(shared.named(failed.map((font) => font.family), "Did not load"));
  };
  const waitForImages = async (note) => {
    const all = shared.every("img");
    for (const image of all) {
      // Eager ones are fetched wherever they are; pictures that are decoded later would be missing from the shot.
      if (image.loading !== "eager") image.loading = "eager";
      if (image.decoding !== "sync") image.decoding = "sync";
    }
    const settled = (image) => image.complete ? null : new Promise((done) => {
      image.addEventListener("load", done, { once: true });
      image.addEventListener("error", done, { once: true });
    });
    await Promise.all(all.map(settled));
    const empty = all.filter((image) => image.complete && image.naturalWidth === 0 && (image.currentSrc || image.src));
    note(shared.named(empty.map((image) => image.currentSrc || image.src), "Did not load"));
  };
  const waitForBusy = async (note, isOver) => {
    const busy = () => shared.every('[aria-busy="true" i]').filter((element) => element.checkVisibility({ visibilityProperty: true }));
    for (let left = busy(); left.length && !isOver(); left = busy()) {
      note(shared.named(left.map((element) => element.tagName.toLowerCase() + (element.id && `#${element.id}`)), "Busy"));
      await shared.sleep(50);
    }
    note("");
  };
  const [ofFonts, ofImages, ofBusy] = await Promise.all([
    wait(fonts, waitForFonts), wait(images, waitForImages), wait(ariaBusy, waitForBusy),
  ]);
  return { fonts: ofFonts, images: ofImages, ariaBusy: ofBusy };
}
