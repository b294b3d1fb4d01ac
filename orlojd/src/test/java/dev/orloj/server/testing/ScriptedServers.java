package dev.orloj.server.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;

/**
 * Servers as small Python programs, cheap enough to start fifty of them. All that one object has
 * made carry its mark in their command lines, what they detach included.
 *
 * <p>Each has the tools {@code echo} and {@code slow}, which makes the file {@code began} and
 * answers after {@code seconds}, or when the file {@code until} exists. Both answer with the kind
 * of the server and, where it has one, the variable {@code TOKEN}; the kind {@code asks} asks the
 * user first, logs the action, and answers with it.
 */
public final class ScriptedServers {

    private static final String PROGRAM =
            """
            import json, os, signal, subprocess, sys, time
            kind, mark = sys.argv[1], sys.argv[2]
            def say(text):
                sys.stdout.write(text + "\\n")
                sys.stdout.flush()
            def answer(id, result):
                say(json.dumps({"jsonrpc": "2.0", "id": id, "result": result}))
            def detach():
                if os.fork() == 0:
                    os.setsid()
                    if os.fork() == 0:
                        signal.signal(signal.SIGTERM, signal.SIG_IGN)
                        null = os.open(os.devnull, os.O_RDWR)
                        for fd in (0, 1, 2):
                            os.dup2(null, fd)
                        time.sleep(3600)
                    os._exit(0)
                os.wait()
            if kind == "dies-at-once":
                sys.exit(7)
            if kind == "detaches":
                detach()
            if kind == "stubborn":
                signal.signal(signal.SIGTERM, signal.SIG_IGN)
            if kind == "garbage":
                say("\\x00 }{ hello")
            if kind == "long-line":
                say("x" * 10_000_000)
            if kind == "floods-stderr":
                for i in range(20_000):
                    sys.stderr.write("noise " * 10 + "\\n")
            TOOLS = [{"name": name, "inputSchema": {"type": "object"}} for name in ("echo", "slow")]
            for line in sys.stdin:
                message = json.loads(line)
                id, method = message.get("id"), message.get("method")
                if id is None:
                    continue
                if method == "initialize":
                    answer(id, {"protocolVersion": message["params"]["protocolVersion"],
                                "capabilities": {"tools": {}},
                                "serverInfo": {"name": kind, "version": "1"}})
                elif method == "tools/list":
                    answer(id, {"tools": TOOLS})
                elif method == "tools/call":
                    if kind == "dies-mid-call":
                        os._exit(9)
                    if kind == "never-answers":
                        continue
                    if kind == "closes-stdout":
                        os.close(1)
                        time.sleep(3600)
                    if kind == "asks":
                        say(json.dumps({"jsonrpc": "2.0", "id": "q", "method": "elicitation/create",
                                        "params": {"message": "Who?", "requestedSchema": {"type": "object"}}}))
                        reply = json.loads(next(sys.stdin))
                        action = reply.get("result", {}).get("action", "refused")
                        say(json.dumps({"jsonrpc": "2.0", "method": "notifications/message",
                                        "params": {"level": "info", "data": action}}))
                        answer(id, {"content": [{"type": "text", "text": action}]})
                        continue
                    arguments = message["params"].get("arguments") or {}
                    if message["params"]["name"] == "slow":
                        open(arguments["began"], "w").close()
                        time.sleep(arguments.get("seconds", 0))
                        while "until" in arguments and not os.path.exists(arguments["until"]):
                            time.sleep(0.02)
                    for i in range(2 if kind == "answers-twice" else 1):
                        text = " ".join([kind] + os.environ.get("TOKEN", "").split())
                        answer(id, {"content": [{"type": "text", "text": text}]})
                else:
                    answer(id, {})
            while kind == "stubborn":
                time.sleep(3600)
            """;

    private final Path program;
    private final String mark = "scripted-" + UUID.randomUUID();

    private ScriptedServers(Path program) {
        this.program = program;
    }

    /**
     * @param folder an existing folder that outlives the servers
     */
    public static ScriptedServers in(Path folder) throws IOException {
        return new ScriptedServers(Files.writeString(folder.resolve("server.py"), PROGRAM));
    }

    /** The manifest of a server of that kind; {@code more} are further lines of its spec. */
    public String manifest(String name, String kind, String... more) {
        return RunningOrlojd.stdio(
                name, List.of("python3", "-S", program.toString(), kind, mark), more);
    }

    /** What the command lines of all of them contain. */
    public String mark() {
        return mark;
    }
}
