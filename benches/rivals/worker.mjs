// A warm process of one of the npm tools, for `make bench`.
//
//   node worker.mjs blazediff|pixelmatch|honeydiff OUTPUT.png
//
// A line on standard input is `mode <tab> baseline <tab> current <tab> repetitions`; mode `plain` writes no image, `image`
// writes the tool's diff image to OUTPUT.png. Every line is answered by one of JSON, as `benches/warm.rs` does:
// {"wall_ns", "cpu_ns", "changed"}, or {"error"}.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

const [tool, output] = process.argv.slice(2);

// Ours leaves anti-aliased pixels out and has a threshold of 0.1; so do they where they have these settings.
const makers = {
  blazediff() {
    const binding = createRequire(import.meta.url)(`@blazediff/core-native-${process.platform}-${process.arch}`);
    const options = { threshold: 0.1, antialiasing: true };
    return (baseline, current, image) => {
      const result = binding.compare(baseline, current, image ? output : null, options);
      if (!result.matchResult && result.diffCount === undefined) throw new Error(result.reason);
      return result.diffCount ?? 0;
    };
  },
  async pixelmatch() {
    const { PNG } = await import("pngjs");
    const { default: pixelmatch } = await import("pixelmatch");
    return (baseline, current, image) => {
      const [first, second] = [baseline, current].map((path) => PNG.sync.read(readFileSync(path)));
      const { width, height } = first;
      const diff = image ? new PNG({ width, height }) : null;
      const changed = pixelmatch(first.data, second.data, diff?.data ?? null, width, height, { threshold: 0.1 });
      if (diff) writeFileSync(output, PNG.sync.write(diff));
      return changed;
    };
  },
  async honeydiff() {
    const { compareSync } = await import("@vizzly-testing/honeydiff");
    return (baseline, current, image) => {
      const artifacts = image ? { diffPath: output, overwrite: true } : {};
      return compareSync(baseline, current, { includeClusters: false, ...artifacts }).diffPixels;
    };
  },
};

const compare = await makers[tool]();

for await (const line of createInterface({ input: process.stdin })) {
  let answer;
  try {
    const [mode, baseline, current, repetitions] = line.split("\t");
    const [begun, cpuBegun] = [process.hrtime.bigint(), process.cpuUsage()];
    let changed;
    for (let done = 0; done < Number(repetitions); done += 1) changed = compare(baseline, current, mode === "image");
    const cpu = process.cpuUsage(cpuBegun);
    answer = {
      wall_ns: Number(process.hrtime.bigint() - begun),
      cpu_ns: (cpu.user + cpu.system) * 1000,
      changed,
    };
  } catch (error) {
    answer = { error: String(error) };
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
