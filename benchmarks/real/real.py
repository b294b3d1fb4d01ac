"""Runs real MCP servers of npm and PyPI with a policy, and reports every alarm that is none.

bin/real-servers --help lists the options; benchmarks/README.md says what the figures mean.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
import venv

ROOT = pathlib.Path(__file__).resolve().parents[2]
CACHE = pathlib.Path.home() / ".cache" / "orloj" / "real-servers"
BASE = "/apis/orloj.dev/v1/namespaces/default"
MAX_SERVERS = 100
MAX_RECONNECTS = 1000
AT_A_TIME = 3
READY_SECONDS = 120
# The launcher may have to build orlojd.
START_SECONDS = 900
INSTALL_SECONDS = 400
MAX_ERROR_LINES = 2
POLL_SECONDS = 0.1


class Orlojd:
    """An orlojd in a folder of its own."""

    def __init__(self, folder, port):
        self.url = f"http://127.0.0.1:{port}"
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                raise SystemExit(f"--port is {port}, which another program uses: give another")
        self.log = open(folder / "orlojd.log", "w")
        self.process = subprocess.Popen(
            [
                str(ROOT / "bin" / "orlojd"),
                "--port",
                str(port),
                "--data-dir",
                str(folder / "data"),
                "--insecure-allow-anonymous",
            ],
            stdout=self.log,
            stderr=subprocess.STDOUT,
        )
        end = time.monotonic() + START_SECONDS
        while True:
            try:
                self.request("GET", "/readyz", raw=True)
                return
            except (OSError, SystemExit):
                if time.monotonic() > end or self.process.poll() is not None:
                    self.process.terminate()
                    raise SystemExit(f"orlojd is not ready, see {folder}/orlojd.log")
                time.sleep(POLL_SECONDS)

    def request(self, method, path, body=None, raw=False):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data=data, method=method)
        request.add_header("Content-Type", "application/json")
        if method == "PATCH":
            request.add_header("Content-Type", "application/merge-patch+json")
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                text = answer.read()
        except urllib.error.HTTPError as error:
            raise SystemExit(f"{method} {path}: {error.code} {error.read().decode()}") from error
        return text if raw else json.loads(text)

    def server(self, name):
        return self.request("GET", f"{BASE}/mcpservers/{name}")

    def ledger(self, name):
        entries, next_page = [], ""
        while True:
            page = self.request(
                "GET", f"{BASE}/mcpservers/{name}/ledger?limit=1000&continue={next_page}"
            )
            entries += page["entries"]
            next_page = page["metadata"].get("continue", "")
            if not next_page:
                return entries

    def close(self):
        self.process.terminate()
        self.process.wait(60)
        self.log.close()


class LeftOut(Exception):
    """A version of a server that cannot be run, and why."""


def install(server, version):
    """Installs a package once, and returns the path of its program."""
    folder = CACHE / f"{server['name']}@{version}"
    if server.get("registry") == "pypi":
        program = folder / "bin" / server["bin"]
        package, command = f"{server['package']}=={version}", pypi_command(folder)
    else:
        program = folder / "node_modules" / ".bin" / server["bin"]
        package = f"{server['package']}@{version}"
        command = ["npm", "install", "--no-audit", "--no-fund", "--prefix", str(folder)]
    # The scripts of a virtual environment name its folder, so it cannot be moved into its place.
    complete = folder / "complete"
    if complete.exists() and program.exists():
        return str(program)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    with open(folder / "install.log", "w+") as log:
        try:
            if server.get("registry") == "pypi":
                venv.create(folder, with_pip=True)
            code = subprocess.run(
                command + [package] + server.get("with", []),
                timeout=INSTALL_SECONDS,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=log,
            ).returncode
        except (OSError, subprocess.SubprocessError) as error:
            raise LeftOut(f"{package} is not installed: {error}") from error
        log.seek(0)
        errors = [line.strip() for line in log if line.lower().startswith(("npm error", "error"))]
    if code != 0:
        why = "; ".join(errors[:MAX_ERROR_LINES])
        raise LeftOut(f"{package} is not installed: {command[0]} ended with {code}: {why}")
    if not program.exists():
        raise LeftOut(f"{package} has no program {server['bin']}")
    complete.touch()
    return str(program)


def pypi_command(folder):
    """Installs no package that has to be built: that would run its code."""
    python = str(folder / "bin" / "python")
    return [python, "-m", "pip", "install", "--quiet", "--only-binary", ":all:"]


def manifest(server, program, work):
    def filled(text):
        return text.replace("${WORK}", str(work))

    env = [{"name": k, "value": filled(v)} for k, v in server["env"].items()]
    return {
        "apiVersion": "orloj.dev/v1",
        "kind": "McpServer",
        "metadata": {"name": server["name"]},
        "spec": {
            "transport": "stdio",
            "command": program,
            "args": [filled(argument) for argument in server["args"]],
            "env": env,
            "tool_policy": {"on_change": "quarantine"},
        },
    }


def condition(server, kind):
    conditions = server.get("status", {}).get("conditions", [])
    return next((c for c in conditions if c["type"] == kind), {})


def comparable(definition):
    """A definition as the ledger sees it: no annotations are the same as empty ones."""
    copy = dict(definition)
    if not copy.get("annotations"):
        copy.pop("annotations", None)
    return json.dumps(copy, sort_keys=True)


def ask(server, program, work):
    """Lists the tools of a server without orlojd."""
    spec = manifest(server, program, work)["spec"]
    process = subprocess.Popen(
        [program] + spec["args"],
        env={**os.environ, **{each["name"]: each["value"] for each in spec["env"]}},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )

    def send(message):
        try:
            process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
            process.stdin.flush()
        except OSError as error:
            raise LeftOut(f"{program} ended: {error}") from error

    def result(number):
        for line in process.stdout:
            try:
                message = json.loads(line)
            except ValueError:
                continue
            if message.get("id") == number and "result" in message:
                return message["result"]
        raise LeftOut(f"{program} ended without an answer")

    try:
        client = {"name": "orloj", "version": "1"}
        params = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client}
        send({"id": 1, "method": "initialize", "params": params})
        result(1)
        send({"method": "notifications/initialized"})
        tools, number, cursor = [], 2, None
        while True:
            params = {"cursor": cursor} if cursor else {}
            send({"id": number, "method": "tools/list", "params": params})
            page = result(number)
            tools += page["tools"]
            number, cursor = number + 1, page.get("nextCursor")
            if not cursor:
                return {tool["name"]: comparable(tool) for tool in tools}
    finally:
        process.kill()
        process.wait()


def reported(entries):
    """Returns the names of the tools that entries report."""
    return {e["tool"] for e in entries if e.get("subject") == "Tool" and e.get("tool")}


def text(entry):
    subject = entry.get("tool") or entry.get("name") or entry["subject"]
    return f"{entry['operation']} {subject} {entry.get('reason', '')}".strip()


def warnings(orlojd, name):
    items = orlojd.request("GET", "/api/v1/namespaces/default/events")["items"]
    return [
        f"{item.get('reason')}: {item.get('message')}"
        for item in items
        if item.get("type") == "Warning"
        and (item.get("involvedObject") or item.get("regarding") or {}).get("name") == name
    ]


class Run:
    def __init__(self, orlojd, work):
        self.orlojd = orlojd
        self.work = work
        self.left_out = []

    def leave_out(self, server, what, why):
        """Goes on without a server or an update, and reports it again in the end."""
        self.left_out.append(f"{server['name']}: {what}: {why}")
        print(self.left_out[-1], flush=True)

    def apply(self, server):
        """Applies the oldest version; returns whether it came to Ready."""
        try:
            program = install(server, server["versions"][0])
        except LeftOut as error:
            self.leave_out(server, "left out", error)
            return False
        self.orlojd.request(
            "POST", f"{BASE}/mcpservers", manifest(server, program, self.work)
        )
        end = time.monotonic() + READY_SECONDS
        while time.monotonic() < end:
            stored = self.orlojd.server(server["name"])
            if stored.get("status", {}).get("phase") == "Ready":
                self.findings(server, stored)
                return True
            time.sleep(POLL_SECONDS)
        self.leave_out(server, "left out, not Ready", condition(stored, "Ready"))
        self.orlojd.request("DELETE", f"{BASE}/mcpservers/{server['name']}")
        return False

    def findings(self, server, stored):
        found = stored["status"].get("findings", {})
        server["findings"] = found
        worst = collections.Counter(f["id"] for f in found.get("worst", []))
        counts = {k: found.get(k, 0) for k in ("critical", "high", "medium", "low")}
        print(f"{server['name']}: {found.get('examined', 0)} definitions, {counts} {dict(worst)}")
        for finding in found.get("worst", []):
            if finding["severity"].lower() in ("critical", "high", "medium"):
                print(f"  {json.dumps(finding)}")

    def reconnect(self, server, times):
        """Replaces the session again and again, and returns how many alarms that raises."""
        name = server["name"]
        before = self.orlojd.ledger(name)
        warned = len(warnings(self.orlojd, name))
        for turn in range(times):
            synced = self.last_sync(name)
            self.orlojd.request("POST", f"{BASE}/mcpservers/{name}/restart", {})
            self.await_sync(name, synced)
        more = self.orlojd.ledger(name)[len(before) :]
        pending = condition(self.orlojd.server(name), "ToolsApproved")
        new_warnings = warnings(self.orlojd, name)[warned:]
        for entry in more:
            print(f"  {name}: after a reconnect: {text(entry)}")
        for warning in new_warnings:
            print(f"  {name}: after a reconnect: {warning}")
        if pending.get("status") != "True":
            print(f"  {name}: after a reconnect: {pending.get('message')}")
        print(f"{name}: {times} reconnects, {len(more)} entries", flush=True)
        return len(more) + len(new_warnings)

    def last_sync(self, name):
        """Returns the second of the last sync, after it has passed: the next one has another."""
        while True:
            synced = self.orlojd.server(name)["status"]["lastSyncedAt"]
            if synced < time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()):
                return synced
            time.sleep(POLL_SECONDS / 4)

    def await_sync(self, name, before):
        end = time.monotonic() + READY_SECONDS
        while time.monotonic() < end:
            status = self.orlojd.server(name)["status"]
            if status.get("phase") == "Ready" and status.get("lastSyncedAt") != before:
                return
            time.sleep(POLL_SECONDS)
        raise SystemExit(f"{name} is not synced again within {READY_SECONDS} s: {status}")

    def update(self, server):
        """Updates by one version, and returns how many tools are reported that do not differ."""
        name = server["name"]
        try:
            old, new = (install(server, version) for version in server["versions"][:2])
            was, now = ask(server, old, self.work), ask(server, new, self.work)
        except LeftOut as error:
            self.leave_out(server, "not updated", error)
            return 0
        differs = {n for n in was.keys() | now.keys() if was.get(n) != now.get(n)}
        before = self.orlojd.ledger(name)
        synced = self.last_sync(name)
        self.orlojd.request(
            "PATCH", f"{BASE}/mcpservers/{name}", {"spec": {"command": new}}
        )
        self.await_sync(name, synced)
        end = time.monotonic() + READY_SECONDS
        while differs and time.monotonic() < end:
            if reported(self.orlojd.ledger(name)[len(before) :]) >= differs:
                break
            time.sleep(POLL_SECONDS)
        found = reported(self.orlojd.ledger(name)[len(before) :])
        print(
            f"{name}: {' -> '.join(server['versions'][:2])}: {len(differs)} of"
            f" {len(was.keys() | now.keys())} tools differ, {len(found & differs)} reported,"
            f" falsely {sorted(found - differs)}, missed {sorted(differs - found)}",
            flush=True,
        )
        return len(found - differs)


def main():
    parser = argparse.ArgumentParser(prog="bin/real-servers", description=__doc__)
    parser.add_argument("--reconnects", type=int, default=100, help="of each server")
    parser.add_argument("--port", type=int, default=18412, help="of the orlojd")
    parser.add_argument("--list", default=str(pathlib.Path(__file__).with_name("servers.json")))
    parser.add_argument("names", nargs="*", help="servers of the list; all if absent")
    options = parser.parse_args()
    if not 0 <= options.reconnects <= MAX_RECONNECTS:
        parser.error(f"--reconnects is {options.reconnects}: give 0 to {MAX_RECONNECTS}")
    servers = json.loads(pathlib.Path(options.list).read_text())["servers"]
    servers = [s for s in servers if not options.names or s["name"] in options.names]
    if not 1 <= len(servers) <= MAX_SERVERS:
        parser.error(f"{len(servers)} servers of {options.list}: give 1 to {MAX_SERVERS}")
    # So that orlojd ends with this program.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    folder = pathlib.Path(tempfile.mkdtemp(prefix="orloj-real-"))
    work = folder / "work"
    work.mkdir()
    orlojd = Orlojd(folder, options.port)
    run = Run(orlojd, work)
    try:
        ready = [server for server in servers if run.apply(server)]
        found = [server["findings"] for server in ready]
        total = {
            key: sum(f.get(key, 0) for f in found)
            for key in ("examined", "critical", "high", "medium", "low")
        }
        print(f"{len(ready)} servers, {total}", flush=True)
        alarms = 0
        if options.reconnects:
            # A reconnect mostly waits: for the next second, and for the start of the server.
            with concurrent.futures.ThreadPoolExecutor(AT_A_TIME) as pool:
                turns = [pool.submit(run.reconnect, each, options.reconnects) for each in ready]
                alarms += sum(turn.result() for turn in turns)
        alarms += sum(run.update(server) for server in ready if len(server["versions"]) > 1)
        for line in run.left_out:
            print(f"not checked: {line}")
        print(f"{alarms} false alarms, {len(run.left_out)} not checked")
    finally:
        orlojd.close()
    shutil.rmtree(folder)
    sys.exit(1 if alarms else 0)


if __name__ == "__main__":
    main()
