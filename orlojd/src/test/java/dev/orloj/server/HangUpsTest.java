package dev.orloj.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.runtime.testkit.FakeHttpServer;
import dev.orloj.runtime.testkit.FakeScript;
import dev.orloj.runtime.testkit.FakeStdioServer;
import dev.orloj.server.certificate.TestCertificates;
import dev.orloj.server.postgres.TestPostgres;
import dev.orloj.server.testing.RestClient;
import dev.orloj.server.testing.RunningOrlojd;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;

/** Clients that go away while their requests wait for something. */
@Timeout(120)
class HangUpsTest {

    /** Hang-ups are looked for once a second. */
    private static final Duration SOON = Duration.ofSeconds(5);

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final String PASSWORD = "changeit";
    private static final int CROWD = 1_000;
    private static final String TOOLS = RestClient.collection("default", "tools");

    @TempDir static Path folder;
    private static RunningOrlojd orlojd;

    @BeforeAll
    static void start() {
        orlojd = RunningOrlojd.start();
    }

    @AfterAll
    static void stop() {
        orlojd.close();
    }

    /** A client that knows no more than the bytes it sends and gets. */
    private record Client(Socket socket, BufferedReader in) implements AutoCloseable {

        static Client send(String... requests) throws IOException {
            URI server = URI.create(orlojd.client().url());
            return over(new Socket(server.getHost(), server.getPort()), requests);
        }

        static Client over(Socket socket, String... requests) throws IOException {
            socket.setSoTimeout((int) TIMEOUT.toMillis());
            Client client =
                    new Client(
                            socket,
                            new BufferedReader(
                                    new InputStreamReader(
                                            socket.getInputStream(), StandardCharsets.UTF_8)));
            client.sendMore(String.join("", requests));
            return client;
        }

        void sendMore(String text) throws IOException {
            socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
        }

        /** Waits for the next answer; the one before ends without a line break. */
        int code() throws IOException {
            String line = in.readLine();
            while (line != null && !line.contains("HTTP/1.1 ")) {
                line = in.readLine();
            }
            assertThat(line).as("the head of an answer").isNotNull();
            return Integer.parseInt(line.replaceAll(".*HTTP/1.1 (\\d+).*", "$1"));
        }

