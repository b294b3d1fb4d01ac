package dev.orloj.benchmarks.call;

import dev.orloj.api.codec.Json;
import dev.orloj.benchmarks.load.HttpConnection;
import dev.orloj.benchmarks.load.Operation;
import dev.orloj.benchmarks.suite.JavaProcess;
import dev.orloj.benchmarks.suite.OrlojdProcess;
import dev.orloj.benchmarks.suite.Workplace;

import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Called by POST over HTTP, one connection for each caller, the same bytes for all. */
final class HttpContestant implements Contestant {

    static final String ORLOJD = "orlojd";
    static final String FLOOR = "Tomcat floor";

    private static final String MESSAGE = "hello";
    private static final byte[] BODY =
            "{\"arguments\":{\"message\":\"%s\"}}"
                    .formatted(MESSAGE)
                    .getBytes(StandardCharsets.UTF_8);
    private static final String NAMESPACE = "/apis/orloj.dev/v1/namespaces/default/";
    private static final String SERVER = "bench";
    private static final String CALL_PATH = NAMESPACE + "tools/" + SERVER + "--echo/call";

    private final String name;
    private final URI url;
    private final JavaProcess process;
    private final AutoCloseable server;

    private HttpContestant(String name, URI url, JavaProcess process, AutoCloseable server) {
        this.name = name;
        this.url = url;
        this.process = process;
        this.server = server;
    }

    /** The bare minimum in a JVM of its own, with the echo server as its child. */
    static HttpContestant floor(Workplace workplace) throws IOException, InterruptedException {
        JavaProcess process = TomcatFloor.start(workplace);
        return new HttpContestant(FLOOR, URI.create(process.readyText()), process, process);
    }

    /** The product as it is, with the echo server as an McpServer that is ready. */
    static HttpContestant orlojd(Workplace workplace) throws IOException, InterruptedException {
        OrlojdProcess orlojd = OrlojdProcess.start(workplace, workplace.newFolder("call"));
        try {
            orlojd.create(NAMESPACE + "mcpservers", manifest());
            orlojd.await(NAMESPACE + "tools/" + SERVER + "--echo", tool -> true);
            return new HttpContestant(ORLOJD, orlojd.url(), orlojd.process(), orlojd);
        } catch (IOException | RuntimeException e) {
            orlojd.close();
            throw e;
        }
    }

    private static String manifest() {
        List<String> command = EchoServer.command();
        ObjectNode manifest = Json.MAPPER.createObjectNode();
        manifest.put("apiVersion", "orloj.dev/v1").put("kind", "McpServer");
        manifest.putObject("metadata").put("name", SERVER);
        ObjectNode spec = manifest.putObject("spec");
        spec.put("transport", "stdio").put("command", command.getFirst());
        command.stream().skip(1).forEach(spec.putArray("args")::add);
        return manifest.toString();
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Operation caller() {
        HttpConnection connection = new HttpConnection(url);
        byte[] request = connection.request("POST", CALL_PATH, "application/json", BODY);
        return new Operation() {
            @Override
            public void perform() throws IOException {
                HttpConnection.Answer answer = connection.exchange(request);
                if (answer.status() != 200 || !answer.text().contains(MESSAGE)) {
                    throw new IOException(answer.status() + " " + answer.text());
                }
            }

            @Override
            public void close() {
                connection.close();
            }
        };
    }

    @Override
    public Optional<Duration> cpu() {
        return Optional.of(process.cpu());
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
