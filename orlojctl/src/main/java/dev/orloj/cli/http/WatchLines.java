package dev.orloj.cli.http;

import dev.orloj.api.codec.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/** Reads the events of one open watch, one JSON object per line. */
final class WatchLines implements AutoCloseable {

    private static final int MAX_LINE = 64 * 1024 * 1024;

    private final Answer answer;
    private final InputStream in;
    private final byte[] buffer = new byte[8192];
    private int at;
    private int end;

    WatchLines(Answer answer) {
        this.answer = answer;
        this.in = answer.body();
    }

    /** Returns the next event; empty when the stream has ended. */
    Optional<WatchedEvent> next() throws IOException {
        while (true) {
            byte[] line = nextLine();
            if (line == null) {
                return Optional.empty();
            }
            if (line.length > 0) {
                JsonNode event = Json.MAPPER.readTree(line);
                return Optional.of(
                        new WatchedEvent(event.path("type").asString(""), event.path("object")));
            }
        }
    }

    private byte @Nullable [] nextLine() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        while (true) {
            if (at == end) {
                end = in.read(buffer);
                at = 0;
                if (end < 0) {
                    end = 0;
                    return null; // an incomplete line is an event that did not arrive
                }
            }
            int start = at;
            while (at < end && buffer[at] != '\n') {
                at++;
            }
            line.write(buffer, start, at - start);
            if (at < end) {
                at++;
                return line.toByteArray();
            }
            if (line.size() > MAX_LINE) {
                throw new IOException("an event is longer than " + MAX_LINE + " bytes");
            }
        }
    }

    @Override
    public void close() {
        answer.close();
    }
}
