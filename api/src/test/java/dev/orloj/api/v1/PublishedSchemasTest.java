package dev.orloj.api.v1;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.codec.Json;
import dev.orloj.api.jsonschema.ManifestSchemas;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The files of {@code schemas/} are those that this version makes. To write them anew: {@code
 * REFERENCE=write ./mvnw -pl api test -Dtest=PublishedSchemasTest}
 */
@DisplayName("20.9: the JSON Schemas of the distribution")
class PublishedSchemasTest {

    private static final Path FOLDER = Path.of("../schemas");

    /** Those of draft 7, and patternErrorMessage of VS Code. */
    private static final Set<String> KEYWORDS =
            Set.of(
                    "$schema",
                    "$ref",
                    "title",
                    "description",
                    "type",
                    "enum",
                    "const",
                    "default",
                    "required",
                    "properties",
                    "additionalProperties",
                    "maxProperties",
                    "items",
                    "maxItems",
                    "uniqueItems",
                    "minLength",
                    "maxLength",
                    "pattern",
                    "patternErrorMessage",
                    "format",
                    "contentEncoding",
                    "minimum",
                    "maximum",
                    "allOf",
                    "anyOf",
                    "if",
                    "then",
                    "definitions");

    @Test
    void filesAreThoseOfTheKinds() throws IOException {
        Map<String, String> expected = new TreeMap<>();
        ManifestSchemas.files(Kinds.SCHEME)
                .forEach((name, schema) -> expected.put(name, ManifestSchemas.text(schema)));
        if ("write".equals(System.getenv("REFERENCE"))) {
            for (Path old : files()) {
                Files.delete(old);
            }
            for (Map.Entry<String, String> file : expected.entrySet()) {
                Files.writeString(FOLDER.resolve(file.getKey()), file.getValue());
            }
        }
        Map<String, String> written = new TreeMap<>();
        for (Path file : files()) {
            written.put(file.getFileName().toString(), Files.readString(file));
        }

        assertThat(written).as("run again with REFERENCE=write").isEqualTo(expected);
    }

    private static List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(FOLDER)) {
            return files.filter(file -> file.toString().endsWith(".json")).toList();
        }
    }

    /** What no editor knows would be ignored: the schema would promise what it does not check. */
    @Test
    void keywordsAreThoseThatEditorsKnow() {
        List<String> foreign = new ArrayList<>();
        ManifestSchemas.files(Kinds.SCHEME)
                .forEach((name, schema) -> visit(name, schema, foreign, new ArrayList<>()));

        assertThat(foreign).isEmpty();
    }

    @Test
    void everyFieldIsDescribed() {
        List<String> undescribed = new ArrayList<>();
        ManifestSchemas.files(Kinds.SCHEME).entrySet().stream()
                .filter(file -> !file.getKey().equals(ManifestSchemas.ANY))
                .forEach(
                        file ->
                                visit(
                                        file.getKey(),
                                        file.getValue(),
                                        new ArrayList<>(),
                                        undescribed));

        assertThat(undescribed).isEmpty();
    }

    private static void visit(
            String path, JsonNode schema, List<String> foreign, List<String> undescribed) {
        for (Map.Entry<String, JsonNode> keyword : schema.properties()) {
            String name = keyword.getKey();
            JsonNode value = keyword.getValue();
            if (!KEYWORDS.contains(name)) {
                foreign.add(path + "." + name);
            }
            switch (name) {
                case "properties" ->
                        value.propertyStream()
                                .forEach(
                                        field -> {
                                            String child = path + "." + field.getKey();
                                            if (!field.getValue().has("description")) {
                                                undescribed.add(child);
                                            }
                                            visit(child, field.getValue(), foreign, undescribed);
                                        });
                case "definitions" ->
                        value.propertyStream()
                                .forEach(
                                        kind ->
                                                visit(
                                                        path + "#" + kind.getKey(),
                                                        kind.getValue(),
                                                        foreign,
                                                        undescribed));
                case "items", "additionalProperties" ->
                        visit(path + "[]", value, foreign, undescribed);
                default -> {}
            }
        }
    }

    /** A field that the API would not take is an error in the editor, too. */
    @Test
    void fieldsThatNoKindHasAreErrors() {
        ObjectNode server = ManifestSchemas.of(McpServer.DESCRIPTOR);

        assertThat(server.at("/properties/spec/additionalProperties")).isEqualTo(json("false"));
        assertThat(server.at("/properties/spec/properties/env/items/additionalProperties"))
                .isEqualTo(json("false"));
        assertThat(server.at("/properties/metadata/properties/labels/additionalProperties"))
                .isEqualTo(json("{\"type\": \"string\"}"));
        assertThat(
                        ManifestSchemas.of(Tool.DESCRIPTOR)
                                .at("/properties/spec/properties/input_schema")
                                .has("additionalProperties"))
                .isFalse();
    }

    /** The format "duration" of JSON Schema is that of ISO 8601. */
    @Test
    void formatsOfOurOwnArePatterns() {
        JsonNode spec = ManifestSchemas.of(McpServer.DESCRIPTOR).at("/properties/spec/properties");

        assertThat(spec.at("/timeout").has("format")).isFalse();
        assertThat("1h30m").matches(spec.at("/timeout/pattern").asString());
        assertThat("PT1M").doesNotMatch(spec.at("/timeout/pattern").asString());
        assertThat("512Mi").matches(spec.at("/resources/properties/memory/pattern").asString());
        assertThat("500m").matches(spec.at("/resources/properties/cpus/pattern").asString());
        assertThat(spec.at("/timeout/patternErrorMessage").asString())
                .startsWith("must be a duration such as");
    }

    private static JsonNode json(String text) {
        return Json.MAPPER.readTree(text);
    }
}
