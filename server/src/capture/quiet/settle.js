// Waits until the document did not change for a while.
({ cap, quiet }) => {
  const shared = globalThis.pentimento;
  return shared.step(cap, async (note) => {
    const left = () => shared.changedAt + quiet - performance.now();
    while (left() > 0) {
      note("It changed all the time.");
      await shared.sleep(Math.min(left(), 50));
    }
    note("");
  });
}
