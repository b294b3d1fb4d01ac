package dev.orloj.server.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.orloj.api.codec.Json;
import dev.orloj.server.disconnect.ClientDisconnects;
import dev.orloj.server.testing.SlowClient;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServer;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.NoSuchAlgorithmException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import javax.net.ssl.SSLContext;

/** Two replicas, over HTTP. */
@Timeout(60)
class ReplicaEndpointTest {

    private static final InstantSource CLOCK = InstantSource.system();

    private final ClientDisconnects disconnects = new ClientDisconnects();
    private final Echo echo = new Echo();
    private final Socket taken = bound();
    private final WebServer web;
    private final Replicas replicas = replicas(1);

    ReplicaEndpointTest() {
        TomcatServletWebServerFactory factory = new TomcatServletWebServerFactory(0);
        disconnects.customize(factory);
        web =
                factory.getWebServer(
                        context ->
                                context.addServlet(
                                                "replicas",
                                                new ReplicaEndpoint(
                                                        List.of(echo),
                                                        new ReplicaTokens(key(1), "two", CLOCK),
                                                        disconnects))
                                        .addMapping(ReplicaEndpoint.PATH + "*"));
        web.start();
    }

    /** Returns what it was asked, and waits when it is asked to. */
    private static final class Echo implements ReplicaService {

        private final CountDownLatch waiting = new CountDownLatch(1);
        private final CountDownLatch reported = new CountDownLatch(1);
        private final AtomicBoolean interrupted = new AtomicBoolean();

        @Override
        public String kind() {
            return "echo";
        }

        void awaitReported() {
            try {
                reported.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }

        @Override
        public ObjectNode serve(ObjectNode request, Consumer<ObjectNode> notification)
                throws InterruptedException {
            for (JsonNode each : request.path("messages")) {
                notification.accept((ObjectNode) each);
            }
            for (int i = 1; i <= request.path("count").asInt(0); i++) {
                notification.accept(
                        Json.MAPPER
                                .createObjectNode()
                                .put("n", i)
                                .put("text", SlowClient.LONG_TEXT));
            }
            reported.countDown();
            if (request.has("fail")) {
                throw new IllegalStateException("secret");
            }
            try {
                if (request.has("wait")) {
                    waiting.countDown();
                    new CountDownLatch(1).await();
                }
            } catch (InterruptedException e) {
                interrupted.set(true);
                throw e;
            }
            return request;
        }
    }

    private static SecretKey key(int content) {
        return new SecretKeySpec(new byte[] {(byte) content}, "HmacSHA256");
    }

    private Replicas replicas(int key) {
        return new Replicas(
                replica -> replica.equals("gone") ? Optional.of(closed()) : Optional.of(address()),
                new ReplicaTokens(key(key), "one", CLOCK),
                tls());
    }

