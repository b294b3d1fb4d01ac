package dev.orloj.server.acceptance;

import dev.orloj.server.testing.RunningOrlojd;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/** Servers with the same tools, prompts and resources, as different as MCP allows. */
enum StoryServer {
    OLDER_STDIO("older", "stdio"),
    OLDER_HTTP("older", "http"),
    NEWER_STDIO("newer", "stdio"),
    NEWER_HTTP("newer", "http");

    /** Lets it ask the clients that call. */
    private static final String BRIDGE = "bridge: {elicitation: park, sampling: park}";

    private static final String SCRIPT = "story-server.mjs";

    private final String line;
    private final String transport;

    StoryServer(String line, String transport) {
        this.line = line;
        this.transport = transport;
    }

    /** What orlojd calls it. */
    String serverName() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    List<String> command(NodePackages packages) throws IOException {
        Path script = packages.script(SCRIPT);
        return List.of(packages.node(), script.toString(), line, transport);
    }

    /** One that is reached over HTTP is started by the test that uses it. */
    boolean isHttp() {
        return transport.equals("http");
    }

    /** Starts a server that is reached over HTTP; it ends when its input does. */
    Running start(NodePackages packages) throws IOException {
        Process process =
                new ProcessBuilder(command(packages))
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
        return new Running(process, Objects.requireNonNull(output.readLine(), "It has no URL"));
    }

    /** The manifest of one that orlojd starts. */
    String manifest(NodePackages packages) throws IOException {
        // The tools that come and go are those of one process.
        return RunningOrlojd.stdio(
                serverName(), command(packages), BRIDGE, "session_scope: shared");
    }

    /** The manifest of one that runs. */
    String manifest(Running running) {
        return RunningOrlojd.http(serverName(), running.url(), BRIDGE);
    }

    record Running(Process process, String url) implements AutoCloseable {
        @Override
        public void close() {
            process.destroy();
        }
    }
}
