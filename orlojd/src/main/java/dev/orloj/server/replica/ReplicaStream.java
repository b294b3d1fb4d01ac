package dev.orloj.server.replica;

import dev.orloj.api.codec.Json;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.nio.charset.StandardCharsets;

/**
 * One line of an answer between replicas: a JSON object with one member that says what it is. Empty
 * lines mean nothing but that the other side lives.
 */
sealed interface ReplicaStream {

    String MEDIA_TYPE = "application/x-ndjson";

    /** How often the replica that works shows that it lives, in milliseconds. */
    long BEAT_MILLIS = 5_000;

    /** Something to hear before the answer. */
    record Message(ObjectNode content) implements ReplicaStream {}

    /** The last line. */
    record Answer(ObjectNode content) implements ReplicaStream {}

    /** The last line when there is no answer. */
    record Failure(String why) implements ReplicaStream {}

    /** An empty line. */
    record Beat() implements ReplicaStream {}

    default byte[] encode() {
        ObjectNode line = Json.MAPPER.createObjectNode();
        switch (this) {
            case Message(ObjectNode content) -> line.set("news", content);
            case Answer(ObjectNode content) -> line.set("answer", content);
            case Failure(String why) -> line.put("failure", why);
            case Beat() -> {
                return "\n".getBytes(StandardCharsets.US_ASCII);
            }
        }
        return (line + "\n").getBytes(StandardCharsets.UTF_8);
    }

    static ReplicaStream decode(String line) {
        if (line.isEmpty()) {
            return new Beat();
        }
        try {
            JsonNode content = Json.MAPPER.readTree(line);
            if (content.path("news") instanceof ObjectNode notification) {
                return new Message(notification);
            }
            if (content.path("answer") instanceof ObjectNode answer) {
                return new Answer(answer);
            }
            return new Failure(content.path("failure").asString("it said nothing of use"));
        } catch (JacksonException e) {
            return new Failure("it spoke no JSON");
        }
    }
}
