package dev.orloj.server.rest.presentation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.codec.Json;
import dev.orloj.api.v1.Tool;

import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;

class KubernetesTableTest {

    private static final Instant BEGINNING = Instant.parse("2026-01-01T00:00:00Z");

    private final AtomicReference<Instant> now = new AtomicReference<>(BEGINNING);
    private final KubernetesTable watched =
            new KubernetesTable(Tool.DESCRIPTOR, "v1", KubernetesTable.Include.NONE, now::get);

    private static ObjectNode tool(Instant created) {
        ObjectNode tool = Json.MAPPER.createObjectNode();
        tool.putObject("metadata").put("name", "a").put("creationTimestamp", created.toString());
        return tool;
    }

    private String ageIn(ObjectNode event) {
        JsonNode cells = event.at("/rows/0/cells");
        return cells.path(cells.size() - 1).asString();
    }

    /** It was that of the beginning of the watch, before which what is new was not there. */
    @Test
    void ageInAnEventIsThatOfTheMoment() {
        assertThat(ageIn(watched.event(tool(BEGINNING)))).isEqualTo("0s");

        now.set(BEGINNING.plus(Duration.ofMinutes(10)));

        assertThat(ageIn(watched.event(tool(BEGINNING)))).isEqualTo("10m");
        assertThat(ageIn(watched.event(tool(now.get())))).isEqualTo("0s");
    }
}
