#!/usr/bin/env python3
"""Healthy calls beside the attacks: load.py PORT FILE writes [time, kind, seconds, error] lines.

"rest" and "mcp" go through orlojd, "bare" to a server of the same program over a pipe: what the
machine alone does to a call is seen there.
"""
import http.client
import json
import os
import signal
import subprocess
import sys
import threading
import time

PORT, FILE = int(sys.argv[1]), sys.argv[2]
SERVER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "server.py")
PACE = 0.05
TIMEOUT = 60
REST = "/apis/orloj.dev/v1/namespaces/default/tools/%s--echo/call"
HELLO = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "healthy", "version": "1"}}
CALL = {"name": "echo", "arguments": {"message": "x"}}
JSON = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}

stopping = threading.Event()
out = open(FILE, "w", buffering=1)


def measure(kind, work, pace=PACE):
    while not stopping.is_set():
        begin, since = time.time(), time.perf_counter()
        error = None
        try:
            work()
        except Exception as e:  # any error is one too many
            error = repr(e)[:200]
        took = time.perf_counter() - since
        out.write(json.dumps([begin, kind, took, error]) + "\n")
        time.sleep(max(0, pace - took))


def message(method, params, id=1):
    return {"jsonrpc": "2.0", "id": id, "method": method, "params": params}


def send(connection, method, path, body=None, headers=JSON):
    connection.request(method, path, body and json.dumps(body), headers)
    response = connection.getresponse()
    text = response.read()
    if response.status != 200 or b'"error"' in text:
        raise RuntimeError(f"{response.status}: {text[:150]!r}")
    return response


def once(method, path, body=None):
    connection = http.client.HTTPConnection("127.0.0.1", PORT, timeout=TIMEOUT)
    try:
        send(connection, method, path, body)
    finally:
        connection.close()


def over_mcp(server):
    path = f"/mcp/default/mcpservers/{server}"
    connection = http.client.HTTPConnection("127.0.0.1", PORT, timeout=TIMEOUT)
    session = send(connection, "POST", path, message("initialize", HELLO)).headers["Mcp-Session-Id"]
    headers = {**JSON, "Mcp-Session-Id": session, "MCP-Protocol-Version": "2025-06-18"}
    measure("mcp", lambda: send(connection, "POST", path, message("tools/call", CALL), headers))


def over_a_pipe():
    server = subprocess.Popen(
        [sys.executable, SERVER, "good"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
    )

    def ask(method, params):
        server.stdin.write(json.dumps(message(method, params)) + "\n")
        if "result" not in json.loads(server.stdout.readline()):
            raise RuntimeError("no result")

    ask("initialize", HELLO)
    measure("bare", lambda: ask("tools/call", CALL))
    server.stdin.close()
    server.wait()


works = [
    lambda: measure("rest", lambda: once("POST", REST % "good0", {"arguments": {"message": "x"}})),
    lambda: measure("rest", lambda: once("POST", REST % "good1", {"arguments": {"message": "x"}})),
    lambda: over_mcp("good2"),
    lambda: over_mcp("good3"),
    over_a_pipe,
    lambda: measure("healthz", lambda: once("GET", "/healthz"), 2 * PACE),
]
signal.signal(signal.SIGTERM, lambda *_: stopping.set())
threads = [threading.Thread(target=work) for work in works]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
