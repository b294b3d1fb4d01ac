package dev.orloj.benchmarks.call;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import dev.orloj.api.codec.Json;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The least of an MCP client on pipes: requests with an id, answers found by it. Knows no errors,
 * no notifications, no cancellation. Safe for many threads.
 */
final class PipeClient implements EchoClient {

    private static final long TIMEOUT_SECONDS = 30;

    private final Process process;
    private final AtomicLong lastId = new AtomicLong();
    private final Map<Long, CompletableFuture<JsonNode>> waiting = new ConcurrentHashMap<>();
    private final ReentrantLock writing = new ReentrantLock();

    @GuardedBy("writing")
    private final OutputStream stdin;

    private PipeClient(Process process) {
        this.process = process;
        this.stdin = process.getOutputStream();
        Thread.ofPlatform().daemon().name("floor-stdout").start(this::read);
    }

    /** Starts the server; the echo server needs no {@code initialize}. */
    static PipeClient start(List<String> command) throws IOException {
        return new PipeClient(
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
    }

    @Override
    public JsonNode call(String tool, JsonNode arguments)
            throws IOException, InterruptedException, ExecutionException, TimeoutException {
        long id = lastId.incrementAndGet();
        ObjectNode request = Json.MAPPER.createObjectNode();
        request.put("jsonrpc", "2.0").put("id", id).put("method", "tools/call");
        request.putObject("params").put("name", tool).set("arguments", arguments);
        byte[] line = Json.MAPPER.writeValueAsBytes(request);
        CompletableFuture<JsonNode> answer = new CompletableFuture<>();
        waiting.put(id, answer);
        writing.lock();
        try {
            stdin.write(line);
            stdin.write('\n');
            stdin.flush();
        } finally {
            writing.unlock();
        }
        return answer.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    }

    private void read() {
        byte[] buffer = new byte[64 * 1024];
        int filled = 0;
        try (InputStream stdout = process.getInputStream()) {
            for (int read = stdout.read(buffer); read >= 0; ) {
                filled += read;
                int rest = answerLines(buffer, filled);
                System.arraycopy(buffer, rest, buffer, 0, filled - rest);
                filled -= rest;
                read = stdout.read(buffer, filled, buffer.length - filled);
            }
        } catch (IOException e) {
            waiting.values().forEach(answer -> answer.completeExceptionally(e));
        }
    }

    /** Hands out every complete line; returns where the incomplete one starts. */
    private int answerLines(byte[] buffer, int filled) {
        int start = 0;
        for (int i = 0; i < filled; i++) {
            if (buffer[i] == '\n') {
                JsonNode message = Json.MAPPER.readTree(buffer, start, i - start);
                start = i + 1;
                CompletableFuture<JsonNode> answer = waiting.remove(message.path("id").longValue());
                if (answer != null) {
                    answer.complete(message.path("result"));
                }
            }
        }
        return start;
    }

    @Override
    public void close() throws IOException {
        process.getOutputStream().close();
    }
}
