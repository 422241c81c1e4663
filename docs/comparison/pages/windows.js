// What each window of the similarity score (section 4) loses, computed from the formula there and by nothing of ours, and drawn
// where the window's centre is. A page that compares itself with this says how far both are apart.

const radius = 5;
const bell = Array.from({ length: 2 * radius + 1 }, (_, tap) => Math.exp(-((tap - radius) ** 2) / (2 * 1.5 ** 2)));
const weights = bell.map((weight) => weight / bell.reduce((one, other) => one + other));

// BT.601 luma of a picture over white, row by row.
function lumas(image) {
  const canvas = new OffscreenCanvas(image.naturalWidth, image.naturalHeight);
  const to = canvas.getContext("2d");
  to.fillStyle = "#fff";
  to.fillRect(0, 0, canvas.width, canvas.height);
  to.drawImage(image, 0, 0);
  const { data } = to.getImageData(0, 0, canvas.width, canvas.height);
  return Float64Array.from({ length: data.length / 4 }, (_, at) =>
    (299 * data[4 * at] + 587 * data[4 * at + 1] + 114 * data[4 * at + 2]) / 1000);
}

// Weighted means of values over all windows, one for each place at which a whole window begins.
function means(values, width, height) {
  const [columns, rows] = [width - 2 * radius, height - 2 * radius];
  const along = new Float64Array(columns * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < columns; x++)
      along[y * columns + x] = weights.reduce((sum, weight, tap) => sum + weight * values[y * width + x + tap], 0);
  return Float64Array.from({ length: columns * rows }, (_, at) =>
    weights.reduce((sum, weight, tap) => sum + weight * along[at + tap * columns], 0));
}

// 1 - SSIM of each window.
function losses(one, other, width, height) {
  const of = (value) => means(one.map((_, at) => value(one[at], other[at])), width, height);
  const [m1, m2, s11, s22, s12] = [of((a) => a), of((_, b) => b), of((a) => a * a), of((_, b) => b * b), of((a, b) => a * b)];
  const [c1, c2] = [(0.01 * 255) ** 2, (0.03 * 255) ** 2];
  return m1.map((_, at) => {
    const [a, b] = [m1[at], m2[at]];
    const contrast = (2 * (s12[at] - a * b) + c2) / (s11[at] - a * a + s22[at] - b * b + c2);
    return 1 - ((2 * a * b + c1) / (a * a + b * b + c1)) * contrast;
  });
}

// Draws them, white for none and darker for more, and gives the score.
function drawLosses(canvas, [before, after]) {
  const [width, height] = [before.naturalWidth, before.naturalHeight];
  Object.assign(canvas, { width, height });
  const lost = losses(lumas(before), lumas(after), width, height);
  const to = canvas.getContext("2d");
  to.fillStyle = "#dde3ea";
  to.fillRect(0, 0, width, height);
  const columns = width - 2 * radius;
  const picture = to.createImageData(columns, height - 2 * radius);
  // Red stays longest: white, orange, red, dark red.
  lost.forEach((loss, at) =>
    picture.data.set([1.6, 0.9, 0.45].map((stays) => 255 * Math.max(0, 1 - loss / stays)).concat(255), 4 * at));
  to.putImageData(picture, radius, radius);
  return 100 * (1 - lost.reduce((sum, loss) => sum + loss) / lost.length);
}
