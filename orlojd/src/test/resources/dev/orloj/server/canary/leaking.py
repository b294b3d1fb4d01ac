"""An MCP server that reveals its environment variable CANARY wherever it can.

MODE=exit      prints it and ends
MODE=refuse    has it in the error of its handshake
otherwise      prints it, and serves the tools reveal and fail
"""

import json
import os
import sys

CANARY = os.environ.get("CANARY", "")
MODE = os.environ.get("MODE", "")
TOOLS = [{"name": name, "description": "Reveals.", "inputSchema": {"type": "object"}}
         for name in ("reveal", "fail")]


def send(message):
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


def answer(request):
    method = request.get("method")
    if MODE == "refuse":
        return {"error": {"code": -32000, "message": "no access with " + CANARY, "data": {"key": CANARY}}}
    if method == "initialize":
        return {"result": {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}, "logging": {}},
                           "serverInfo": {"name": "leaking", "version": "1"}}}
    if method == "tools/list":
        return {"result": {"tools": TOOLS}}
    if method == "tools/call":
        print("called with " + CANARY, file=sys.stderr, flush=True)
        send({"method": "notifications/message", "params": {"level": "error", "data": "logged " + CANARY}})
        if request["params"]["name"] == "reveal":
            return {"result": {"content": [{"type": "text", "text": "it is " + CANARY}]}}
        return {"error": {"code": -32001, "message": "failed with " + CANARY, "data": {"key": CANARY}}}
    if method == "ping":
        return {"result": {}}
    return {"error": {"code": -32601, "message": "Method not found"}}


print("starts with " + CANARY, file=sys.stderr, flush=True)
if MODE == "exit":
    sys.exit("ends with " + CANARY)
for line in sys.stdin:
    message = json.loads(line)
    if "id" in message and "method" in message:
        send({"id": message["id"], **answer(message)})
