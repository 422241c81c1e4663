// Before any script of the page: the same random numbers each time (mulberry32, from a fixed seed).
() => {
  let state = 0x9e3779b9;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  Math.random = () => next() / 4294967296;
  Crypto.prototype.getRandomValues = function (array) {
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    for (let at = 0; at < bytes.length; at += 1) bytes[at] = next() >>> 24;
    return array;
  };
  if (Crypto.prototype.randomUUID) {
    Crypto.prototype.randomUUID = () => "10000000-1000-4000-8000-100000000000".replace(/[018]/g, (digit) =>
      (Number(digit) ^ ((next() >>> 28) >> (Number(digit) / 4))).toString(16));
  }
}
