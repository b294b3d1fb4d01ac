"""An MCP server of revision 2025-11-25 with one of everything, for the scripts beside it."""

import json
import sys

TOOLS = [
    {
        "name": "add",
        "title": "Add",
        "description": "Adds two numbers",
        "inputSchema": {
            "type": "object",
            "properties": {"a": {"type": "integer"}, "b": {"type": "number", "multipleOf": 0.50}},
            "required": ["a", "b"],
        },
        "outputSchema": {"type": "object", "properties": {"sum": {"type": "number"}}},
        "annotations": {"readOnlyHint": True, "auraHint": "violet"},
        "icons": [{"src": "data:,", "sizes": ["48x48"]}],
        "_meta": {"vendor.example/weight": 1.10},
        "futureField": {"deep": [None, 0.30]},
    },
] + [
    {"name": name, "inputSchema": {"type": "object"}}
    for name in ("ask", "error", "exit", "fail", "progress", "wide")
]
PROMPTS = [{"name": "greet", "description": "Greets", "arguments": [{"name": "whom", "required": True}]}]
RESOURCES = [{"uri": "file:///note", "name": "note", "mimeType": "text/plain", "size": 5}]
TEMPLATES = [{"uriTemplate": "file:///{name}", "name": "any"}]


def say(message):
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


def text(value, **more):
    return {"content": [{"type": "text", "text": value}], **more}


def call(id, params):
    name, arguments = params["name"], params.get("arguments") or {}
    if name == "add":
        total = arguments["a"] + arguments["b"]
        return {"result": text(str(total), structuredContent={"sum": total}, unheard=[{}])}
    if name == "ask":
        schema = {"type": "object", "properties": {"name": {"type": "string"}}}
        say({"id": "q1", "method": "elicitation/create", "params": {"message": "Who?", "requestedSchema": schema}})
        answer = next(m for m in map(json.loads, sys.stdin) if m.get("id") == "q1" and "method" not in m)
        return {"result": text(json.dumps(answer.get("result", answer.get("error")), sort_keys=True))}
    if name == "error":
        return {"error": {"code": -32042, "message": "Please log in", "data": {"odd": 1.0}}}
    if name == "exit":
        sys.stderr.write("going\n")
        sys.exit(3)
    if name == "fail":
        return {"result": text("It did not work", isError=True)}
    if name == "progress":
        token = params.get("_meta", {}).get("progressToken")
        if token is not None:
            say({"method": "notifications/progress", "params": {"progressToken": token, "progress": 1, "total": 2.0}})
        say({"method": "notifications/message", "params": {"level": "info", "logger": "x", "data": {"n": 1}}})
        return {"result": text("arrived")}
    return {"result": text("x" * arguments.get("bytes", 0))}


def answer(id, method, params):
    if method == "initialize":
        return {"result": {
            "protocolVersion": "2025-11-25",
            "capabilities": {
                "tools": {"listChanged": True}, "prompts": {}, "resources": {"subscribe": True},
                "completions": {}, "logging": {}},
            "serverInfo": {"name": "one-of-everything", "version": "1.0", "mood": "fine"},
            "instructions": "Be kind"}}
    if method == "tools/list":
        return {"result": {"tools": TOOLS}}
    if method == "tools/call":
        return call(id, params)
    if method == "prompts/list":
        return {"result": {"prompts": PROMPTS}}
    if method == "prompts/get":
        whom = (params.get("arguments") or {}).get("whom", "?")
        return {"result": {"messages": [{"role": "user", "content": {"type": "text", "text": "Hello " + whom}}]}}
    if method == "resources/list":
        return {"result": {"resources": RESOURCES}}
    if method == "resources/templates/list":
        return {"result": {"resourceTemplates": TEMPLATES}}
    if method == "resources/read":
        return {"result": {"contents": [{"uri": params["uri"], "mimeType": "text/plain", "text": "a note"}]}}
    if method == "completion/complete":
        return {"result": {"completion": {"values": ["world"], "total": 1, "hasMore": False}}}
    if method in ("ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe"):
        return {"result": {}}
    return {"error": {"code": -32601, "message": "Method not found"}}


sys.stderr.write("started\n")
sys.stderr.flush()
for line in sys.stdin:
    message = json.loads(line)
    if "id" in message and "method" in message:
        say({"id": message["id"], **answer(message["id"], message["method"], message.get("params") or {})})
