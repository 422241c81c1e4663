// honeydiff has no command line of its own; this is the least that makes one, for `make bench`.
//
//   node honeydiff.mjs BASELINE.png CURRENT.png [--diff OUT.png | --mask OUT.png]
//
// Ends with 0 when the pictures are the same and 1 when they differ.
import { compareSync } from "@vizzly-testing/honeydiff";

const [baseline, current, flag, output] = process.argv.slice(2);
const artifacts = { "--diff": { diffPath: output }, "--mask": { maskPath: output } }[flag] ?? {};
const { isDifferent, diffPixels } = compareSync(baseline, current, {
  includeClusters: false,
  overwrite: true,
  ...artifacts,
});
console.log(JSON.stringify({ changed: diffPixels }));
process.exitCode = isDifferent ? 1 : 0;
