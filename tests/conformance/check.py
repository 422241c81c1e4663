"""Starts the service on one database, fills it with a job and a project, and lets schemathesis loose on it.

Two rounds: with made-up ids, and with real ones. Afterwards every operation must have answered 2xx at least once in the
round with real ids, so that a service that refuses everything does not pass, and the service must still be well.
"""

import argparse
import collections
import json
import os
import pathlib
import subprocess
import sys

from service import Service
from site_of_pages import Site

HERE = pathlib.Path(__file__).parent
# Links are signed, and their signatures cannot be made up: they are refused, which is right. The client-driven job of the
# seed is finalized by whichever call comes first.
NEVER_2XX = {
    "GET /blob/{key}",
    "GET /inspect/{resultId}",
    "PUT /upload/{jobId}/{file}",
}


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--program", required=True)
    arguments.add_argument("--out", required=True, type=pathlib.Path)
    arguments.add_argument("--database", choices=["sqlite", "postgres"], required=True)
    arguments.add_argument("--examples", type=int, default=40, help="requests made up for each operation and phase")
    arguments.add_argument("--seed", type=int, default=1)
    options = arguments.parse_args()

    site = Site()
    service = Service(options.program, options.database)
    try:
        seed = fill(service, site)
        for ids, phases in (("made-up", "examples,coverage,fuzzing"), ("real", "examples,fuzzing,stateful")):
            round_of(service, seed, ids, phases, options)
        if service.call("GET", "/readyz")["ready"] is not True:
            raise SystemExit("the service is not ready any more")
    except BaseException:
        print(service.logged(), file=sys.stderr)
        raise
    finally:
        service.stop()


def fill(service, site):
    """A project with a completed job that found a change, and a client-driven job that waits for uploads."""
    request = {"project": "seeded", "testOrigin": site.origin, "sitemapUrl": f"{site.origin}/sitemap.xml"}
    service.run_to_end(request)
    site.change()
    job = service.run_to_end(request)
    results = service.call("GET", f"/job/{job}")["results"]
    changed = next(result for result in results if result["changed"])
    return {"origin": site.origin, "name": "seeded", "jobId": job, "resultId": changed["resultId"]}


def round_of(service, seed, ids, phases, options):
    print(f"== {options.database}, {ids} ids", flush=True)
    out = options.out / f"{options.database}-{ids}"
    events = out / "events.ndjson"
    out.mkdir(parents=True, exist_ok=True)
    config = (HERE / "schemathesis.toml").read_text()
    if ids == "real":
        parameters = {f"path.{name}": seed[name] for name in ("jobId", "name", "resultId")}
        lines = "\n".join(f"{json.dumps(name)} = {json.dumps(value)}" for name, value in parameters.items())
        config = config.replace("[checks]\n", f"[parameters]\n{lines}\n\n[checks]\n", 1)
    (out / "schemathesis.toml").write_text(config)
    done = subprocess.run(
        [
            pathlib.Path(sys.executable).with_name("schemathesis"),
            "--config-file", out / "schemathesis.toml",
            "run", f"{service.url}/openapi.json",
            "--phases", phases,
            "--max-examples", str(options.examples),
            "--seed", str(options.seed),
            "--generation-database", "none",
            "--report", "ndjson",
            "--report-ndjson-path", events,
        ],
        env={
            **os.environ,
            "CONFORMANCE_HOOKS": str(HERE / "hooks.py"),
            "CONFORMANCE_KEY": service.key,
            "CONFORMANCE_SEED": json.dumps(seed),
            "CONFORMANCE_IDS": ids,
        },
        cwd=out,
    )
    if done.returncode != 0:
        raise SystemExit(f"schemathesis found failures on {options.database} with {ids} ids; see above")


if __name__ == "__main__":
    main()
