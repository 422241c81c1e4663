// Shows videos at their poster, or at their first frame, and stops sound.
(cap) => {
  const shared = globalThis.pentimento;
  return shared.step(cap, async (note) => {
    const event = (media, name) => new Promise((done) => media.addEventListener(name, done, { once: true }));
    const toStart = async (media) => {
      media.autoplay = false;
      media.loop = false;
      media.pause();
      if (media.poster) {
        // A video that has begun shows its poster again only when it is loaded anew.
        media.preload = "none";
        media.load();
        return;
      }
      if (media.tagName !== "VIDEO" || media.error || media.networkState === HTMLMediaElement.NETWORK_NO_SOURCE) return;
      if (media.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) {
        if (media.preload === "none") return;
        await Promise.race([event(media, "loadeddata"), event(media, "error")]);
      }
      if (media.error || media.currentTime === 0 || !media.seekable.length) return;
      const sought = event(media, "seeked");
      media.currentTime = 0;
      await sought;
    };
    const all = shared.every("video, audio");
    await Promise.all(all.map(toStart));
    const failed = all.filter((media) => media.error && media.currentSrc);
    note(shared.named(failed.map((media) => media.currentSrc), "Did not load"));
  });
}
