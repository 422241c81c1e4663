// Counts changed pixels of each pair of a list with pixelmatch, a JSON object a line.
import fs from "node:fs";
import pixelmatch from "pixelmatch";
import { PNG } from "pngjs";

/** The top left part of a picture, as RGBA. */
function crop(picture, width, height) {
  if (picture.width === width) return picture.data.subarray(0, width * height * 4);
  const part = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y++) {
    const start = y * picture.width * 4;
    part.set(picture.data.subarray(start, start + width * 4), y * width * 4);
  }
  return part;
}

for (const line of fs.readFileSync(process.argv[2], "utf8").trim().split("\n")) {
  const [name, baseline, current, threshold] = line.split("\t");
  const [one, other] = [baseline, current].map((path) => PNG.sync.read(fs.readFileSync(path)));
  const width = Math.min(one.width, other.width);
  const height = Math.min(one.height, other.height);
  const parts = [crop(one, width, height), crop(other, width, height)];
  const count = (includeAA) =>
    pixelmatch(parts[0], parts[1], null, width, height, { threshold: Number(threshold), includeAA });
  // What only one picture has is changed; pixelmatch knows pictures of one size alone.
  const oneSided = one.width * one.height + other.width * other.height - 2 * width * height;
  const answer = { name, excluded: count(false) + oneSided, included: count(true) + oneSided };
  console.log(JSON.stringify(answer));
}
