package dev.orloj.benchmarks.call;

import dev.orloj.benchmarks.load.HttpConnection;
import dev.orloj.benchmarks.load.Operation;
import dev.orloj.benchmarks.suite.JavaProcess;
import dev.orloj.benchmarks.suite.OrlojdProcess;
import dev.orloj.benchmarks.suite.Workplace;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
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
    private static final String SERVER = "bench";
    private static final String CALL_PATH = EchoManifest.toolPath(SERVER) + "/call";

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
            orlojd.create(EchoManifest.SERVERS, EchoManifest.of(SERVER, ""));
            orlojd.await(EchoManifest.toolPath(SERVER), tool -> true);
            return new HttpContestant(ORLOJD, orlojd.url(), orlojd.process(), orlojd);
        } catch (IOException | RuntimeException e) {
            orlojd.close();
            throw e;
        }
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
