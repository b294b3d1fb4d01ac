package dev.orloj.runtime.listing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.approval.DefinitionName.Kind;
import dev.orloj.api.codec.Json;
import dev.orloj.runtime.jsonrpc.JsonRpcError;
import dev.orloj.runtime.jsonrpc.JsonRpcException;
import dev.orloj.runtime.transport.RequestTimeoutException;

import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

class FeaturePagesTest {

    private static final JsonNode BOTH =
            Json.MAPPER.readTree("{\"prompts\": {}, \"resources\": {}}");

    private final Map<String, Function<ObjectNode, JsonNode>> lists = new HashMap<>();
    private final List<String> asked = new ArrayList<>();

    @Test
    void listsThatAServerDoesNotDeclareAreEmptyWithoutARequest() throws Exception {
        FeatureListing listing = read(Json.MAPPER.readTree("{\"tools\": {}}"));

        assertThat(asked).isEmpty();
        assertThat(listing.offered().definitions()).isEmpty();
        assertThat(listing.offered().read()).hasSize(3);
    }

    @Test
    void pagesAreReadToTheEnd() throws Exception {
        lists.put(
                "prompts/list",
                params ->
                        params.has("cursor")
                                ? page("prompts", "{\"name\": \"b\"}")
                                : page("prompts", "{\"name\": \"a\"}").put("nextCursor", "2"));
        lists.put("resources/list", _ -> page("resources", "{\"uri\": \"doc://a\"}"));

        FeatureListing listing = read(BOTH);
        assertThat(listing.offered().definitions())
                .extracting(each -> each.name().text())
                .containsExactly("prompt/a", "prompt/b", "resource/doc://a");
        // It does not know resources/templates/list.
        assertThat(listing.offered().read()).hasSize(3);
        assertThat(listing.notes()).isEmpty();
    }

    @Test
    void aListThatFailsIsNotRead() throws Exception {
        lists.put(
                "prompts/list",
                _ -> {
                    throw new RequestTimeoutException("prompts/list", Duration.ofSeconds(10));
                });
        lists.put("resources/list", _ -> Json.MAPPER.readTree("{\"resources\": 7}"));

        FeatureListing listing = read(BOTH);
        assertThat(listing.offered().read()).containsExactly(Kind.TEMPLATE);
        assertThat(listing.notes()).hasSize(2).first().asString().contains("prompts", "No answer");
    }

    @Test
    void thereIsABoundForNumberLengthAndPages() throws Exception {
        ObjectNode many = page("prompts");
        for (int i = 0; i < 1_001; i++) {
            ((ArrayNode) many.path("prompts")).addObject().put("name", "p" + i);
        }
        lists.put("prompts/list", _ -> many.put("nextCursor", "more"));
        lists.put(
                "resources/list",
                _ ->
                        page(
                                "resources",
                                "{\"uri\": \"%s\"}".formatted("x".repeat(2_000)),
                                "{\"uri\": \"a\", \"description\": \"%s\"}"
                                        .formatted("x".repeat(70_000)),
                                "{\"uri\": \"twice\"}",
                                "{\"uri\": \"twice\"}",
                                "{\"uri\": \"a\\u0000\"}",
                                "{\"name\": \"none\"}"));

        FeatureListing listing = read(BOTH);
        assertThat(listing.offered().definitions()).hasSize(1_001);
        assertThat(asked).filteredOn("prompts/list"::equals).hasSize(1);
        assertThat(listing.notes())
                .containsExactly(
                        "At least 1,000 prompts are listed, and no more are recorded",
                        "5 resources without a name, listed twice or too long were left out");
    }

    private FeatureListing read(JsonNode capabilities) throws InterruptedException {
        return FeaturePages.readAll(
                (method, params, _) -> {
                    asked.add(method);
                    return lists.getOrDefault(method, FeaturePagesTest::unknown).apply(params);
                },
                capabilities);
    }

    private static JsonNode unknown(ObjectNode params) {
        throw new JsonRpcException(
                new JsonRpcError(JsonRpcError.METHOD_NOT_FOUND, "no such method", null));
    }

    private static ObjectNode page(String items, String... definitions) {
        ObjectNode page = Json.MAPPER.createObjectNode();
        ArrayNode list = page.putArray(items);
        for (String definition : definitions) {
            list.add(Json.MAPPER.readTree(definition));
        }
        return page;
    }
}
