package dev.orloj.server.rest.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orloj.api.codec.Json;
import dev.orloj.server.rest.HttpProbe;
import dev.orloj.server.rest.RestServer;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import tools.jackson.databind.JsonNode;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.nio.ByteBuffer;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

@Timeout(60)
class WebSocketWatchTest {

    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private final RestServer server = RestServer.shared();
    private final HttpProbe http = server.probe();
    private String tools = "";

    @BeforeEach
    void freshNamespace() {
        tools = "/apis/orloj.dev/v1/namespaces/%s/tools".formatted(server.freshNamespace());
    }

    private void create(String name) {
        http.post(tools, "{\"metadata\": {\"name\": \"%s\"}, \"spec\": {}}".formatted(name));
    }

    private Socket watch(String query) {
        Socket socket = new Socket();
        socket.connect(
                URI.create(
                        "ws://127.0.0.1:%d%s?watch=true%s".formatted(server.port(), tools, query)));
        return socket;
    }

    /** The client's side of a web socket. */
    private static final class Socket implements WebSocket.Listener, AutoCloseable {

        private final BlockingQueue<JsonNode> events = new LinkedBlockingQueue<>();
        private final CompletableFuture<Integer> closed = new CompletableFuture<>();
        private final CompletableFuture<String> pong = new CompletableFuture<>();
        private final StringBuilder text = new StringBuilder();
        private WebSocket connection;

        void connect(URI uri) {
            connection = CLIENT.newWebSocketBuilder().buildAsync(uri, this).join();
        }

        JsonNode next() throws InterruptedException {
            JsonNode event = events.poll(20, TimeUnit.SECONDS);
            assertThat(event).as("an event within 20 s").isNotNull();
            return event;
        }

        int closeCode() throws Exception {
            return closed.get(20, TimeUnit.SECONDS);
        }

        @Override
        public CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
            text.append(data);
            if (last) {
                events.add(Json.MAPPER.readTree(text.toString()));
                text.setLength(0);
            }
            socket.request(1);
            return null;
        }

        @Override
        public CompletionStage<?> onPong(WebSocket socket, ByteBuffer message) {
            pong.complete(String.valueOf((char) message.get()));
            socket.request(1);
            return null;
        }

        @Override
        public CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
            closed.complete(code);
            return null;
        }

        @Override
        public void onError(WebSocket socket, Throwable error) {
            closed.completeExceptionally(error);
        }

        @Override
        public void close() {
            connection.abort();
        }
    }

    @Test
    void eventsComeAsTextFrames() throws Exception {
        create("a");
        try (Socket socket = watch("")) {
            assertThat(socket.next().at("/object/metadata/name").asString()).isEqualTo("a");
            create("b");
            JsonNode added = socket.next();
            assertThat(added.path("type").asString()).isEqualTo("ADDED");
            assertThat(added.at("/object/metadata/name").asString()).isEqualTo("b");
        }
    }

    @Test
    void bookmarksSayWhereTheInitialStateEnds() throws Exception {
        create("a");
        String query =
                "&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";
        try (Socket socket = watch(query)) {
            assertThat(socket.next().path("type").asString()).isEqualTo("ADDED");
            JsonNode bookmark = socket.next();
            assertThat(bookmark.path("type").asString()).isEqualTo("BOOKMARK");
            assertThat(bookmark.at("/object/kind").asString()).isEqualTo("Tool");
        }
    }

    @Test
    void timeUpClosesTheSocketInOrder() throws Exception {
        try (Socket socket = watch("&timeoutSeconds=1")) {
            assertThat(socket.closeCode()).isEqualTo(WebSocket.NORMAL_CLOSURE);
        }
    }

    @Test
    void revisionFromTheFutureIsReportedAsAnEvent() throws Exception {
        try (Socket socket = watch("&resourceVersion=99999999999")) {
            JsonNode error = socket.next();
            assertThat(error.path("type").asString()).isEqualTo("ERROR");
            assertThat(error.at("/object/code").asInt()).isEqualTo(410);
            assertThat(socket.closeCode()).isEqualTo(WebSocket.NORMAL_CLOSURE);
        }
    }

    @Test
    void pingIsAnsweredWhileEventsAreAwaited() throws Exception {
        try (Socket socket = watch("")) {
            socket.connection.sendPing(ByteBuffer.wrap(new byte[] {'x'})).join();
            assertThat(socket.pong.get(20, TimeUnit.SECONDS)).isEqualTo("x");
        }
    }

    @Test
    void clientThatClosesIsAnsweredSo() throws Exception {
        try (Socket socket = watch("")) {
            socket.connection.sendClose(WebSocket.NORMAL_CLOSURE, "").join();
            assertThat(socket.closeCode()).isEqualTo(WebSocket.NORMAL_CLOSURE);
        }
    }

    @Test
    void wrongRequestIsAnsweredBeforeTheHandshake() {
        assertThatThrownBy(() -> watch("&fieldSelector=spec.nope%3D1"))
                .isInstanceOf(CompletionException.class)
                .cause()
                .isInstanceOfSatisfying(
                        WebSocketHandshakeException.class,
                        e -> assertThat(e.getResponse().statusCode()).isEqualTo(400));
    }
}
