"""The service under test: started on a free port with a folder of its own, spoken to as a client would, and ended."""

import json
import os
import re
import struct
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
import zlib

START_SECONDS = 60
JOB_SECONDS = 120


class Service:
    def __init__(self, program, database):
        self.folder = tempfile.TemporaryDirectory(prefix="pentimento-conformance.")
        environment = {**os.environ, "XDG_RUNTIME_DIR": os.environ.get("XDG_RUNTIME_DIR", "/tmp"), "RUST_BACKTRACE": "0"}
        environment.pop("DATABASE_URL", None)
        if database == "postgres":
            # The server is this run's own, so its first database will do.
            environment["DATABASE_URL"] = os.environ["PENTIMENTO_TEST_POSTGRES"] + "/postgres"
        self.log = open(f"{self.folder.name}/log", "w+")
        self.process = subprocess.Popen(
            [program, "serve", "--listen", "127.0.0.1:0", "--data-dir", f"{self.folder.name}/data"],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=self.log,
            text=True,
        )
        self.key = self.url = None
        end = time.monotonic() + START_SECONDS
        while self.url is None:
            line = self.process.stdout.readline()
            if not line or time.monotonic() > end:
                raise SystemExit(f"the service did not start:\n{self.logged()}")
            found = re.search(r"pnt_\w+", line)
            self.key = found.group() if found else self.key
            found = re.match(r"Listening on (http://\S+)", line)
            self.url = found.group(1) if found else None

    def call(self, method, path, body=None):
        request = urllib.request.Request(
            self.url + path,
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"Authorization": f"Bearer {self.key}", "Content-Type": "application/json"},
        )
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            raise SystemExit(f"{method} {path} answered {error.code}: {error.read().decode()}") from error

    def upload(self, origin):
        """A client-driven job with one page that is not finalized."""
        job = self.call("POST", "/ci/job/init", {"project": "seeded", "testOrigin": origin})["jobId"]
        page = {"jobId": job, "url": f"{origin}/", "variantName": "Desktop Chrome"}
        links = self.call("POST", "/ci/job/upload-url", page)
        tree = {"tagName": "BODY", "rect": {"x": 0, "y": 0, "w": 8, "h": 8}}
        for link, kind, content in (
            (links["uploadUrl"], "image/png", png(8, 8)),
            (links["domUploadUrl"], "application/json", json.dumps(tree).encode()),
        ):
            request = urllib.request.Request(link, method="PUT", data=content, headers={"Content-Type": kind})
            urllib.request.urlopen(request, timeout=30).close()
        return job

    def run_to_end(self, body):
        job = self.call("POST", "/crawl", body)["jobId"]
        end = time.monotonic() + JOB_SECONDS
        while self.call("GET", f"/job/{job}/overview")["status"] != "COMPLETED":
            if time.monotonic() > end:
                raise SystemExit(f"job {job} did not complete:\n{self.logged()}")
            time.sleep(0.2)
        return job

    def logged(self):
        self.log.seek(0)
        return self.log.read()[-4000:]

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.log.close()
        self.folder.cleanup()


def png(width, height):
    """A white picture."""

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    rows = zlib.compress((b"\0" + b"\xff" * width) * height)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")
