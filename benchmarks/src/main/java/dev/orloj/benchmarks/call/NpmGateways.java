package dev.orloj.benchmarks.call;

import dev.orloj.api.codec.Json;
import dev.orloj.benchmarks.load.Operation;
import dev.orloj.benchmarks.suite.MeasuredProcess;
import dev.orloj.benchmarks.suite.Workplace;

import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Gateways of others, from npm: each before an echo server of its own, said to be quiet. */
final class NpmGateways {

    static final String HUB = "mcp-hub";
    static final String PROXY = "mcp-proxy";
    static final String SUPERGATEWAY = "supergateway";

    private static final List<String> PACKAGES =
            List.of(HUB + "@4.2.1", PROXY + "@6.7.19", SUPERGATEWAY + "@4.0.0");
    private static final String MCP_PATH = "/mcp";

    private final Path home;
    private final Workplace workplace;

    private NpmGateways(Path home, Workplace workplace) {
        this.home = home;
        this.workplace = workplace;
    }

    /**
     * Fetches them, unless they are there: into {@code orloj/benchmark} of the user's cache.
     *
     * @throws IllegalStateException when npm is missing or fails
     */
    static NpmGateways install(Workplace workplace) throws IOException, InterruptedException {
        Path home = Files.createDirectories(cache().resolve("orloj/benchmark"));
        Files.writeString(home.resolve("package.json"), "{\"private\": true}");
        List<String> command = new ArrayList<>(List.of("npm", "install", "--silent"));
        command.addAll(List.of("--no-audit", "--no-fund", "--prefer-offline"));
        command.addAll(PACKAGES);
        int exit =
                new ProcessBuilder(command).directory(home.toFile()).inheritIO().start().waitFor();
        if (exit != 0) {
            throw new IllegalStateException("%s ended with %d".formatted(command, exit));
        }
        return new NpmGateways(home, workplace);
    }

    private static Path cache() {
        String xdg = System.getenv().getOrDefault("XDG_CACHE_HOME", "");
        return xdg.isEmpty() ? Path.of(System.getProperty("user.home"), ".cache") : Path.of(xdg);
    }

    HttpContestant hub() throws Exception {
        Path folder = workplace.newFolder(HUB);
        List<String> echo = EchoServer.command();
        ObjectNode config = Json.MAPPER.createObjectNode();
        ObjectNode server = config.putObject("mcpServers").putObject(HttpContestant.SERVER);
        server.put("command", echo.getFirst());
        echo.stream().skip(1).forEach(server.putArray("args")::add);
        Path file = Files.writeString(folder.resolve("config.json"), config.toString());
        int port = freePort();
        URI url = url(port);
        HttpCall call = HttpCall.hub(HttpContestant.SERVER);
        List<String> command =
                List.of(
                        program(HUB),
                        "--port",
                        Integer.toString(port),
                        "--config",
                        file.toString());
        return HttpContestant.of(HUB, url, call, start(command, folder, call.caller(url)));
    }

    HttpContestant proxy() throws Exception {
        int port = freePort();
        List<String> command = new ArrayList<>();
        command.addAll(List.of(program(PROXY), "--host", "127.0.0.1", "--server", "stream"));
        command.addAll(List.of("--port", Integer.toString(port), "--"));
        command.addAll(EchoServer.command());
        return inSession(PROXY, port, command);
    }

    /** With a session, as it starts a process for each call otherwise. */
    HttpContestant supergateway() throws Exception {
        int port = freePort();
        List<String> command = new ArrayList<>();
        command.addAll(List.of(program(SUPERGATEWAY), "--stateful", "--logLevel", "none"));
        command.addAll(List.of("--outputTransport", "streamableHttp"));
        command.addAll(List.of("--port", Integer.toString(port)));
        command.addAll(List.of("--stdio", String.join(" ", EchoServer.command())));
        return inSession(SUPERGATEWAY, port, command);
    }

    private HttpContestant inSession(String name, int port, List<String> command) throws Exception {
        URI url = url(port);
        MeasuredProcess process =
                start(command, workplace.newFolder(name), () -> HttpCall.inSession(url, MCP_PATH));
        return HttpContestant.of(name, url, HttpCall.inSession(url, MCP_PATH), process);
    }

    /** Nothing of the user's is read or written. */
    private static MeasuredProcess start(List<String> command, Path folder, Operation probe)
            throws Exception {
        try (probe) {
            return MeasuredProcess.start(command, Map.of("HOME", folder.toString()), folder, probe);
        }
    }

    private String program(String name) {
        return home.resolve("node_modules/.bin").resolve(name).toString();
    }

    private static URI url(int port) {
        return URI.create("http://127.0.0.1:" + port);
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
