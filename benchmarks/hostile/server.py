#!/usr/bin/env python3
"""An MCP server over stdio: healthy ("good"), or hostile in the way that its argument names."""
import json
import os
import sys
import time

mode = sys.argv[1]


def send(message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def answer(id, result):
    send({"jsonrpc": "2.0", "id": id, "result": result})


def raw(text):
    sys.stdout.write(text)
    sys.stdout.flush()


def tools():
    if mode == "many":
        return [
            {"name": f"t{i}", "description": "x" * 50, "inputSchema": {"type": "object"}}
            for i in range(int(sys.argv[2]))
        ]
    found = [{"name": "echo", "description": "e", "inputSchema": {"type": "object"}}]
    if mode == "big-schema":
        found.append({"name": "big", "inputSchema": {"type": "object", "description": "y" * 6_000_000}})
    if mode == "ref-loop":
        defs = {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}
        found.append({"name": "loop", "inputSchema": {"$ref": "#/$defs/a", "$defs": defs}})
    if mode == "changing":
        found[0]["description"] = f"now {time.time()}"
    return found


def initialize(id):
    if mode == "endless-line":
        for _ in range(60):
            sys.stdout.write("z" * 1_000_000)
        sys.stdout.flush()
        time.sleep(3600)
    answer(
        id,
        {
            "protocolVersion": "2025-06-18",
            "capabilities": {"tools": {"listChanged": True}, "logging": {}},
            "serverInfo": {"name": mode, "version": "1"},
        },
    )
    if mode == "long-line":
        raw('{"jsonrpc":"2.0","method":"x","params":"' + "z" * 60_000_000 + '"}\n')


def list_tools(id):
    answer(id, {"tools": tools()})
    if mode == "changing":
        for _ in range(200):
            send({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"})
    if mode == "floods-logs":
        for k in range(20_000):
            params = {"level": "info", "data": f"flood {k}"}
            send({"jsonrpc": "2.0", "method": "notifications/message", "params": params})


def call(id):
    if mode == "dies":
        os._exit(1)
    if mode == "never-answers":
        return
    if mode == "deep":
        raw('{"jsonrpc":"2.0","id":%s,"result":%s}\n' % (json.dumps(id), "[" * 100_000 + "]" * 100_000))
    elif mode == "big-number":
        raw('{"jsonrpc":"2.0","id":%s,"result":{"content":[],"x":%s}}\n' % (json.dumps(id), "9" * 100_000))
    else:
        text = "a" * 10_000_000 if mode == "long-answer" else "ok"
        answer(id, {"content": [{"type": "text", "text": text}]})


if mode == "exits":
    sys.stderr.write("boom: cannot start\n")
    sys.exit(3)
if mode == "silent":
    for _ in sys.stdin:
        pass
    sys.exit(0)
if mode == "noise":
    while True:
        raw("\x1b[31mhello I am a banner\x1b[0m\n")
        time.sleep(0.2)
for line in sys.stdin:
    try:
        message = json.loads(line)
    except ValueError:
        continue
    if "id" not in message or "method" not in message:
        continue
    id, method = message["id"], message["method"]
    if method == "initialize":
        initialize(id)
    elif method == "tools/list":
        list_tools(id)
    elif method == "tools/call":
        call(id)
    elif method == "ping":
        answer(id, {})
    else:
        send({"jsonrpc": "2.0", "id": id, "error": {"code": -32601, "message": "no"}})
