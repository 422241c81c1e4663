"""The service under test: started on a free port with a folder of its own, spoken to as a client would, and ended."""

import json
import os
import re
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

START_SECONDS = 60
JOB_SECONDS = 120


class Service:
    def __init__(self, program, database):
        self.folder = tempfile.TemporaryDirectory(prefix="pentimento-conformance.")
        environment = {**os.environ, "XDG_RUNTIME_DIR": os.environ.get("XDG_RUNTIME_DIR", "/tmp")}
        environment.pop("DATABASE_URL", None)
        if database == "postgres":
            environment["DATABASE_URL"] = os.environ["PENTIMENTO_TEST_POSTGRES"]
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
