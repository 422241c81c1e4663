// Ends motion: finite animations at their end, endless ones where they are without them, also those that begin from now on.
(cap) => {
  const shared = globalThis.pentimento;
  const end = (animation) => {
    try {
      // What follows the scrolling rests where the page is scrolled to.
      if (animation.timeline && !(animation.timeline.constructor.name === "DocumentTimeline")) return;
      if (!animation.effect || animation.playbackRate === 0 || animation.effect.getComputedTiming().endTime === Infinity) animation.cancel();
      else animation.finish();
    } catch { animation.cancel(); }
  };
  const endAll = () => {
    for (const root of shared.roots()) {
      for (const animation of root.getAnimations()) end(animation);
      if (shared.stilled.has(root)) continue;
      shared.stilled.add(root);
      // Those of `::before` and its like are their element's subtree.
      const later = ({ target, pseudoElement }) => {
        for (const animation of target.getAnimations?.({ subtree: pseudoElement !== "" }) ?? []) end(animation);
      };
      for (const begin of ["transitionrun", "animationstart"]) root.addEventListener(begin, later, { capture: true });
    }
    for (const svg of shared.every("svg")) {
      if (svg.ownerSVGElement || !svg.animationsPaused) continue;
      svg.pauseAnimations();
      svg.setCurrentTime(0);
    }
    for (const marquee of shared.every("marquee")) marquee.stop?.();
  };
  return shared.step(cap, async () => {
    endAll();
    // Ending one may begin the next.
    await shared.frame();
    endAll();
  });
}
