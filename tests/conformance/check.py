"""Starts the service on one database, fills it with a job and a project, and lets schemathesis loose on it.

Two rounds: with real ids, and with made-up ones, which may change and delete what they find. Every operation must have
answered 2xx at least once in the round with real ids, so that a service that refuses everything does not pass, and the
service must still be well afterwards.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys

from pages import Site
from service import Service

HERE = pathlib.Path(__file__).parent
# Links are signed, and their signatures cannot be made up: they are refused, which is right.
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
        for ids, phases in (("real", "examples,fuzzing,stateful"), ("made-up", "examples,coverage,fuzzing")):
            round_of(service, seed, ids, phases, options)
        if service.call("GET", "/readyz")["ready"] is not True:
            raise SystemExit("the service is not ready any more")
    except BaseException:
        print(service.logged(), file=sys.stderr)
        raise
    finally:
        service.stop()


def fill(service, site):
    """One of everything: a project with a completed job that found a change, client-driven jobs that take uploads, keys and
    webhooks; two where one is deleted."""
    request = {"project": "seeded", "testOrigin": site.origin, "sitemapUrl": f"{site.origin}/sitemap.xml"}
    service.run_to_end(request)
    site.change()
    job = service.run_to_end(request)
    results = service.call("GET", f"/job/{job}")["results"]
    changed = next(result for result in results if result["changed"])
    keys = [service.call("POST", "/keys", {"name": f"spare {n}", "scopes": ["read"]})["key"]["keyId"] for n in (1, 2)]
    hook = {"url": site.origin, "events": ["job.completed"]}
    hooks = [service.call("POST", "/webhooks", hook)["webhookId"] for _ in range(2)]
    return {
        "origin": site.origin,
        "name": "seeded",
        "jobId": job,
        "resultId": changed["resultId"],
        "openJobId": service.upload(site.origin),
        "endedJobId": service.upload(site.origin),
        "keyId": keys[0],
        "deletedKeyId": keys[1],
        "ownKeyId": next(key["keyId"] for key in service.call("GET", "/keys") if key["isOwn"]),
        "webhookId": hooks[0],
        "deletedWebhookId": hooks[1],
        "deliveryId": service.call("POST", f"/webhook/{hooks[0]}/test")["deliveryId"],
    }


def round_of(service, seed, ids, phases, options):
    print(f"== {options.database}, {ids} ids", flush=True)
    out = options.out / f"{options.database}-{ids}"
    events = out / "events.ndjson"
    out.mkdir(parents=True, exist_ok=True)
    config = (HERE / "schemathesis.toml").read_text()
    if ids == "real":
        config = with_parameters(config, seed)
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
    if ids == "real":
        every_operation_succeeded(events)


def with_parameters(config, seed):
    """The configuration with real ids in paths; what is deleted is not what the other operations need."""
    names = ("jobId", "name", "resultId", "keyId", "webhookId", "deliveryId")
    lines = "\n".join(f'"path.{name}" = "{seed[name]}"' for name in names)
    deleted = "".join(
        f'\n[[operations]]\ninclude-name = "DELETE {path}"\nparameters = {{ "path.{name}" = "{seed[of]}" }}\n'
        for path, name, of in (
            ("/key/{keyId}", "keyId", "deletedKeyId"),
            ("/webhook/{webhookId}", "webhookId", "deletedWebhookId"),
        )
    )
    return config.replace("[checks]\n", f"[parameters]\n{lines}\n\n[checks]\n", 1) + deleted


def every_operation_succeeded(events):
    """A service that refuses everything would conform; this one must not."""
    answered = {}
    with events.open() as lines:
        for line in lines:
            recorder = json.loads(line).get("ScenarioFinished", {}).get("recorder") or {}
            for case, made in recorder.get("cases", {}).items():
                operation = f"{made['value']['method']} {made['value']['path']}"
                answer = recorder["interactions"].get(case, {}).get("response") or {}
                answered.setdefault(operation, set()).add(answer.get("status_code", 0) // 100)
    refused = sorted(operation for operation, kinds in answered.items() if 2 not in kinds and operation not in NEVER_2XX)
    print(f"{len(answered)} operations answered; never with 2xx: {', '.join(refused) or 'none but signed links'}")
    if refused or len(answered) < 30:
        raise SystemExit("an operation never succeeded")


if __name__ == "__main__":
    main()
