#!/usr/bin/env python3
"""Attacks an orlojd in random order beside healthy calls; exits with 1 if a check failed."""
import argparse
import atexit
import http.client
import http.server
import json
import os
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SERVER = os.path.join(ROOT, "benchmarks", "hostile", "server.py")
NAMESPACE = "/apis/orloj.dev/v1/namespaces/default"
HEALTHY = 4
MOST_SERVERS = 60
AT_A_TIME = 4

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--base", type=int, default=60, help="seconds without attacks, before and after")
parser.add_argument("--attack", type=int, default=1200, help="seconds with attacks")
parser.add_argument("--settle", type=int, default=60, help="seconds after the attacks until the statuses are checked")
parser.add_argument("--seed", type=int, default=7, help="of the order of the attacks")
parser.add_argument("--port", type=int, default=18080, help="for orlojd")
options = parser.parse_args()
random.seed(options.seed)
PORT = options.port
MARK = f"hostile-{os.getpid()}"


def log(*what):
    print(time.strftime("%H:%M:%S"), *what, flush=True)


# --- orlojd -----------------------------------------------------------------------------------


class Orlojd:
    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="orloj-hostile-")
        self.log = open(os.path.join(self.folder, "log"), "w+")
        command = [os.path.join(ROOT, "bin", "orlojd"), "--port", str(PORT), "--data-dir", self.folder + "/data",
                   "--insecure-allow-anonymous"]  # the attacks and the calls have no credentials
        # A session of its own, as a service has one: Linux shares the processors between sessions,
        # and the attacker would take from the share of orlojd.
        self.process = subprocess.Popen(
            command,
            stdout=self.log,
            stderr=subprocess.STDOUT,
            env=dict(os.environ, ORLOJ_AOT="off"),
            start_new_session=True,
        )
        atexit.register(self.process.kill)
        for _ in range(600):
            if self.process.poll() is not None:
                sys.exit("orlojd did not start: see " + self.log.name)
            try:
                if request("GET", "/readyz", timeout=5)[0] == 200:
                    break
            except OSError:
                pass
            time.sleep(0.5)
        self.pid = self.process.pid

    def figures(self):
        """Heap in MB, open files, threads, resident memory in MB."""
        files = len(os.listdir(f"/proc/{self.pid}/fd"))
        threads = len(os.listdir(f"/proc/{self.pid}/task"))
        status = open(f"/proc/{self.pid}/status").read()
        resident = int(re.search(r"VmRSS:\s+(\d+)", status).group(1)) // 1024
        _, metrics = request("GET", "/metrics", headers={"Accept": "text/plain"})
        used = re.findall(r'jvm_memory_used_bytes\{[^}]*area="heap"[^}]*\} ([\d.eE+]+)', metrics.decode())
        return sum(map(float, used)) / 1e6, files, threads, resident

    def lines(self):
        with open(self.log.name) as lines:
            return lines.readlines()

    def stop(self):
        """Returns the seconds until it has ended; None if it did not."""
        start = time.time()
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(60)
            return time.time() - start
        except subprocess.TimeoutExpired:
            self.process.kill()
            return None


def request(method, path, body=None, headers=None, timeout=60, connection=None):
    own = connection or http.client.HTTPConnection("127.0.0.1", PORT, timeout=timeout)
    try:
        data = body if body is None or isinstance(body, (str, bytes)) else json.dumps(body)
        given = {"Content-Type": "application/json", "Accept": "application/json"}
        given.update(headers or {})
        own.request(method, path, data, given)
        response = own.getresponse()
        return response.status, response.read()
    finally:
        if connection is None:
            own.close()


def manifest(name, mode, *args, **spec):
    command = {"command": "python3", "args": [SERVER, mode, *args, MARK]}
    return {
        "apiVersion": "orloj.dev/v1",
        "kind": "McpServer",
        "metadata": {"name": name},
        "spec": {"transport": "stdio", **(command if not {"command", "image", "endpoint"} & set(spec) else {}), **spec},
    }


def tools_of(server):
    _, body = request("GET", f"{NAMESPACE}/tools?labelSelector=orloj.dev/mcp-server={server}")
    return [tool["metadata"]["name"] for tool in json.loads(body)["items"]]


# --- the healthy load -------------------------------------------------------------------------

LOAD = os.path.join(ROOT, "benchmarks", "hostile", "load.py")
phases = [(time.time(), "warm-up")]
stopping = threading.Event()
samples = []


def enter(phase):
    log(phase)
    phases.append((time.time(), phase))


def phase_at(when):
    return [name for since, name in phases if since <= when][-1]


def measured(path):
    """What the load has measured: seconds by phase and kind, and its errors."""
    times, errors = {}, []
    with open(path) as lines:
        for line in lines:
            when, kind, took, error = json.loads(line)
            times.setdefault((phase_at(when), kind), []).append(took)
            if error:
                errors.append((phase_at(when), kind, error))
    return times, errors


