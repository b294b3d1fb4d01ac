package dev.orloj.server.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.codec.Json;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

class JsonPatchesTest {

    private static ObjectNode patched(String operations) {
        ObjectNode base = (ObjectNode) Json.MAPPER.readTree("{\"a\": {\"b\": [1, 2]}}");
        return JsonPatches.apply((ArrayNode) Json.MAPPER.readTree(operations), base);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    [{"op":"add","path":"/a/b/-","value":3}]            | {"a":{"b":[1,2,3]}}
                    [{"op":"add","path":"/a/b/0","value":0}]            | {"a":{"b":[0,1,2]}}
                    [{"op":"remove","path":"/a/b/0"}]                   | {"a":{"b":[2]}}
                    [{"op":"replace","path":"/a/b","value":null}]       | {"a":{"b":null}}
                    [{"op":"move","from":"/a/b","path":"/c"}]           | {"a":{},"c":[1,2]}
                    [{"op":"copy","from":"/a/b/1","path":"/c~1d"}]      | {"a":{"b":[1,2]},"c/d":2}
                    [{"op":"test","path":"/a/b/1","value":2}]           | {"a":{"b":[1,2]}}
                    []                                                  | {"a":{"b":[1,2]}}
                    """)
    void operationsDoWhatTheRfcSays(String patch, String expected) {
        assertThat(patched(patch)).isEqualTo(Json.MAPPER.readTree(expected));
    }

    @Test
    void failedTestShowsNeitherTheValueThatIsThereNorThatOfThePatch() {
        ApiException e =
                catchThrowableOfType(
                        ApiException.class,
                        () ->
                                patched(
                                        "[{\"op\":\"add\",\"path\":\"/s\",\"value\":\"hush\"},"
                                            + " {\"op\":\"test\",\"path\":\"/s\",\"value\":\"guess\"}]"));

        assertThat(e.reason()).isEqualTo(ErrorReason.INVALID);
        assertThat(e).hasMessageContaining("\"/s\"");
        assertThat(e.getMessage()).doesNotContain("hush", "guess");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[{\"op\":\"remove\",\"path\":\"/none\"}]",
                "[{\"op\":\"remove\",\"path\":\"/a/b/7\"}]",
                "[{\"op\":\"replace\",\"path\":\"/none/deep\",\"value\":1}]",
                "[{\"op\":\"add\",\"path\":\"/none/deep\",\"value\":1}]",
                "[{\"op\":\"add\",\"path\":\"/a/b/9\",\"value\":1}]",
                "[{\"op\":\"add\",\"path\":\"/a/b/x\",\"value\":1}]",
                "[{\"op\":\"test\",\"path\":\"/a\",\"value\":1}]",
                "[{\"op\":\"copy\",\"from\":\"/none\",\"path\":\"/x\"}]",
                "[{\"op\":\"move\",\"from\":\"/a\",\"path\":\"/a/b/c\"}]",
                "[{\"op\":\"replace\",\"path\":\"\",\"value\":5}]",
                "[{\"op\":\"add\",\"path\":\"/a/b/99999999999999999999\",\"value\":1}]",
                "[{\"op\":\"add\",\"path\":\"/a/~7\",\"value\":1}]"
            })
    void whatDoesNotFitIsInvalid(String patch) {
        ApiException e = catchThrowableOfType(ApiException.class, () -> patched(patch));

        assertThat(e).isNotNull();
        assertThat(e.reason()).isEqualTo(ErrorReason.INVALID);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[5]",
                "[{}]",
                "[{\"op\":\"fold\",\"path\":\"/a\"}]",
                "[{\"op\":\"add\",\"path\":\"/a\"}]",
                "[{\"op\":\"add\",\"path\":\"a\",\"value\":1}]",
                "[{\"op\":\"remove\",\"path\":7}]",
                "[{\"op\":\"copy\",\"path\":\"/a\"}]"
            })
    void whatIsNoPatchIsABadRequest(String patch) {
        ApiException e = catchThrowableOfType(ApiException.class, () -> patched(patch));

        assertThat(e.reason()).isEqualTo(ErrorReason.BAD_REQUEST);
        assertThat(e).hasMessageContaining("operation 0");
    }

    @Test
    void copiesCannotGrowTheDocumentWithoutBound() {
        ArrayNode doubling = Json.MAPPER.createArrayNode();
        for (int i = 0; i < JsonPatches.MAX_COPIES; i++) {
            doubling.addObject().put("op", "copy").put("from", "").put("path", "/c" + i);
        }
        ObjectNode base = Json.MAPPER.createObjectNode().put("text", "x".repeat(1000));

        ApiException e =
                catchThrowableOfType(ApiException.class, () -> JsonPatches.apply(doubling, base));

        assertThat(e.reason()).isEqualTo(ErrorReason.REQUEST_ENTITY_TOO_LARGE);
    }

    @Test
    void tooManyOperationsAreRefused() {
        ArrayNode many = Json.MAPPER.createArrayNode();
        for (int i = 0; i <= JsonPatches.MAX_OPERATIONS; i++) {
            many.addObject().put("op", "remove").put("path", "/a");
        }

        ApiException e =
                catchThrowableOfType(
                        ApiException.class,
                        () -> JsonPatches.apply(many, Json.MAPPER.createObjectNode()));

        assertThat(e.reason()).isEqualTo(ErrorReason.REQUEST_ENTITY_TOO_LARGE);
    }
}
