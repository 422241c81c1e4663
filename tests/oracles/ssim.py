"""Structural similarity of each pair of a list with scikit-image, a JSON object a line."""

import json
import sys

import numpy as np
from PIL import Image
from skimage.metrics import structural_similarity

# Pixels along one side of a window; scikit-image takes no smaller pictures.
WINDOW = 11

Image.MAX_IMAGE_PIXELS = None


def luma(path):
    """BT.601 luma over white, 0 to 255."""
    pixels = np.asarray(Image.open(path).convert("RGBA")).astype(np.float64)
    alpha = pixels[..., 3:] / 255
    over_white = pixels[..., :3] * alpha + 255 * (1 - alpha)
    return over_white @ np.array([0.299, 0.587, 0.114])


def padded(picture, height, width):
    """White stands for what one picture lacks."""
    missing = ((0, height - picture.shape[0]), (0, width - picture.shape[1]))
    return np.pad(picture, missing, constant_values=255)


for line in open(sys.argv[1], encoding="utf8"):
    name, baseline, current, _ = line.rstrip("\n").split("\t")
    one, other = luma(baseline), luma(current)
    height, width = np.maximum(one.shape, other.shape)
    if min(height, width) < WINDOW:
        continue
    score = structural_similarity(
        padded(one, height, width),
        padded(other, height, width),
        gaussian_weights=True,
        sigma=1.5,
        use_sample_covariance=False,
        data_range=255,
    )
    print(json.dumps({"name": name, "score": 100 * score}), flush=True)
