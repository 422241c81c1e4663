// Brings lazy content in: down to where the page ended at the beginning, and back. A page that grows without end is not
// followed, so that the same page always loads the same.
(cap) => {
  const shared = globalThis.pentimento;
  return shared.step(cap, async (note) => {
    const root = document.scrollingElement ?? document.documentElement;
    const end = root.scrollHeight;
    const stride = Math.max(200, innerHeight);
    const begun = performance.now();
    for (let y = stride; y < end && performance.now() - begun < cap; y += stride) {
      scrollTo({ top: y, behavior: "instant" });
      await shared.frame();
    }
    scrollTo({ top: 0, left: 0, behavior: "instant" });
    await shared.frame();
    if (root.scrollHeight > end) note(`The page grew from ${end} to ${root.scrollHeight} px meanwhile.`);
  });
}
