package dev.orloj.server.rest.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.codec.Json;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.node.ObjectNode;

/** What is sent is named by the path it is sent to. */
class MergedEndpointTest {

    private static final ResourceKey KEY = new ResourceKey("team", "search");

    private static ObjectNode document(String metadata) {
        return (ObjectNode) Json.MAPPER.readTree("{\"metadata\": %s}".formatted(metadata));
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"x\"", "1", "[]", "true"})
    void metadataThatIsNoObjectIsABadRequest(String metadata) {
        assertThatExceptionOfType(ApiException.class)
                .isThrownBy(() -> MergedEndpoint.name(document(metadata), KEY))
                .withMessageContaining("metadata: must be an object")
                .satisfies(e -> assertThat(e.reason()).isEqualTo(ErrorReason.BAD_REQUEST));
    }

    @Test
    void nameOfThePathIsTaken() {
        for (String metadata : new String[] {"null", "{}", "{\"name\": \"other\"}"}) {
            ObjectNode document = document(metadata);

            MergedEndpoint.name(document, KEY);

            assertThat(document.at("/metadata/name").asString()).isEqualTo("search");
            assertThat(document.at("/metadata/namespace").asString()).isEqualTo("team");
        }
    }
}