def expect(answer, status=200):
    if answer[0] != status or b'"error"' in answer[1]:
        raise RuntimeError(f"{answer[0]}: {answer[1][:150]!r}")
    return answer[1]


def sample(orlojd):
    while not stopping.is_set():
        try:
            samples.append((phases[-1][1], *orlojd.figures()))
        except (OSError, AttributeError) as e:
            findings.append(f"metrics: {e!r}")
        time.sleep(5)


# --- the attacks ------------------------------------------------------------------------------

created = {}
counter = iter(range(10**9))
attacks = {}
findings = []


def attack(function):
    attacks[function.__name__] = function
    return function


def add(mode, *args, expected=201, **spec):
    name = f"h{next(counter)}-{mode}"
    status, body = request("POST", NAMESPACE + "/mcpservers", manifest(name, mode, *args, **spec))
    if status != expected:
        findings.append(f"creating {name}: {status} {body[:150]!r}")
    if status == 201:
        created[name] = time.time()
    return name


def delete(name):
    created.pop(name, None)
    request("DELETE", NAMESPACE + "/mcpservers/" + name)


def during(seconds, mode, *args):
    name = add(mode, *args)
    time.sleep(seconds)
    delete(name)


def together(*works):
    threads = [threading.Thread(target=work, daemon=True) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def call(name, tool="echo", timeout=20):
    try:
        return request("POST", f"{NAMESPACE}/tools/{name}--{tool}/call", {"arguments": {}}, timeout=timeout)
    except OSError as e:
        return 0, repr(e).encode()


def raw_connections(count, text, seconds):
    """Connections that send this text and read nothing."""
    sockets = []
    try:
        for _ in range(count):
            one = socket.create_connection(("127.0.0.1", PORT), timeout=5)
            one.sendall(text)
            sockets.append(one)
    except OSError as e:
        log("connections:", len(sockets), repr(e))
    time.sleep(seconds)
    for one in sockets:
        one.close()


def raw_call(name):
    body = b'{"arguments":{}}'
    path = f"{NAMESPACE}/tools/{name}--echo/call"
    head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{PORT}\r\nContent-Type: application/json\r\n"
    return (head + f"Content-Length: {len(body)}\r\n\r\n").encode() + body


class Refusing(http.server.BaseHTTPRequestHandler):
    """An http server with a token that has expired."""

    requests = []

    def do_POST(self):
        Refusing.requests.append(time.time())
        self.send_response(401)
        self.send_header("WWW-Authenticate", 'Bearer error="invalid_token", error_description="expired yesterday"')
        self.send_header("Content-Length", "0")
        self.end_headers()

    do_GET = do_POST

    def log_message(self, *args):
        pass


refusing = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Refusing)
threading.Thread(target=refusing.serve_forever, daemon=True).start()
silent = socket.socket()
silent.bind(("127.0.0.1", 0))
silent.listen(500)


@attack
def servers_that_exit():
    for _ in range(5):
        add("exits")


@attack
def missing_program():
    add("missing", command="/no/such/program")


@attack
def expired_token():
    add("expired", transport="http", endpoint=f"http://127.0.0.1:{refusing.server_address[1]}/mcp")


@attack
def servers_that_never_answer():
    for _ in range(5):
        add("silent")
    add("silent-http", transport="http", endpoint=f"http://127.0.0.1:{silent.getsockname()[1]}/mcp")


@attack
def missing_image():
    add("image", image="127.0.0.1:1/none:none")


@attack
def missing_secret():
    add("secret", env=[{"name": "A", "secretRef": "nope"}])


@attack
def long_lines():
    together(*[lambda m=m: during(40, m) for m in ["endless-line", "long-line"] * 4])


@attack
def too_many_tools():
    during(60, "many", "100000")


@attack
def two_thousand_tools():
    during(60, "many", "2000")


@attack
def six_megabytes_of_schema():
    during(20, "big-schema")


@attack
def schema_that_refers_to_itself():
    name = add("ref-loop")
    time.sleep(5)
    call(name, "loop")
    delete(name)


@attack
def noise_on_stdout():
    during(60, "noise")


@attack
def tools_that_change_all_the_time():
    during(30, "changing")


@attack
def flood_of_logs():
    during(20, "floods-logs")


@attack
def servers_that_die_of_a_call():
    name = add("dies")
    time.sleep(4)
    for _ in range(10):
        call(name)
    delete(name)


@attack
def unreadable_results():
    for mode in ("deep", "big-number"):
        name = add(mode)
        time.sleep(4)
        start = time.time()
        status, _ = call(name, timeout=100)
        if time.time() - start > 30:
            findings.append(f"unreadable result ({mode}): {status} after {time.time() - start:.0f} s")
        delete(name)


