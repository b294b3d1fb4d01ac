package dev.orloj.benchmarks.call;

import dev.orloj.benchmarks.load.Operation;
import dev.orloj.benchmarks.suite.MeasuredProcess;
import dev.orloj.benchmarks.suite.OrlojdProcess;
import dev.orloj.benchmarks.suite.Workplace;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;

/** Called by POST over HTTP, one connection for each caller, the same bytes for all. */
public final class HttpContestant implements Contestant {

    static final String ORLOJD = "orlojd";
    static final String FLOOR = "Tomcat floor";

    /** The name of the McpServer that is called. */
    public static final String SERVER = "bench";

    /** Where it is spoken to over MCP. */
    public static final String ENDPOINT = "/mcp/default/mcpservers/" + SERVER;

    private final String name;
    private final URI url;
    private final HttpCall call;
    private final MeasuredProcess process;
    private final AutoCloseable server;

    private HttpContestant(
            String name, URI url, HttpCall call, MeasuredProcess process, AutoCloseable server) {
        this.name = name;
        this.url = url;
        this.call = call;
        this.process = process;
        this.server = server;
    }

    /** A process that ends with the contestant. */
    static HttpContestant of(String name, URI url, HttpCall call, MeasuredProcess process) {
        return new HttpContestant(name, url, call, process, process);
    }

    /** One of several ways to call the same orlojd, which is not ended with it. */
    public static HttpContestant of(String name, OrlojdProcess orlojd, HttpCall call) {
        return new HttpContestant(name, orlojd.url(), call, orlojd.process(), () -> {});
    }

    /** The bare minimum in a JVM of its own, with the echo server as its child. */
    static HttpContestant floor(Workplace workplace) throws IOException, InterruptedException {
        return floor(TomcatFloor.start(workplace));
    }

    static HttpContestant floor(MeasuredProcess process) {
        return of(FLOOR, URI.create(process.readyText()), HttpCall.rest("/call"), process);
    }

    /** The product as it is, called over REST. */
    static HttpContestant orlojd(Workplace workplace) throws IOException, InterruptedException {
        OrlojdProcess orlojd = start(workplace);
        return new HttpContestant(ORLOJD, orlojd.url(), rest(), orlojd.process(), orlojd);
    }

    /** An orlojd with the echo server as an McpServer that is ready. */
    static OrlojdProcess start(Workplace workplace) throws IOException, InterruptedException {
        return start(workplace, EchoManifest.of(SERVER, ""));
    }

    /** An orlojd with an McpServer that has the tool {@code echo}, and is ready. */
    static OrlojdProcess start(Workplace workplace, String manifest)
            throws IOException, InterruptedException {
        return serve(OrlojdProcess.start(workplace, workplace.newFolder("call")), manifest);
    }

    /** Gives an orlojd the echo server as an McpServer that is ready. */
    public static OrlojdProcess serve(OrlojdProcess orlojd) throws IOException {
        return serve(orlojd, EchoManifest.of(SERVER, ""));
    }

    private static OrlojdProcess serve(OrlojdProcess orlojd, String manifest) throws IOException {
        try {
            orlojd.create(EchoManifest.SERVERS, manifest);
            orlojd.await(EchoManifest.toolPath(SERVER), tool -> true);
            return orlojd;
        } catch (IOException | RuntimeException e) {
            orlojd.close();
            throw e;
        }
    }

    /** How orlojd is called over REST. */
    public static HttpCall rest() {
        return HttpCall.rest(EchoManifest.toolPath(SERVER) + "/call");
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Operation caller() {
        return call.caller(url);
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
