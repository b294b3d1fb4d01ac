package dev.orloj.controllers.compact;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.ObjectMeta;
import dev.orloj.api.codec.Json;
import dev.orloj.api.v1.Tool;

import org.junit.jupiter.api.Test;

import tools.jackson.databind.node.ObjectNode;

import java.util.List;
import java.util.Map;

/** H-02: the Tools of a large server fit into the heap. */
class CompactToolsTest {

    private static final String DEFINITION =
            """
            {"name": "t", "title": "T", "description": "Does it.", "future": {"deep": [[1.10, null]]},
             "inputSchema": {"type": "object", "b": 1, "a": 2, "required": ["x"], "properties": {
               "c1": {}, "c2": {}, "c3": {}, "c4": {}, "c5": {}, "c6": {}, "c7": {}, "c8": {}, "c9": {}}}}
            """;

    private final CompactTools compact = new CompactTools();

    @Test
    void compactToolIsTheSameToolDownToTheOrderOfItsFields() {
        Tool tool = tool("one");

        Tool compacted = compact.apply(tool);

        assertThat(compacted).isEqualTo(tool);
        assertThat(Json.MAPPER.writeValueAsString(compacted))
                .isEqualTo(Json.MAPPER.writeValueAsString(tool));
        ObjectNode copy = compacted.spec().listed().deepCopy();
        copy.withObject("/inputSchema").put("added", 1);
        assertThat(compacted).as("a copy can be changed").isEqualTo(tool);
    }

    @Test
    void whatToolsHaveInCommonIsHeldOnce() {
        Tool one = compact.apply(tool("one"));
        Tool two = compact.apply(tool("two"));

        assertThat(two.metadata().labels()).isSameAs(one.metadata().labels());
        assertThat(two.metadata().namespace()).isSameAs(one.metadata().namespace());
        assertThat(two.spec().definition().inputSchema().get("type"))
                .isSameAs(one.spec().definition().inputSchema().get("type"));
    }

    private static Tool tool(String name) {
        ObjectMeta metadata =
                ObjectMeta.of(new String("default"), name)
                        .withLabels(Map.of(Tool.SERVER_LABEL, "s", Tool.GENERATED_LABEL, "true"))
                        .withOwnerReferences(List.of());
        ObjectNode definition = (ObjectNode) Json.MAPPER.readTree(DEFINITION);
        return Tool.of(metadata, Tool.Spec.of("s", "s__" + name, definition));
    }
}
