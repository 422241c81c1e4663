// The last look before the picture: new trees are dressed too, the page is at its top, and as large as it is.
async () => {
  const shared = globalThis.pentimento;
  shared.dress();
  scrollTo({ top: 0, left: 0, behavior: "instant" });
  await shared.frame();
  await shared.frame();
  const root = document.scrollingElement ?? document.documentElement;
  const body = document.body;
  // A body that scrolls by itself shows no more than its box; else it may be higher than the root.
  const scrolls = (element) => getComputedStyle(element).overflowY !== "visible";
  const isCut = body && root !== body && scrolls(body) && scrolls(document.documentElement);
  const clips = [document.documentElement, document.body].some((element) =>
    element && ["hidden", "clip"].includes(getComputedStyle(element).overflowX));
  return {
    // What a page hides at its sides (menus that slide in) is no part of it.
    width: Math.max(root.clientWidth, clips ? 0 : root.scrollWidth, 1),
    height: Math.max(root.scrollHeight, body && !isCut ? body.scrollHeight : 0, 1),
  };
}
