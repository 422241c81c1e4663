"""Sets the cost of our edit scripts beside the true tree edit distance; fails when they cost too much in all."""

import collections
import json
import pathlib
import sys

from apted import APTED
from apted.helpers import Tree

# Our costs may be so many times the distances, summed over all pairs.
MOST = 1.2

rows = [json.loads(line) for line in pathlib.Path(sys.argv[1]).read_text(encoding="utf8").splitlines()]
if not rows:
    sys.exit("no pairs of trees")
kinds = collections.defaultdict(lambda: [0, 0, 0, 0])
for row in rows:
    row["distance"] = APTED(*(Tree.from_text(row[side]) for side in ("before", "after"))).compute_edit_distance()
    if row["cost"] < row["distance"]:
        sys.exit(f"{row['name']}: {row['cost']} is less than the distance, {row['distance']}: one of both is wrong")
    figures = (1, row["cost"] == row["distance"], row["cost"], row["distance"])
    for kind in (row["edits"], "all"):
        kinds[kind] = [had + more for had, more in zip(kinds[kind], figures)]
print(f"{'edits':8}{'pairs':>8}{'shortest':>10}{'ours':>8}{'distance':>10}{'ratio':>8}")
for kind, (pairs, shortest, ours, distance) in sorted(kinds.items(), key=lambda kind: str(kind[0])):
    print(f"{kind!s:8}{pairs:8}{shortest:10}{ours:8}{distance:10}{ours / max(distance, 1):8.3f}")
worst = max(rows, key=lambda row: (row["cost"] - row["distance"], row["cost"]))
print(f"worst: {worst['name']}, {worst['cost']} for {worst['distance']}\n  {worst['before']}\n  {worst['after']}")
ours, distance = kinds["all"][2:]
sys.exit(f"{ours} is more than {MOST} times {distance}" if ours > MOST * distance else 0)