@attack
def clients_that_do_not_read():
    name = add("long-answer")
    time.sleep(4)
    raw_connections(60, raw_call(name), 25)
    delete(name)


@attack
def calls_without_an_answer():
    name = add("never-answers")
    time.sleep(4)
    raw_connections(50, raw_call(name), 20)
    delete(name)


@attack
def half_open_connections():
    raw_connections(3000, b"GET /healthz HTTP/1.1\r\nHos", 20)


@attack
def watches():
    head = f"GET {NAMESPACE}/tools?watch=1 HTTP/1.1\r\nHost: 127.0.0.1:{PORT}\r\n\r\n"
    raw_connections(200, head.encode(), 15)


def colliding(count):
    keys = [""]
    while len(keys) < count:
        keys = [key + more for key in keys for more in ("Aa", "BB")]
    return keys[:count]


@attack
def colliding_keys():
    def one(method):
        name = f"c{next(counter)}"
        data = {key: "" for key in colliding(8192)}
        body = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}, "data": data}
        path = "/api/v1/namespaces/default/configmaps"
        apply = {"Content-Type": "application/apply-patch+yaml"} if method == "PATCH" else {}
        to = f"{path}/{name}" if method == "PATCH" else path
        start = time.time()
        status, answer = request(method, f"{to}?fieldManager=x", json.dumps(body), apply, timeout=120)
        if status >= 500 or time.time() - start > 30:
            findings.append(f"colliding keys, {method}: {status} {answer[:100]!r} {time.time() - start:.0f} s")

    together(*[lambda m=m: one(m) for m in ("POST", "POST", "POST", "PATCH")])


@attack
def request_of_a_web_page():
    headers = {"Origin": "http://localhost:3000", "Content-Type": ""}
    status, _ = request("POST", NAMESPACE + "/mcpservers", manifest("evil", "exits"), headers)
    if status < 300:
        findings.append(f"a web page created a server: {status}")
        delete("evil")


@attack
def endpoint_that_leads_back():
    endpoint = f"http://127.0.0.1:{PORT}/mcp/default"
    status, _ = request("POST", NAMESPACE + "/mcpservers", manifest("loop", "x", transport="http", endpoint=endpoint))
    if status < 300:
        time.sleep(20)
        findings.append(f"an endpoint that leads back was accepted; it has {len(tools_of('loop'))} tools")
        delete("loop")


@attack
def bodies_that_cost_much():
    bodies = (
        b"[" * 2_000_000,
        b'{"a":' * 200_000,
        b'{"arguments":{"x":' + b"9" * 1_000_000 + b"}}",
        b"\xff" * 2_900_000,
        b'{"arguments":{"x":"' + b"q" * 2_900_000 + b'"}}',
    )
    for body in bodies:
        try:
            status, answer = request("POST", f"{NAMESPACE}/tools/good0--echo/call", body, timeout=30)
        except OSError:
            continue  # orlojd may close the connection instead of reading on
        if status >= 500 or b"java." in answer or b"jackson" in answer.lower():
            findings.append(f"body {body[:20]!r}: {status} {answer[:150]!r}")


@attack
def servers_that_come_and_go():
    for _ in range(20):
        name = add("good")
        time.sleep(0.3)
        delete(name)


# --- the hour ---------------------------------------------------------------------------------


def run(name):
    start = time.time()
    try:
        attacks[name]()
    except Exception as e:  # an attack that fails is reported, and does not end the others
        log("attack", name, "failed:", repr(e)[:200])
    log("done", name, f"{time.time() - start:.1f} s")


def attack_all():
    end = time.time() + options.attack
    running, order = [], []
    while time.time() < end:
        running = [thread for thread in running if thread.is_alive()]
        if len(running) < AT_A_TIME:
            order = order or random.sample(list(attacks), len(attacks))
            name = order.pop()
            if len(created) > MOST_SERVERS:
                for old in sorted(created, key=created.get)[: MOST_SERVERS // 2]:
                    delete(old)
            log("start", name)
            thread = threading.Thread(target=run, args=(name,), daemon=True)
            thread.start()
            running.append(thread)
        time.sleep(random.uniform(1, 4))
    for thread in running:
        thread.join(90)


def leftovers():
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as command:
                if f"\0{MARK}\0".encode() in command.read():
                    found.append(pid)
        except OSError:
            continue  # it has ended
    return found


def check_statuses():
    """A server that cannot work is not Ready, and says why."""
    _, body = request("GET", NAMESPACE + "/mcpservers")
    broken = ("exits", "missing", "expired", "silent", "silent-http", "image", "secret")
    for server in json.loads(body)["items"]:
        name = server["metadata"]["name"]
        conditions = server.get("status", {}).get("conditions", [])
        condition = next((c for c in conditions if c["type"] == "Ready"), {})
        said = f'{name}: Ready={condition.get("status")} {condition.get("reason")}: {condition.get("message", "")[:160]!r}'
        log(said)
        mode = name.split("-", 1)[-1]
        if name.startswith("good") and condition.get("status") != "True":
            findings.append("a healthy server is not ready: " + said)
        if mode in broken and (condition.get("status") == "True" or not condition.get("message")):
            findings.append("a broken server is not said to be broken: " + said)


def quantile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))] * 1000 if ordered else 0.0


