package dev.orloj.cli.mcp;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import dev.orloj.api.Backoff;
import dev.orloj.api.Frozen;
import dev.orloj.api.codec.Json;
import dev.orloj.cli.http.McpChannel;
import dev.orloj.cli.http.McpChannel.Reply;

import org.jspecify.annotations.Nullable;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * A session with an MCP endpoint that outlives the endpoint's own: it opens an expired session
 * again as it was, and waits for an unavailable orlojd. Thread-safe.
 */
final class McpSession {

    private static final int NOT_FOUND = 404;
    private static final Backoff BACKOFF =
            Backoff.of(Duration.ofMillis(100), Duration.ofSeconds(2));

    private static final byte[] INITIALIZED =
            Json.MAPPER.writeValueAsBytes(
                    Map.of("jsonrpc", "2.0", "method", "notifications/initialized"));

    private final McpChannel channel;
    private final Duration timeout;
    private final Consumer<String> notes;
    private final ReentrantLock opening = new ReentrantLock();

    @GuardedBy("opening")
    private @Nullable JsonNode introduction;

    private volatile Map<String, String> headers = Map.of();

    /**
     * @param timeout how long to wait for an orlojd that cannot be reached
     * @param notes receives messages for people
     */
    McpSession(McpChannel channel, Duration timeout, Consumer<String> notes) {
        this.channel = channel;
        this.timeout = timeout;
        this.notes = notes;
    }

    /** Sends a message. Sends it again if it did not arrive, never if it may have arrived. */
    Reply send(JsonNode message) throws IOException, InterruptedException {
        if (message.path("method").asString("").equals("initialize")) {
            return introduce(message);
        }
        byte[] bytes = Json.MAPPER.writeValueAsBytes(message);
        Map<String, String> used = headers;
        Reply reply = insist(() -> channel.post(bytes, used));
        if (reply.status() != NOT_FOUND) {
            return reply;
        }
        reply.close();
        renew(used);
        return insist(() -> channel.post(bytes, headers));
    }

    Reply listen() throws IOException, InterruptedException {
        Map<String, String> used = headers;
        Reply stream = channel.listen(used);
        if (stream.status() == NOT_FOUND) {
            stream.close();
            renew(used);
            stream = channel.listen(headers);
        }
        if (!stream.isStream()) {
            stream.close();
            throw new IOException("there is no stream: HTTP " + stream.status());
        }
        return stream;
    }

    /** Waits before the next attempt, for threads that have the time. */
    void awaitReturn() throws InterruptedException {
        pause(BACKOFF.max());
    }

    /** Ends the session at the endpoint, if it can be reached. */
    void end() {
        if (headers.isEmpty()) {
            return;
        }
        try {
            channel.end(headers).close();
        } catch (IOException e) {
            // It is gone itself, and its sessions with it.
        }
    }

    private Reply introduce(JsonNode message) throws IOException, InterruptedException {
        opening.lock();
        try {
            introduction = message;
            return open(message);
        } finally {
            opening.unlock();
        }
    }

    /** Opens another session in place of an expired one, unless another thread has done so. */
    private void renew(Map<String, String> over) throws IOException, InterruptedException {
        opening.lock();
        try {
            JsonNode known = introduction;
            if (headers != over || known == null) {
                return;
            }
            notes.accept("the session is over; opening another");
            open(known).close();
            insist(() -> channel.post(INITIALIZED, headers)).close();
        } finally {
            opening.unlock();
        }
    }

    @GuardedBy("opening")
    private Reply open(JsonNode message) throws IOException, InterruptedException {
        byte[] bytes = Json.MAPPER.writeValueAsBytes(message);
        Reply reply = insist(() -> channel.post(bytes, Map.of()));
        byte[] document = reply.body().readAllBytes();
        reply.sessionId().ifPresent(id -> headers = headersOf(id, document));
        return new Reply(
                reply.status(), false, reply.sessionId(), new ByteArrayInputStream(document));
    }

    private static Map<String, String> headersOf(String id, byte[] answer) {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("Mcp-Session-Id", id);
        try {
            String version =
                    Json.MAPPER.readTree(answer).at("/result/protocolVersion").asString("");
            if (!version.isEmpty()) {
                headers.put("MCP-Protocol-Version", version);
            }
        } catch (JacksonException e) {
            // The client detects by itself that this is not a valid response.
        }
        return Frozen.map(headers);
    }

    @FunctionalInterface
    private interface Attempt {
        Reply make() throws IOException;
    }

    /** Retries while the endpoint refuses connections: nothing has arrived then. */
    private Reply insist(Attempt attempt) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        for (int failures = 1; ; failures++) {
            Duration wait = BACKOFF.delay(failures);
            try {
                return attempt.make();
            } catch (ConnectException e) {
                if (System.nanoTime() + wait.toNanos() > deadline) {
                    throw new IOException("cannot reach orlojd: connection refused", e);
                }
            }
            pause(wait);
        }
    }

    private static void pause(Duration time) throws InterruptedException {
        new CountDownLatch(1).await(time.toNanos(), TimeUnit.NANOSECONDS);
    }
}
