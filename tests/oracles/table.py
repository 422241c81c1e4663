"""Sets our figures beside those of the other tools; fails when a count or a score differs."""

import collections
import json
import pathlib
import sys

# Largest difference of scores that run from 0 to 100.
TOLERANCE = 1e-4

# One number each for all that both backends are to find alike, and how the rows lay.
FACTS = {
    "in_place": "in place",
    "in_place_with_aa": "in place with anti-aliased pixels",
    "aligned": "with rows aligned",
}

folder = pathlib.Path(sys.argv[1])
# Beyond this many, mismatches are only counted.
SHOWN = 20


def answers(file):
    rows = (json.loads(line) for line in (folder / file).read_text(encoding="utf8").splitlines())
    return {row["name"]: row for row in rows}


ours, gpu, counts, scores = (answers(f"{tool}.jsonl") for tool in ("cpu", "gpu", "pixelmatch", "ssim"))
if not ours or ours.keys() != counts.keys() or ours.keys() != gpu.keys() or not scores:
    sys.exit("the tools did not answer for the same pairs")
on_gpu = sum(row["backend"] == "gpu" for row in gpu.values())
if on_gpu < len(gpu) // 2:
    sys.exit(f"only {on_gpu} of {len(gpu)} pairs were compared on the graphics adapter")
kinds = collections.defaultdict(lambda: [0, 0, 0, 0, 0.0])
mismatches = []
furthest = 0.0
for name, row in ours.items():
    first, _, rest = name.partition("-")
    kind = kinds[rest.split("-")[0] if first.isdigit() else "captured"]
    kind[0] += 1
    for at, rule in ((1, "included"), (2, "excluded")):
        if row[rule] != counts[name][rule]:
            kind[at] += 1
            mismatches.append(f"{name}: {rule} {row[rule]}, pixelmatch {counts[name][rule]}")
    for fact, laid in FACTS.items():
        if row[fact] != gpu[name][fact]:
            mismatches.append(f"{name}: {laid}, the graphics adapter found other masks, regions, rows, counts or distances")
    for rule, tolerance in (
        ("included", 0),
        ("excluded", 0),
        ("one_sided", 0),
        ("score", TOLERANCE),
        ("aligned_score", TOLERANCE),
    ):
        apart = abs(row[rule] - gpu[name][rule])
        furthest = max(furthest, apart)
        if apart > tolerance:
            mismatches.append(f"{name}: {rule} {row[rule]}, on the graphics adapter {gpu[name][rule]}")
    if name in scores:
        # Pictures that are less alike than chance have a negative similarity; our score ends at 0.
        error = abs(row["score"] - max(scores[name]["score"], 0))
        kind[3] += 1
        kind[4] = max(kind[4], error)
        if error > TOLERANCE:
            mismatches.append(f"{name}: score {row['score']}, scikit-image {scores[name]['score']}")
print(f"{'pairs':24}{'number':>8}{'includeAA':>12}{'excludeAA':>12}{'scored':>8}{'worst error':>14}")
whole = [sum(kind[at] for kind in kinds.values()) for at in range(4)]
worst = max(kind[4] for kind in kinds.values())
for name, kind in [*sorted(kinds.items()), ("all", [*whole, worst])]:
    print(f"{name:24}{kind[0]:8}{kind[1]:12}{kind[2]:12}{kind[3]:8}{kind[4]:14.2e}")
print("(columns in the middle: pairs whose count is not that of pixelmatch)")
print(f"{on_gpu} of the pairs were compared on a graphics adapter too: masks, regions, counts and distances are to be the same, scores within {TOLERANCE}")
print(f"(furthest apart: {furthest:.2e})")
for line in mismatches[:SHOWN]:
    print(line)
sys.exit(f"{len(mismatches)} figures differ" if mismatches else 0)