def report(orlojd, load_file, log_before, log_after, minutes):
    times, errors = measured(load_file)
    for (at, kind), values in sorted(times.items()):
        p50, p99 = quantile(values, 0.5), quantile(values, 0.99)
        print(f"{at:8} {kind:8} n={len(values):6} p50={p50:8.2f} p99={p99:8.2f} max={max(values) * 1000:8.1f} ms")
    names = ("heap MB", "files", "threads", "resident MB")
    last = {}
    for at in ("base", "attack", "after"):
        rows = [row[1:] for row in samples if row[0] == at]
        if rows:
            last[at] = rows[-1]
            columns = (f"{n} {min(c):.0f}..{max(c):.0f} last {c[-1]:.0f}" for n, c in zip(names, zip(*rows)))
            print(f"{at:8}", "; ".join(columns))
    print(f"log lines a minute during the attacks: {(log_after - log_before) / minutes:.0f}")
    p99 = {key: quantile(values, 0.99) for key, values in times.items()}
    floor = max(1.0, p99.get(("attack", "bare"), 0) / p99.get(("base", "bare"), 1))
    print(f"p99 of a bare server, with attacks to without: {floor:.1f}")
    for kind in ("rest", "mcp"):
        base, hostile = (p99.get((at, kind), 0) for at in ("base", "attack"))
        if hostile > 2 * floor * base:
            findings.append(f"p99 of healthy calls ({kind}) is {hostile:.1f} ms, and {base:.1f} ms without attacks")
    slowest = max(times.get(("attack", "healthz"), [0]))
    if slowest > 1:
        findings.append(f"/healthz took {slowest:.1f} s")
    for what, most in (("files", 50), ("threads", 50)):
        grown = last["after"][names.index(what)] - last["base"][names.index(what)]
        if grown > most:
            findings.append(f"{what} grew by {grown:.0f}")
    for error in errors[:20]:
        findings.append("a healthy request failed: " + " ".join(map(str, error)))
    for line in orlojd.lines():
        if re.search(r"\bERROR\b|OutOfMemory", line):
            findings.append("log: " + line.strip()[:300])


def main():
    orlojd = Orlojd()
    log("orlojd", orlojd.pid, "log", orlojd.log.name)
    for i in range(HEALTHY):
        expect(request("POST", NAMESPACE + "/mcpservers", manifest(f"good{i}", "good")), 201)
    for i in range(HEALTHY):
        while not tools_of(f"good{i}"):
            time.sleep(0.2)
    # A process and a session of its own: the attacks of this one would delay the measurement.
    load_file = os.path.join(orlojd.folder, "load")
    load = subprocess.Popen([sys.executable, LOAD, str(PORT), load_file], start_new_session=True)
    atexit.register(load.kill)
    sampler = threading.Thread(target=sample, args=(orlojd,), daemon=True)
    sampler.start()
    time.sleep(20)
    enter("base")
    time.sleep(options.base)
    before = len(orlojd.lines())
    start = time.time()
    enter("attack")
    attack_all()
    enter("settle")
    after, minutes = len(orlojd.lines()), (time.time() - start) / 60
    attempts = len(Refusing.requests)
    time.sleep(options.settle)
    attempts = len(Refusing.requests) - attempts
    refused = sum("expired" in name for name in created)
    log(f"attempts with an expired token in {options.settle} s: {attempts}, of {refused} servers")
    if attempts > 8 * max(1, refused):
        findings.append(f"{attempts} attempts with an expired token in {options.settle} s")
    check_statuses()
    for name in list(created):
        delete(name)
    enter("after")
    time.sleep(options.base)
    left = leftovers()
    if len(left) > HEALTHY * 3:  # each has helpers that isolate it
        findings.append(f"{len(left)} processes are left of deleted servers: {left}")
    stopping.set()
    load.terminate()
    load.wait(65)
    sampler.join(65)
    report(orlojd, load_file, before, after, minutes)
    took = orlojd.stop()
    if took is None:
        findings.append("orlojd did not stop within a minute")
    if leftovers():
        findings.append(f"processes outlive orlojd: {leftovers()}")
    for finding in findings:
        print("FAILED", finding)
    if findings:
        sys.exit(f"{len(findings)} checks failed; the log is {orlojd.log.name}")
    shutil.rmtree(orlojd.folder, ignore_errors=True)
    print("everything held")


main()
