"""What schemathesis cannot know from the description: which hosts exist, and which ids are real.

Texts that are addresses are moved to a site that is there, names of devices become one that is known, and in the round
with real ids those of a seeded job, project and result are used. What is no text stays as it was generated, so
invalid requests stay invalid.
"""

import json
import os
import re

import schemathesis

SEED = json.loads(os.environ["CONFORMANCE_SEED"])
REAL_IDS = os.environ["CONFORMANCE_IDS"] == "real"
# Each page is captured by a browser; more of them show nothing more of the interface.
MOST_PAGES = 2


@schemathesis.hook
def map_body(context, body):
    if not isinstance(body, dict):
        return body
    body = dict(body)
    for field in ("testOrigin", "baseOrigin", "sitemapUrl", "url"):
        if isinstance(body.get(field), str):
            body[field] = re.sub(r"^[hH][tT]{2}[pP][sS]?://[^/?#]+", SEED["origin"], body[field])
    if isinstance(body.get("devices"), list) and "variantName" not in body:
        body["devices"] = ["Desktop Chrome" if is_name(name) else name for name in body["devices"]]
    for field in ("paths", "devices"):
        if isinstance(body.get(field), list) and len(body[field]) <= 50:
            body[field] = body[field][:MOST_PAGES]
    if REAL_IDS:
        for field, value in real_values(context.operation.path).items():
            if isinstance(body.get(field), type(value)):
                body[field] = value
    return body


@schemathesis.hook
def filter_path_parameters(context, path_parameters):
    """The key of the round itself is neither revoked nor rotated."""
    return not path_parameters or path_parameters.get("keyId") != SEED["ownKeyId"]


def real_values(path):
    jobs = {"/ci/job/upload-url": "openJobId", "/ci/job/finalize": "endedJobId"}
    values = {"jobId": SEED[jobs.get(path, "jobId")]}
    if path == "/session":
        values["key"] = os.environ["CONFORMANCE_KEY"]
    if path == "/webhook/{webhookId}":
        values["enabled"] = True
    return values


def is_name(value):
    return isinstance(value, str) and 1 <= len(value) <= 200 and "\0" not in value