    private static SSLContext tls() {
        try {
            return SSLContext.getDefault();
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    private URI address() {
        return URI.create("http://127.0.0.1:" + web.getPort() + "/");
    }

    /** Of a port that is taken, and takes no connection. */
    private static Socket bound() {
        Socket socket = new Socket();
        try {
            socket.bind(new InetSocketAddress("127.0.0.1", 0));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        return socket;
    }

    private URI closed() {
        return URI.create("http://127.0.0.1:" + taken.getLocalPort());
    }

    @AfterEach
    void stop() throws IOException {
        taken.close();
        replicas.close();
        web.stop();
        disconnects.close();
    }

    private static ObjectNode json(String text) {
        return (ObjectNode) Json.MAPPER.readTree(text);
    }

    private ReplicaLostException lost(String replica, String kind, String request) {
        return lost(replicas, replica, kind, request);
    }

    private static ReplicaLostException lost(
            Replicas asking, String replica, String kind, String request) {
        List<ReplicaLostException> failures = new ArrayList<>();
        assertThatThrownBy(() -> asking.ask(replica, kind, json(request), notification -> {}))
                .isInstanceOfSatisfying(ReplicaLostException.class, failures::add);
        return failures.getFirst();
    }

    @Test
    void notificationsComeBeforeTheAnswerInTheirOrder() throws Exception {
        List<ObjectNode> notification = new ArrayList<>();
        ObjectNode request =
                json("{\"messages\": [{\"n\": 1}, {\"n\": 2.50}], \"text\": \"a\\nb\"}");

        ObjectNode answer = replicas.ask("two", "echo", request, notification::add);

        assertThat(answer).isEqualTo(request);
        assertThat(notification).containsExactly(json("{\"n\": 1}"), json("{\"n\": 2.50}"));
    }

    @Test
    void slowReplicaMissesTheOldestNotificationsAndGetsTheAnswer() throws Exception {
        int many = 5_000;
        ObjectNode request = Json.MAPPER.createObjectNode().put("count", many);
        List<Integer> received = new ArrayList<>();

        ObjectNode answer =
                replicas.ask(
                        "two",
                        "echo",
                        request,
                        notification -> {
                            echo.awaitReported();
                            received.add(notification.path("n").asInt());
                        });

        assertThat(answer).isEqualTo(request);
        assertThat(received).isSorted().doesNotHaveDuplicates();
        assertThat(received.size()).isLessThan(many);
        assertThat(received.getLast()).isEqualTo(many);
    }

    @Test
    void whoDoesNotWaitAnyMoreEndsTheWork() throws Exception {
        AtomicBoolean ended = new AtomicBoolean();
        Thread asking =
                Thread.ofVirtual()
                        .start(
                                () -> {
                                    try {
                                        replicas.ask("two", "echo", json("{\"wait\": 1}"), n -> {});
                                    } catch (InterruptedException e) {
                                        ended.set(true);
                                    } catch (ReplicaLostException e) {
                                        throw new IllegalStateException(e);
                                    }
                                });
        echo.waiting.await();

        asking.interrupt();

        await().untilTrue(ended);
        await().untilTrue(echo.interrupted);
    }

    @Test
    void replicaThatStopsMeanwhileIsLost() throws Exception {
        Thread.ofVirtual()
                .start(
                        () -> {
                            try {
                                echo.waiting.await();
                                web.stop();
                            } catch (InterruptedException e) {
                                Thread.currentThread().interrupt();
                            }
                        });

        ReplicaLostException failure = lost("two", "echo", "{\"wait\": 1}");

        assertThat(failure.delivered()).isTrue();
        assertThat(failure.getMessage()).startsWith("the replica \"two\" of orlojd ");
    }

    @Test
    void replicaThatIsNotThereWasNotAsked() {
        ReplicaLostException failure = lost("gone", "echo", "{}");

        assertThat(failure.delivered()).isFalse();
        assertThat(failure.getMessage()).contains("\"gone\" of orlojd takes no connection at http");
    }

    @Test
    void failureOfTheOtherReplicaReportsNothingButWhereToLook() {
        ReplicaLostException failure = lost("two", "echo", "{\"fail\": 1}");

        assertThat(failure.delivered()).isTrue();
        assertThat(failure.getMessage()).contains("under the id").doesNotContain("secret");
    }

    @Test
    void refusalsBeginNothing() {
        ReplicaLostException unknown = lost("two", "other", "{}");
        assertThat(unknown.delivered()).isFalse();
        assertThat(unknown.getMessage()).contains("HTTP 404");

        try (Replicas stranger = replicas(2)) {
            ReplicaLostException refused = lost(stranger, "two", "echo", "{\"wait\": 1}");
            assertThat(refused.delivered()).isFalse();
            assertThat(refused.getMessage()).contains("HTTP 401", "--secret-key-file");
        }
        assertThat(echo.waiting.getCount()).isEqualTo(1);
    }

    @Test
    void agentsAreNotServed() throws Exception {
        assertThat(post(null)).isEqualTo(401);
        assertThat(post("Bearer x")).isEqualTo(401);
        assertThat(post("Orloj-Replica x.y")).isEqualTo(401);
    }

    /** What comes from strangers may be large, and is not looked at. */
    @Test
    void strangerIsRefusedBeforeItsBodyIsRead() throws Exception {
        String head =
                String.join(
                        "\r\n",
                        "POST " + ReplicaEndpoint.PATH + "echo HTTP/1.1",
                        "Host: 127.0.0.1",
                        "Authorization: Orloj-Replica x.y",
                        "Content-Length: 1000000",
                        "",
                        "");
        try (Socket socket = new Socket(address().getHost(), address().getPort())) {
            socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));

            assertThat(socket.getInputStream().readNBytes(12)).asString().isEqualTo("HTTP/1.1 401");
        }
    }

    @Test
    void bodyThatWasExchangedOnTheWayIsRefused() throws Exception {
        String token =
                new ReplicaTokens(key(1), "one", CLOCK)
                        .sign(
                                "two",
                                "POST",
                                ReplicaEndpoint.PATH + "echo",
                                "{\"wait\": 1}".getBytes(StandardCharsets.UTF_8));

        assertThat(post(ReplicaEndpoint.SCHEME + token)).isEqualTo(401);
    }

    private int post(@Nullable String authorization) throws IOException, InterruptedException {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(address().resolve(ReplicaEndpoint.PATH + "echo"))
                        .POST(HttpRequest.BodyPublishers.ofString("{}"));
        if (authorization != null) {
            request.header("Authorization", authorization);
        }
        return HttpClient.newHttpClient()
                .send(request.build(), HttpResponse.BodyHandlers.ofString())
                .statusCode();
    }
}
