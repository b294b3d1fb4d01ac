package dev.orloj.api.v1;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.codec.KindDescriptor;

import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The tables of {@code docs/manifest-reference.md} are those of the schemas. To write them anew:
 * {@code REFERENCE=write ./mvnw -pl api test -Dtest=ManifestReferenceTest}
 */
class ManifestReferenceTest {

    private static final Path REFERENCE = Path.of("../docs/manifest-reference.md");
    private static final Set<String> COMMON = Set.of("apiVersion", "kind", "metadata");

    @Test
    void tablesAreThoseOfTheSchemas() throws IOException {
        String written = Files.readString(REFERENCE);
        String expected = written;
        for (Map.Entry<String, String> table : tables().entrySet()) {
            expected = withTable(expected, table.getKey(), table.getValue());
        }
        if ("write".equals(System.getenv("REFERENCE"))) {
            Files.writeString(REFERENCE, expected);
        } else {
            assertThat(written).as("run again with REFERENCE=write").isEqualTo(expected);
        }
    }

    @Test
    void everyFieldIsDescribed() {
        assertThat(tables().values().stream().flatMap(String::lines))
                .filteredOn(row -> row.endsWith("|  |"))
                .isEmpty();
    }

    private static String withTable(String document, String name, String table) {
        Pattern place =
                Pattern.compile(
                        "(<!-- fields of %s -->\n).*?(<!-- end -->)".formatted(name),
                        Pattern.DOTALL);
        assertThat(document).as("the place of the table \"%s\"", name).containsPattern(place);
        return place.matcher(document)
                .replaceFirst(found -> quote(found.group(1) + table + found.group(2)));
    }

    private static String quote(String replacement) {
        return java.util.regex.Matcher.quoteReplacement(replacement);
    }

    private static Map<String, String> tables() {
        Map<String, String> tables = new TreeMap<>();
        for (KindDescriptor<?> descriptor : Kinds.SCHEME.descriptors()) {
            JsonNode properties = descriptor.schema().root().path("properties");
            List<String> rows = new ArrayList<>();
            for (Map.Entry<String, JsonNode> field : properties.properties()) {
                if (!COMMON.contains(field.getKey())) {
                    describe(field.getKey(), field.getValue(), false, rows);
                }
            }
            tables.put(nameOf(descriptor), table(rows));

            List<String> common = new ArrayList<>();
            fieldsOf("metadata", properties.path("metadata"), common);
            tables.put("metadata", table(common));
        }
        return tables;
    }

    private static String nameOf(KindDescriptor<?> descriptor) {
        String name = descriptor.kind().name();
        return descriptor.view().isEmpty()
                ? name
                : "%s of %s".formatted(name, descriptor.kind().apiVersion());
    }

    private static String table(List<String> rows) {
        return "\n| field | type | meaning |\n|---|---|---|\n" + String.join("", rows) + "\n";
    }

    private static void describe(
            String path, JsonNode schema, boolean required, List<String> rows) {
        rows.add(
                "| `%s` | %s | %s |\n"
                        .formatted(path, typeOf(schema), meaningOf(schema, required)));
        fieldsOf(path, schema, rows);
        if (schema.path("items").path("properties").isObject()) {
            fieldsOf(path + "[]", schema.path("items"), rows);
        }
    }

    private static void fieldsOf(String path, JsonNode schema, List<String> rows) {
        for (Map.Entry<String, JsonNode> field : schema.path("properties").properties()) {
            boolean required =
                    schema.path("required")
                            .valueStream()
                            .anyMatch(name -> name.asString().equals(field.getKey()));
            describe(path + "." + field.getKey(), field.getValue(), required, rows);
        }
    }

    private static String typeOf(JsonNode schema) {
        String type = schema.path("type").asString("any");
        return switch (type) {
            case "array" -> "list of " + typeOf(schema.path("items"));
            case "object" -> schema.has("additionalProperties") ? "map of strings" : "object";
            case "string" -> schema.path("format").asString("string").replace("date-time", "time");
            default -> type;
        };
    }

    private static String meaningOf(JsonNode schema, boolean required) {
        StringBuilder meaning = new StringBuilder();
        if (required) {
            meaning.append("**Required.** ");
        }
        meaning.append(schema.path("description").asString("").replace("|", "\\|"));
        if (schema.has("enum")) {
            meaning.append(
                    schema.path("enum")
                            .valueStream()
                            .map(value -> "`" + value.asString() + "`")
                            .collect(Collectors.joining(", ", " One of ", ".")));
        }
        if (schema.path("default").isValueNode()) {
            meaning.append(" Default: `").append(schema.path("default").asString()).append("`.");
        }
        return meaning.toString().strip();
    }
}
