// Waits until the document, its open shadow trees and its frames of the same origin did not change for a while.
({ cap, quiet }) => {
  const shared = globalThis.pentimento;
  return shared.step(cap, async (note, isOver) => {
    const left = () => {
      shared.watch();
      return shared.changedAt + quiet - performance.now();
    };
    for (let rest = left(); rest > 0 && !isOver(); rest = left()) {
      note("It changed all the time.");
      await shared.sleep(Math.min(rest, 50));
    }
    note("");
  });
}
