package dev.orloj.server.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A server as a small Python program that leaves a trace of what happens to it. Each process has a
 * name of its own, which is the answer of {@code who}, and of {@code slow} after {@code seconds}.
 * After {@code grow} all of them have one more tool and prompt, {@code new}; the process that was
 * called reports it.
 */
public final class TracingServer {

    private static final String PROGRAM =
            """
            import json, os, sys, threading
            folder = sys.argv[1]
            me = os.urandom(8).hex()
            ended = {}
            def send(message):
                message["jsonrpc"] = "2.0"
                print(json.dumps(message), flush=True)
            def answer(id, result):
                send({"id": id, "result": result})
            def text(id, value):
                answer(id, {"content": [{"type": "text", "text": value}]})
            def leave(name):
                with open(folder + "/" + name, "a") as file:
                    file.write(me + "\\n")
            def slow(id, params):
                leave("began")
                token = params.get("_meta", {}).get("progressToken")
                if token is not None:
                    send({"method": "notifications/progress", "params":
                          {"progressToken": token, "progress": 1, "message": "half"}})
                if not ended[id].wait(params["arguments"]["seconds"]):
                    leave("finished")
                    text(id, me)
            def call(id, params):
                name = params["name"]
                if name == "who":
                    text(id, me)
                elif name == "meta":
                    text(id, json.dumps(params.get("_meta", {})))
                elif name == "say":
                    send({"method": "notifications/message", "params":
                          {"level": "info", "data": me}})
                    text(id, me)
                elif name == "refuse":
                    send({"id": id, "error": {"code": -32001, "message": "not today", "data": [1]}})
                elif name == "grow":
                    leave("grown")
                    send({"method": "notifications/tools/list_changed"})
                    send({"method": "notifications/prompts/list_changed"})
                    text(id, me)
                elif name == "die":
                    leave("died")
                    os._exit(9)
                else:
                    ended[id] = threading.Event()
                    threading.Thread(target=slow, args=(id, params), daemon=True).start()
            tools = ["who", "meta", "say", "refuse", "die", "slow", "grow"]
            def grown():
                return os.path.exists(folder + "/grown")
            for line in sys.stdin:
                message = json.loads(line)
                id, method, params = message.get("id"), message.get("method"), message.get("params")
                if method == "notifications/cancelled":
                    leave("cancelled")
                    ended[params["requestId"]].set()
                elif id is None:
                    continue
                elif method == "initialize":
                    answer(id, {"protocolVersion": params["protocolVersion"],
                                "capabilities": {"tools": {}, "prompts": {}, "resources": {},
                                                 "completions": {}},
                                "serverInfo": {"name": "one", "version": "1"}})
                elif method == "tools/list":
                    answer(id, {"tools": [{"name": name, "inputSchema": {"type": "object"}}
                                          for name in tools + ["new"] * grown()]})
                elif method == "tools/call":
                    call(id, params)
                elif method == "prompts/get":
                    answer(id, {"messages": [], "description": me + " " + params["name"]})
                elif method == "prompts/list":
                    answer(id, {"prompts": [{"name": "p"}] + [{"name": "new"}] * grown()})
                elif method == "resources/list":
                    answer(id, {"resources": [{"uri": "file:///r", "name": "r"}]})
                elif method == "resources/templates/list":
                    answer(id, {"resourceTemplates": [{"uriTemplate": "file:///{x}", "name": "x"}]})
                elif method == "resources/read":
                    answer(id, {"contents": [{"uri": params["uri"], "text": me}]})
                elif method == "completion/complete":
                    answer(id, {"completion": {"values": [me]}})
                else:
                    answer(id, {})
            """;

    private final Path folder;
    private final Path program;

    private TracingServer(Path folder, Path program) {
        this.folder = folder;
        this.program = program;
    }

    /**
     * @param folder an existing folder that outlives the server
     */
    public static TracingServer in(Path folder) throws IOException {
        return new TracingServer(folder, Files.writeString(folder.resolve("one.py"), PROGRAM));
    }

    /** The manifest of a server "one"; {@code more} are further lines of its spec. */
    public String manifest(String... more) {
        return RunningOrlojd.stdio(
                "one", List.of("python3", "-S", program.toString(), folder.toString()), more);
    }

    /** The processes to which something has happened: began, finished, cancelled or died. */
    public List<String> trace(String what) throws IOException {
        Path file = folder.resolve(what);
        return Files.exists(file) ? Files.readAllLines(file) : List.of();
    }
}
