package dev.orloj.benchmarks.many;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The smallest stdio server that any machine can start: a shell with one tool. */
final class ShellServer {

    private static final String SCRIPT =
            """
            while read -r line; do
              id=${line#*'"id":'}; id=${id%%[,\\}]*}
              case $line in
                *'"initialize"'*)
                  body='"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"shell","version":"1"}}' ;;
                *'"tools/list"'*)
                  body='"result":{"tools":[{"name":"echo","description":"Says it again","inputSchema":{"type":"object"}}]}' ;;
                *'"id":'*) body='"error":{"code":-32601,"message":"Method not found"}' ;;
                *) continue ;;
              esac
              printf '{"jsonrpc":"2.0","id":%s,%s}\\n' "$id" "$body"
            done
            """;

    private static final String INITIALIZE =
            """
            {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}
            """;
    private static final String LIST =
            """
            {"jsonrpc":"2.0","id":2,"method":"tools/list"}
            """;

    private final Path script;

    ShellServer(Path folder) throws IOException {
        this.script = Files.writeString(folder.resolve("server.sh"), SCRIPT);
    }

    /** Returns a YAML document. */
    String manifest(String name) {
        return document(name, "[%s]".formatted(script));
    }

    /** Returns a YAML document of a server whose program is this shell command. */
    static String manifest(String name, String command) {
        return document(name, "[-c, '%s']".formatted(command));
    }

    private static String document(String name, String arguments) {
        return """
        ---
        apiVersion: orloj.dev/v1
        kind: McpServer
        metadata: {name: %s}
        spec: {transport: stdio, command: /bin/sh, args: %s}
        """
                .formatted(name, arguments);
    }

    String json(String name) {
        return """
        {"apiVersion": "orloj.dev/v1", "kind": "McpServer", "metadata": {"name": "%s"},
         "spec": {"transport": "stdio", "command": "/bin/sh", "args": ["%s"]}}
        """
                .formatted(name, script);
    }

    /** Starts it, asks what orlojd asks, and ends it. */
    void askAlone() throws IOException, InterruptedException {
        Process process =
                new ProcessBuilder(List.of("/bin/sh", script.toString()))
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
        try (BufferedReader answers = process.inputReader(StandardCharsets.UTF_8)) {
            for (String request : List.of(INITIALIZE, LIST)) {
                process.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
                process.getOutputStream().flush();
                if (answers.readLine() == null) {
                    throw new IOException("the shell server has no answer");
                }
            }
            process.getOutputStream().close();
        }
        process.waitFor();
    }
}
