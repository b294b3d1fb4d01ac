package dev.orloj.benchmarks.call;

import dev.orloj.api.codec.Json;
import dev.orloj.benchmarks.load.Operation;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Optional;

/** The floor of a transport: an echo server called inside the JVM of the load driver. */
final class PipeContestant implements Contestant {

    static final String NAME = "bare pipe";

    static final JsonNode ARGUMENTS = Json.MAPPER.createObjectNode().put("message", "hello");

    private final PipeClient pipe;

    PipeContestant() throws IOException {
        this.pipe = PipeClient.start(EchoServer.command());
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Operation caller() {
        return () -> check(pipe.call("echo", ARGUMENTS));
    }

    /**
     * @throws IOException when the server did not return its text
     */
    static void check(JsonNode result) throws IOException {
        if (!result.path("content").path(0).path("text").asString("").equals("hello")) {
            throw new IOException("Not the answer to the call: " + result);
        }
    }

    @Override
    public Optional<Duration> cpu() {
        return Optional.empty();
    }

    @Override
    public void close() {
        try {
            pipe.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