        /** Ends the connection with a RST, as the end of a process with unread input does. */
        void reset() throws IOException {
            socket.setSoLinger(true, 0);
            socket.close();
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    private static String get(String path) {
        return "GET %s HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".formatted(path);
    }

    private static String call(String tool, String arguments) {
        String body = "{\"arguments\": " + arguments + "}";
        return """
        POST %s/%s/call HTTP/1.1\r
        Host: 127.0.0.1\r
        Content-Type: application/json\r
        Content-Length: %d\r
        \r
        %s\
        """
                .formatted(TOOLS, tool, body.length(), body);
    }

    private static String chunkedCall(String tool, String arguments) {
        String body = "{\"arguments\": " + arguments + "}";
        return """
        POST %s/%s/call HTTP/1.1\r
        Host: 127.0.0.1\r
        Content-Type: application/json\r
        Transfer-Encoding: chunked\r
        \r
        %x\r
        %s\r
        0\r
        \r
        """
                .formatted(TOOLS, tool, body.length(), body);
    }

    private static double metric(String series) {
        return orlojd.client()
                .get("/metrics")
                .expect(200)
                .text()
                .lines()
                .filter(line -> line.startsWith(series))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .sum();
    }

    private static double cancelled(String server) {
        return metric(
                "orloj_tool_calls_seconds_count{namespace=\"default\",outcome=\"Cancelled\","
                        + "server=\""
                        + server
                        + "\"}");
    }

    private static FakeStdioServer stdio(String name, String... more) {
        FakeStdioServer fake =
                FakeStdioServer.in(
                        folder, FakeScript.wellBehaved().tools("echo", "never", "sleep"));
        orlojd.client()
                .create("default", "mcpservers", RunningOrlojd.stdio(name, fake.command(), more));
        awaitTool(name + "--echo");
        return fake;
    }

    private static void awaitTool(String tool) {
        await().atMost(TIMEOUT)
                .until(() -> orlojd.client().call("default", tool, "{}").code() == 200);
    }

    @Test
    void callOfACallerWhoHangsUpIsCancelledAndItsPlaceIsFree() throws Exception {
        FakeStdioServer fake = stdio("one", "max_concurrent_calls: 1");
        try (Client caller = Client.send(call("one--never", "{}"))) {
            await().atMost(TIMEOUT).until(() -> metric("orloj_requests_in_flight") == 1);
            caller.close();
        }

        await().atMost(SOON)
                .until(() -> fake.receivedMethods().contains("notifications/cancelled"));
        await().atMost(SOON).until(() -> cancelled("one") == 1);
        orlojd.client().call("default", "one--echo", "{}").expect(200);
        assertThat(metric("orloj_requests_in_flight")).isZero();
    }

    @Test
    void callOverHttpIsCancelledTooWhenItsCallerIsReset() throws Exception {
        try (FakeHttpServer fake =
                FakeHttpServer.start(FakeScript.wellBehaved().tools("echo", "never").sse())) {
            orlojd.client()
                    .create("default", "mcpservers", RunningOrlojd.http("web", fake.endpoint()));
            awaitTool("web--echo");
            int before = fake.received("tools/call").size();
            Client caller = Client.send(chunkedCall("web--never", "{}"));
            await().atMost(TIMEOUT).until(() -> fake.received("tools/call").size() > before);
            caller.reset();

            await().atMost(SOON).until(() -> fake.received("notifications/cancelled").size() == 1);
            await().atMost(SOON).until(() -> cancelled("web") == 1);
        }
    }

    @Test
    void requestsSentAheadAreAnsweredAfterTheCall() throws Exception {
        stdio("ahead");
        for (String call :
                List.of(
                        call("ahead--sleep", "{\"millis\": 2500}"),
                        chunkedCall("ahead--sleep", "{\"millis\": 2500}"))) {
            try (Client caller = Client.send(call, get("/version"))) {
                assertThat(caller.code()).isEqualTo(200);
                assertThat(caller.code()).isEqualTo(200);
                caller.sendMore(call("ahead--echo", "{}"));
                assertThat(caller.code()).isEqualTo(200);
            }
        }
        assertThat(cancelled("ahead")).isZero();
    }

    @Test
    void singleByteSentAheadIsNoHangUp() throws Exception {
        FakeStdioServer fake = stdio("byte");
        for (String call :
                List.of(
                        call("byte--sleep", "{\"millis\": 2500}"),
                        chunkedCall("byte--sleep", "{\"millis\": 2500}"))) {
            long before = calls(fake);
            try (Client caller = Client.send(call)) {
                await().atMost(TIMEOUT).until(() -> calls(fake) > before);
                caller.sendMore("G");
                assertThat(caller.code()).isEqualTo(200);
                caller.sendMore(get("/version").substring(1));
                assertThat(caller.code()).isEqualTo(200);
            }
        }
    }

    private static long calls(FakeStdioServer fake) {
        return fake.receivedMethods().stream().filter("tools/call"::equals).count();
    }

    @Test
    void quietWatchesOfACrowdThatHangsUpAreGone() throws Exception {
        await().atMost(TIMEOUT).until(() -> metric("orloj_streams_open") == 0);
        long connectionsBefore = orlojd.connections();
        List<Client> crowd = new ArrayList<>();
        for (int i = 0; i < CROWD; i++) {
            crowd.add(Client.send(get(TOOLS + "?watch=true&resourceVersion=0")));
        }
        for (Client watcher : crowd) {
            assertThat(watcher.code()).isEqualTo(200);
        }
        assertThat(metric("orloj_streams_open")).isEqualTo(CROWD);
        assertThat(metric("orloj_watches_open")).isEqualTo(CROWD);

        for (Client watcher : crowd) {
            watcher.close();
        }

        await().atMost(SOON).until(() -> metric("orloj_streams_open") == 0);
        assertThat(metric("orloj_watches_open")).isZero();
        await().atMost(SOON).until(() -> orlojd.connections() <= connectionsBefore);
    }

    @Test
    void followedLogOfAClientWhoHangsUpIsGone() throws Exception {
        stdio("logs");
        await().atMost(TIMEOUT).until(() -> metric("orloj_streams_open") == 0);
        String log = RestClient.collection("default", "mcpservers") + "/logs/log?follow=true";
        try (Client reader = Client.send(get(log))) {
            assertThat(reader.code()).isEqualTo(200);
            assertThat(metric("orloj_streams_open")).isEqualTo(1);
            assertThat(metric("orloj_watches_open")).isZero();
        }

        await().atMost(SOON).until(() -> metric("orloj_streams_open") == 0);
    }

    @Test
    void webSocketOfAClientWhoVanishesIsGone() {
        await().atMost(TIMEOUT).until(() -> metric("orloj_streams_open") == 0);
        URI watch =
                URI.create(
                        orlojd.client().url().replace("http", "ws")
                                + TOOLS
                                + "?watch=true&resourceVersion=0");
        try (HttpClient http = HttpClient.newHttpClient()) {
            WebSocket socket =
                    http.newWebSocketBuilder()
                            .buildAsync(watch, new WebSocket.Listener() {})
                            .join();
            await().atMost(TIMEOUT).until(() -> metric("orloj_streams_open") == 1);
            socket.abort();

            await().atMost(SOON).until(() -> metric("orloj_streams_open") == 0);
        }
    }

    @Test
    void clientOverTlsIsSeenToGoToo() throws Exception {
        Path store = folder.resolve("tls.p12");
        KeyStore certificate = TestCertificates.selfIssued(store, "CN=localhost", PASSWORD);
        try (RunningOrlojd secure =
                RunningOrlojd.start(
                        TestPostgres.freshDatabase(),
                        Map.of(
                                "server.ssl.key-store", store,
                                "server.ssl.key-store-password", PASSWORD))) {
            Gauge open = secure.part(MeterRegistry.class).get("orloj.streams.open").gauge();
            URI server = URI.create(secure.client().url());
            for (boolean aloud : List.of(true, false)) {
                Socket plain = new Socket(server.getHost(), server.getPort());
                SSLSocket socket =
                        (SSLSocket)
                                trusting(certificate)
                                        .getSocketFactory()
                                        .createSocket(plain, "localhost", 0, true);
                Client watcher = Client.over(socket, get(TOOLS + "?watch=true"));
                assertThat(watcher.code()).isEqualTo(200);
                assertThat(open.value()).isEqualTo(1);

                (aloud ? socket : plain).close();

                await().atMost(SOON).until(() -> open.value() == 0);
            }
        }
    }

    private static SSLContext trusting(KeyStore certificate) throws Exception {
        TrustManagerFactory trust =
                TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(certificate);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }
}
