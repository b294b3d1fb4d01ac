package dev.orloj.server.registry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.client.ResourceClient;
import dev.orloj.api.codec.Document;
import dev.orloj.api.codec.DocumentReader;
import dev.orloj.api.codec.Json;
import dev.orloj.api.v1.Tool;
import dev.orloj.server.admission.FieldValidation;

import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** That the account of owners is kept by every writer, and is no reason to write. */
class FieldOwnershipTest {

    private final ResourceRegistry registry = TestRegistry.SHARED.registry();
    private final ResourceClient client = TestRegistry.SHARED.client();
    private final ResourceKey key =
            new ResourceKey("default", "o" + UUID.randomUUID().toString().substring(0, 8));

    private Document tool(String spec) {
        return yaml(
                "{apiVersion: orloj.dev/v1, kind: Tool, metadata: {name: %s}, spec: %s}"
                        .formatted(key.name(), spec));
    }

    private static Document yaml(String text) {
        return DocumentReader.readYaml(text.getBytes(StandardCharsets.UTF_8));
    }

    private static WriteOptions by(String manager) {
        return new WriteOptions(FieldValidation.STRICT, false, manager);
    }

    private ObjectNode apply(String manager, String spec) {
        return registry.apply(Tool.DESCRIPTOR, key, Part.RESOURCE, tool(spec), false, by(manager))
                .written()
                .document();
    }

    private ObjectNode stored() {
        return registry.get(Tool.DESCRIPTOR, key);
    }

    private static JsonNode owners(ObjectNode document) {
        return document.at("/metadata/managedFields");
    }

    private static List<String> managers(ObjectNode document) {
        return owners(document)
                .valueStream()
                .map(
                        entry ->
                                entry.path("manager").asString()
                                        + "/"
                                        + entry.path("subresource").asString(""))
                .toList();
    }

    @Test
    void whatRunsInThisProcessIsAManagerToo() {
        apply("m", "{description: one}");

        Tool tool = client.get(Tool.KIND, key);
        Tool.Status status = new Tool.Status("Up", 1, List.of());
        client.updateStatus(
                Tool.KIND,
                new Tool(tool.apiVersion(), tool.kind(), tool.metadata(), tool.spec(), status));

        assertThat(managers(stored())).containsExactly("m/", "orlojd/status");
    }

    @Test
    void aTypedUpdateThatKnowsNoOwnersKeepsThem() {
        apply("m", "{description: one}");
        Tool tool = client.get(Tool.KIND, key);

        Tool unchanged = client.update(Tool.KIND, tool);

        assertThat(tool.metadata().managedFields()).isNull();
        assertThat(unchanged.metadata().resourceVersion())
                .isEqualTo(tool.metadata().resourceVersion());
        assertThat(managers(stored())).containsExactly("m/");
    }

    @Test
    void anotherTimeAloneIsNoWrite() {
        ObjectNode before = apply("m", "{description: one}");
        ObjectNode aged = before.deepCopy();
        ((ObjectNode) owners(aged).path(0)).put("time", "2001-01-01T00:00:00Z");

        ObjectNode after =
                registry.update(
                                Tool.DESCRIPTOR,
                                key,
                                Part.RESOURCE,
                                new Document(aged, List.of(), Map.of()),
                                by("n"))
                        .document();

        assertThat(after).isEqualTo(before);
    }

    @Test
    void anotherOwnerAloneIsAWriteButNoNewGeneration() {
        ObjectNode before = apply("m", "{description: one}");

        ObjectNode after = apply("n", "{description: one}");

        assertThat(managers(after)).containsExactly("m/", "n/");
        assertThat(after.at("/metadata/resourceVersion"))
                .isNotEqualTo(before.at("/metadata/resourceVersion"));
        assertThat(after.at("/metadata/generation")).isEqualTo(before.at("/metadata/generation"));
    }

    @Test
    void entriesOfAnotherViewSurviveUpdatesAndApplies() {
        ObjectNode created = apply("m", "{description: one}");
        ObjectNode entry = (ObjectNode) owners(created).path(0).deepCopy();
        entry.put("apiVersion", "other.dev/v1").put("manager", "elsewhere");
        ((ArrayNode) owners(created)).add(entry);
        registry.update(
                Tool.DESCRIPTOR,
                key,
                Part.RESOURCE,
                new Document(created, List.of(), Map.of()),
                by("n"));

        ObjectNode after = apply("m", "{description: two}");

        assertThat(managers(after)).containsExactly("elsewhere/", "m/");
    }

    /** What the account costs of storage, for a Tool as a server's reconciler makes it. */
    @Test
    void theOwnersOfAGeneratedToolAreASmallPartOfIt() {
        ObjectNode document =
                registry.create(
                                Tool.DESCRIPTOR,
                                "default",
                                tool(
                                        """
                                        {type: mcp, mcp_server_ref: s, mcp_tool_name: create_issue,
                                         agent_name: %s, title: Create an issue,
                                         description: "%s",
                                         input_schema: {type: object, properties: {%s}}}
                                        """
                                                .formatted(
                                                        key.name(),
                                                        "Creates an issue in a repository. "
                                                                .repeat(4),
                                                        "title: {type: string, description: t}")),
                                WriteOptions.PLAIN)
                        .document();

        int owners = Json.MAPPER.writeValueAsBytes(owners(document)).length;

        assertThat(managers(document)).containsExactly("orlojd/");
        assertThat(owners).isLessThan(400);
    }
}
