package dev.orloj.controllers.mcpserver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.ObjectMeta;
import dev.orloj.api.approval.ServingPolicy;
import dev.orloj.api.client.Write;
import dev.orloj.api.codec.Json;
import dev.orloj.api.codec.ResourceCodec;
import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.Tool;
import dev.orloj.controllers.mcpserver.definition.McpServerView;
import dev.orloj.controllers.mcpserver.definition.Resolution;
import dev.orloj.controllers.mcpserver.tools.ToolPlan;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * What becomes of a definition: {@code CASE.definition.json} goes in, {@code CASE.tool.json} comes
 * out.
 */
class GeneratedToolGoldenTest {

    private static final String DEFINITION = ".definition.json";
    private static final String TOOL = ".tool.json";

    private static Path folder() throws URISyntaxException {
        URL url = Objects.requireNonNull(GeneratedToolGoldenTest.class.getResource("tools"));
        return Path.of(url.toURI());
    }

    private static List<String> files(String ending) throws IOException, URISyntaxException {
        try (Stream<Path> files = Files.list(folder())) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(ending))
                    .map(name -> name.substring(0, name.length() - ending.length()))
                    .sorted()
                    .toList();
        }
    }

    private static ObjectNode read(String file) throws IOException, URISyntaxException {
        return (ObjectNode) Json.MAPPER.readTree(Files.readString(folder().resolve(file)));
    }

    private static Tool generated(ObjectNode definition) {
        McpServer server =
                ResourceCodec.fromDocument(
                        McpServer.KIND,
                        (ObjectNode)
                                Json.MAPPER.readTree(
                                        """
                                        {"apiVersion": "orloj.dev/v1", "kind": "McpServer",
                                         "metadata": {"name": "weather", "namespace": "default",
                                                      "uid": "6f1c3a52-0000-4000-8000-000000000001"},
                                         "spec": {"transport": "stdio", "command": "x"}}
                                        """));
        McpServerView view =
                new McpServerView(
                        server,
                        new Resolution.Refused("Unused", "Unused"),
                        ServingPolicy.NONE,
                        List.of(),
                        name -> false,
                        name -> false);
        ToolPlan plan = ToolPlan.of(view, List.of(definition));
        assertThat(plan.writes()).hasSize(1);
        return ((Write.Create<Tool>) plan.writes().getFirst()).resource();
    }

    @TestFactory
    Stream<DynamicTest> definitionsBecomeTools() throws IOException, URISyntaxException {
        return files(DEFINITION).stream()
                .map(
                        name ->
                                DynamicTest.dynamicTest(
                                        name,
                                        () -> {
                                            Tool tool = generated(read(name + DEFINITION));
                                            assertThat(ResourceCodec.toDocument(tool))
                                                    .isEqualTo(read(name + TOOL));
                                        }));
    }

    /** Through the store and back, nothing of the definition is lost. */
    @TestFactory
    Stream<DynamicTest> definitionsComeOutAsTheyWentIn() throws IOException, URISyntaxException {
        return files(DEFINITION).stream()
                .map(
                        name ->
                                DynamicTest.dynamicTest(
                                        name,
                                        () -> {
                                            ObjectNode definition = read(name + DEFINITION);
                                            Tool stored =
                                                    ResourceCodec.fromDocument(
                                                            Tool.KIND,
                                                            ResourceCodec.toDocument(
                                                                    generated(definition)));
                                            assertThat(stored.spec().listed())
                                                    .isEqualTo(definition);
                                        }));
    }

    @Test
    void noFileIsUnused() throws IOException, URISyntaxException {
        assertThat(files(TOOL)).isEqualTo(files(DEFINITION)).isNotEmpty();
        assertThat(new TreeSet<>(files(".json"))).hasSize(2 * files(TOOL).size());
    }

    @Test
    void unchangedDefinitionWritesNothingHoweverItsNumbersAreWritten()
            throws IOException, URISyntaxException {
        Tool tool = generated(read("everything" + DEFINITION));
        ObjectNode asStored = ResourceCodec.toDocument(tool);
        asStored.withObject("/spec/input_schema/properties/limit").put("maximum", 1000);
        Tool stored = ResourceCodec.fromDocument(Tool.KIND, asStored);
        ObjectMeta owner = tool.metadata();
        McpServerView view =
                new McpServerView(
                        ResourceCodec.fromDocument(
                                McpServer.KIND,
                                (ObjectNode)
                                        Json.MAPPER.readTree(
                                                """
                                                {"apiVersion": "orloj.dev/v1", "kind": "McpServer",
                                                 "metadata": {"name": "weather", "namespace": "default",
                                                              "uid": "%s"},
                                                 "spec": {"transport": "stdio", "command": "x"}}
                                                """
                                                        .formatted(
                                                                owner.controller()
                                                                        .orElseThrow()
                                                                        .uid()))),
                        new Resolution.Refused("Unused", "Unused"),
                        ServingPolicy.NONE,
                        List.of(stored),
                        name -> true,
                        name -> true);

        ToolPlan plan = ToolPlan.of(view, List.of(read("everything" + DEFINITION)));

        assertThat(plan.writes()).isEmpty();
        assertThat(plan.generated()).containsExactly("weather--get-structured.content");
    }
}
