"""Draws the pairs to compare and writes their list: name, baseline, current, threshold."""

import json
import pathlib
import sys

import numpy as np
from PIL import Image, ImageDraw, ImageFont

THRESHOLDS = [0.0, 0.05, 0.1, 0.3, 1.0]
WORDS = "the quick brown fox jumps over a lazy dog while seven wizards pack my box with jugs".split()

folder, corpus = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
random = np.random.default_rng(20)
lines = []


def add(name, one, other, threshold=None):
    """Writes both pictures (height × width × 3 or 4) as files, with thresholds in turn."""
    paths = []
    for side, picture in (("a", one), ("b", other)):
        path = folder / f"{len(lines):04}-{name}-{side}.png"
        Image.fromarray(np.ascontiguousarray(picture.astype(np.uint8))).save(path, compress_level=1)
        paths.append(str(path))
    threshold = THRESHOLDS[len(lines) % len(THRESHOLDS)] if threshold is None else threshold
    lines.append("\t".join([f"{len(lines):04}-{name}", *paths, str(threshold)]))


def noise(height, width, channels=3):
    return random.integers(0, 256, (height, width, channels))


def opaque(rgb):
    return np.dstack([rgb, np.full(rgb.shape[:2], 255)])


def gradient(height, width):
    y, x = np.mgrid[0:height, 0:width]
    return np.dstack([x * 255 // max(width - 1, 1), y * 255 // max(height - 1, 1), (x + y) % 256])


def text(height, width, offset=0.0, ink=(40, 40, 48)):
    """Lines of smoothed text; a part of a pixel of offset changes only its smoothing."""
    image = Image.new("RGB", (width, height), "white")
    draw = ImageDraw.Draw(image)
    font = ImageFont.load_default(13)
    for row, y in enumerate(range(2, height, 18)):
        words = " ".join(WORDS[(row * 5 + at) % len(WORDS)] for at in range(width // 30 + 1))
        draw.text((2 + offset, y), words, font=font, fill=ink)
    return np.asarray(image).astype(int)


def strokes(height, width, seed, shift=0.0):
    """Smoothed lines and circles, drawn four times as large and scaled down."""
    pick = np.random.default_rng(seed)
    image = Image.new("RGB", (width * 4, height * 4), "white")
    draw = ImageDraw.Draw(image)
    for _ in range(12):
        x0, x1 = pick.integers(0, width * 4, 2) + int(shift * 4)
        y0, y1 = pick.integers(0, height * 4, 2)
        color = tuple(int(channel) for channel in pick.integers(0, 200, 3))
        if pick.random() < 0.5:
            draw.line((x0, y0, x1, y1), fill=color, width=int(pick.integers(2, 14)))
        else:
            draw.ellipse((min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)), fill=color)
    return np.asarray(image.resize((width, height), Image.Resampling.BOX)).astype(int)


def sprinkled(picture, share, strength):
    """Random steps of colour in a share of the pixels."""
    hit = random.random(picture.shape[:2])[..., None] < share
    steps = random.integers(-strength, strength + 1, picture.shape)
    return np.clip(picture + hit * steps, 0, 255)


def tiny():
    for height in range(1, 7):
        for width in range(1, 7):
            levels = random.integers(0, 3, (2, height, width, 3)) * 127
            add(f"tiny-{width}x{height}", *levels)
            add(f"tiny-rgba-{width}x{height}", noise(height, width, 4), noise(height, width, 4))


def flat_and_thin():
    for length in (7, 10, 11, 12, 40, 333):
        for shape in ((1, length), (length, 1), (2, length), (length, 3)):
            one = random.integers(0, 2, (*shape, 3)) * 255
            add("thin", one, sprinkled(one, 0.3, 200))


def noisy():
    for size in ((16, 16), (37, 61), (64, 64), (100, 33)):
        for threshold in THRESHOLDS:
            add("noise", noise(*size), noise(*size), threshold)
            add("noise-rgba", noise(*size, 4), noise(*size, 4), threshold)
            few = random.integers(0, 3, (2, *size, 3)) * 60
            add("few-colours", *few, threshold)
            grey = np.repeat(random.integers(0, 4, (2, *size, 1)) * 20, 3, axis=3)
            add("greys", *grey, threshold)
            near = noise(*size)
            add("near", near, sprinkled(near, 0.5, 40), threshold)


def translucent():
    for size in ((20, 31), (50, 64), (80, 45)):
        for threshold in THRESHOLDS:
            one = noise(*size, 4)
            fewer = one.copy()
            fewer[..., 3] = np.where(random.random(size) < 0.5, 255, fewer[..., 3])
            add("alpha-only", one, fewer, threshold)
            page = opaque(text(*size))
            veiled = page.copy()
            veiled[5:15, 5:25] = (200, 30, 30, 128)
            add("veil", page, veiled, threshold)
            clear = page.copy()
            clear[..., 3] = np.where(clear[..., 0] > 200, 0, 255)
            add("clear-ground", page, clear, threshold)
            add("rgb-and-rgba", text(*size), sprinkled(veiled, 0.1, 60), threshold)


def on_its_ground():
    """Opaque pixels of the colours that pixelmatch lays below transparent ones, beside transparent ones."""
    for size in ((7, 5), (33, 40), (64, 91)):
        for threshold in THRESHOLDS:
            colours = np.array(
                [[48, 48, 48, 255], [48, 48, 207, 255], [48, 207, 48, 255], [48, 207, 207, 255], [0, 0, 0, 0], [255] * 4]
            )
            one = colours[random.integers(0, 6, size)]
            other = one.copy()
            hit = random.random(size) < 0.1
            other[hit] = opaque(noise(*size))[hit]
            add("on-its-ground", one, other, threshold)


def drawn():
    for size in ((60, 90), (121, 200), (240, 320)):
        for threshold in THRESHOLDS:
            for offset in (0.25, 0.5, 1.0):
                add("text-smoothing", text(*size), text(*size, offset), threshold)
            add("text-colour", text(*size), text(*size, 0, (20, 60, 160)), threshold)
            seed = len(lines)
            add("strokes", strokes(*size, seed), strokes(*size, seed, 0.25), threshold)
            add("other-strokes", strokes(*size, seed), strokes(*size, seed + 1), threshold)
            add("gradient", gradient(*size), np.roll(gradient(*size), 3, axis=1), threshold)
            edited = text(*size)
            for y, x in ((0, 0), (0, -4), (-4, 0), (-4, -4)):
                edited[y : y + 4 or None, x : x + 4 or None] = random.integers(0, 256, 3)
            edited[0], edited[:, -1] = 255 - edited[0], 255 - edited[:, -1]
            add("edges-and-corners", text(*size), edited, threshold)
            moved = strokes(*size, seed)
            moved[10:30, 10:40] = moved[11:31, 11:41]
            add("moved-part", strokes(*size, seed), moved, threshold)


def sizes():
    for one, other in (((30, 40), (44, 40)), ((30, 40), (30, 51)), ((40, 20), (20, 40)), ((1, 1), (30, 30))):
        add("two-sizes", noise(*one), noise(*other))
        add("two-sizes-text", text(*one), text(*other, 0.5))


def captured():
    manifest = corpus / "manifest.json"
    if not manifest.exists():
        print(f"no pictures in {corpus}: made ones only", file=sys.stderr)
        return
    for pair in json.loads(manifest.read_text()):
        paths = [str(corpus / pair[side]) for side in ("base", "cur")]
        lines.append("\t".join([pair["pair"], *paths, "0.1"]))


folder.mkdir(parents=True, exist_ok=True)
for kind in (tiny, flat_and_thin, noisy, translucent, on_its_ground, drawn, sizes, captured):
    kind()
(folder / "list.tsv").write_text("\n".join(lines) + "\n", encoding="utf8")
