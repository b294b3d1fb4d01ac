package dev.orloj.server.replica;

import dev.orloj.api.codec.Json;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.nio.charset.StandardCharsets;

/**
 * One line of a response between replicas: a JSON object whose only member names its type. An empty
 * line is a heartbeat.
 */
sealed interface ReplicaStream {

    String MEDIA_TYPE = "application/x-ndjson";

    /** The heartbeat interval of the replica that does the work, in milliseconds. */
    long BEAT_MILLIS = 5_000;

    /** The member of a {@link Message}. Replicas of earlier versions read and write this name. */
    String MESSAGE = "news";

    /** A message before the answer. */
    record Message(ObjectNode content) implements ReplicaStream {}

    /** The last line of a successful request. */
    record Answer(ObjectNode content) implements ReplicaStream {}

    /** The last line of a failed request. */
    record Failure(String why) implements ReplicaStream {}

    /** A heartbeat: an empty line. */
    record Beat() implements ReplicaStream {}

    default byte[] encode() {
        ObjectNode line = Json.MAPPER.createObjectNode();
        switch (this) {
            case Message(ObjectNode content) -> line.set(MESSAGE, content);
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
            if (content.path(MESSAGE) instanceof ObjectNode notification) {
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
