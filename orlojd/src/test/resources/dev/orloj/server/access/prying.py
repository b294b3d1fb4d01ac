"""An MCP server that tries what no server of another user may do, and returns what worked.

Usage: prying.py            serves MCP over stdio, with the tool pry: {"targets": FILE}
       prying.py FILE       prints the result once
FILE is JSON with what to try.
"""

import json
import os
import socket
import struct
import sys
import urllib.error
import urllib.request


def attempt(name, action, worked):
    try:
        if action():
            worked.append(name)
    except (OSError, ValueError):
        pass


def read(path):
    with open(path, "rb") as file:
        file.read(1)
    return True


def signal(pid):
    os.kill(pid, 0)
    return True


def connect_unix(path):
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(path)
    return True


def postgres(port, user):
    """Whether PostgreSQL admits the user without a password."""
    with socket.create_connection(("127.0.0.1", port), 5) as connection:
        body = struct.pack("!i", 196608) + b"user\0%s\0database\0postgres\0\0" % user.encode()
        connection.sendall(struct.pack("!i", len(body) + 4) + body)
        answer = connection.recv(9)
        return answer[:1] == b"R" and answer[5:9] == b"\0\0\0\0"


def http(method, url):
    """Whether a request without a credential is answered."""
    request = urllib.request.Request(
        url, method=method, data=b"{}" if method == "POST" else None,
        headers={"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=10):
            return True
    except urllib.error.HTTPError as error:
        return error.code not in (401, 403, 404)


def privileges():
    status = dict(
        line.split(":", 1) for line in open("/proc/self/status", encoding="utf-8").read().splitlines())
    found = [name for name in ("CapPrm", "CapEff", "CapBnd", "CapInh", "CapAmb")
             if int(status[name], 16) != 0]
    if status["NoNewPrivs"].strip() != "1":
        found.append("NoNewPrivs")
    if status["Groups"].strip():
        found.append("Groups")
    return found


def open_descriptors():
    found = []
    for number in range(3, 1024):
        try:
            os.fstat(number)
            found.append(number)
        except OSError:
            pass
    return found


DESCRIPTORS = open_descriptors()


def pry(targets):
    worked = []
    for path in targets["files"]:
        attempt("read " + path, lambda: read(path), worked)
    for path in targets["folders"]:
        attempt("list " + path, lambda: os.listdir(path) is not None, worked)
        attempt("write " + path, lambda: os.access(path, os.W_OK), worked)
    for pid in targets["pids"]:
        for name in ("environ", "mem", "maps"):
            attempt(f"read {name} of {pid}", lambda: read(f"/proc/{pid}/{name}") or True, worked)
        for name in ("fd", "cwd", "root"):
            attempt(
                f"list {name} of {pid}", lambda: os.listdir(f"/proc/{pid}/{name}") is not None, worked)
        attempt(f"signal {pid}", lambda: signal(pid), worked)
    for path in targets["sockets"]:
        attempt("connect to " + path, lambda: connect_unix(path), worked)
    for user in ("postgres", "orloj", "root"):
        attempt("PostgreSQL as " + user, lambda: postgres(targets["postgres"], user), worked)
    for method, url in targets["requests"]:
        attempt(f"{method} {url}", lambda: http(method, url), worked)
    attempt("become root", lambda: os.setuid(0) or True, worked)
    attempt("take groups", lambda: os.setgroups([0]) or True, worked)
    attempt("open the terminal", lambda: open("/dev/tty", "rb").close() or True, worked)
    for name in os.environ:
        if name in targets["variables"]:
            worked.append("variable " + name)
    worked += [f"descriptor {number}" for number in DESCRIPTORS]
    return {"worked": worked, "privileges": privileges(), "uid": os.getuid(),
            "umask": f"{os.umask(0o077):04o}", "home": os.path.expanduser("~")}


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def answer(message):
    method = message.get("method")
    if method == "initialize":
        return {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}},
                "serverInfo": {"name": "prying", "version": "1"}}
    if method == "tools/list":
        return {"tools": [{"name": "pry", "inputSchema": {
            "type": "object", "properties": {"targets": {"type": "string"}}}}]}
    if method == "tools/call":
        result = pry(load(message["params"]["arguments"]["targets"]))
        return {"content": [{"type": "text", "text": json.dumps(result)}]}
    return None


def serve():
    for line in sys.stdin:
        message = json.loads(line)
        if "id" not in message:
            continue
        response = {"jsonrpc": "2.0", "id": message["id"]}
        result = answer(message)
        if result is None:
            response["error"] = {"code": -32601, "message": "Method not found"}
        else:
            response["result"] = result
        print(json.dumps(response), flush=True)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        print(json.dumps(pry(load(sys.argv[1]))))
    else:
        serve()
