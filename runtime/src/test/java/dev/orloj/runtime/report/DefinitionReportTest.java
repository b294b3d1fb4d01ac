package dev.orloj.runtime.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.codec.Json;
import dev.orloj.api.report.Finding;
import dev.orloj.runtime.listing.ToolListing;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.List;

@DisplayName("issue 20, item 5: the definitions of tools")
class DefinitionReportTest {

    private static ObjectNode tool(String json) {
        ObjectNode tool = (ObjectNode) Json.MAPPER.readTree(json);
        if (!tool.has("description")) {
            tool.put("description", "Does it.");
        }
        return tool;
    }

    private static ObjectNode named(String name) {
        ObjectNode tool = tool("{\"inputSchema\": {\"type\": \"object\"}}");
        return tool.put("name", name);
    }

    private static DefinitionReport report(ObjectNode... tools) {
        return DefinitionReport.of(new ToolListing(List.of(tools), List.of(), List.of()));
    }

    private static List<String> ids(ObjectNode... tools) {
        return report(tools).findings().stream().map(Finding::id).toList();
    }

    @ParameterizedTest
    @CsvSource({
        "read_file, false",
        "delete_file, true",
        "dropTable, true",
        "db.drop-table, true",
        "list_delete_markers, false",
        "deleted_items, false",
        "getPurge, false",
        "kill, true"
    })
    void nameSaysWhetherAToolDestroys(String name, boolean destroys) {
        assertThat(ids(named(name)).contains("destructive-not-annotated")).isEqualTo(destroys);
    }

    @Test
    void annotationMustSayThatAToolDestroys() {
        ObjectNode honest = named("delete_all");
        honest.withObject("/annotations").put("destructiveHint", true);
        ObjectNode false_ = honest.deepCopy();
        false_.withObject("/annotations").put("readOnlyHint", true);

        assertThat(ids(honest)).isEmpty();
        assertThat(ids(false_)).containsExactly("destructive-not-annotated");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'type': 'object', 'properties': {'a': {'type': 'string'}}} | ",
                "{} | schema-invalid",
                "{'type': 'array'} | schema-invalid",
                "7 | schema-invalid",
                "{'type': 'object', 'required': 'a'} | schema-invalid",
                "{'type': 'object', 'properties': {'a': {'$ref': '#/$defs/b'}}, '$defs': {'b': {}}}"
                        + " | ",
                "{'type': 'object', 'properties': {'a': {'$ref': 'http://x.org/y'}}} |"
                        + " schema-remote-ref",
                "{'type': 'object', 'properties': {'$ref': {'type': 'string'}}} | ",
            })
    void schemaIsValidAndRefersToItself(String schema, String finding) {
        ObjectNode tool = named("a");
        tool.set("inputSchema", Json.MAPPER.readTree(schema.replace('\'', '"')));

        assertThat(ids(tool)).isEqualTo(finding == null ? List.of() : List.of(finding));
    }

    @Test
    void schemaThatIsHugeOrDeepIsNotCompiled() {
        ObjectNode huge = named("huge");
        huge.withObject("/inputSchema").put("description", "x".repeat(70_000));
        ObjectNode deep = named("deep");
        ObjectNode level = deep.withObject("/inputSchema");
        for (int i = 0; i < 400; i++) {
            level = level.putObject("not");
        }

        assertThat(ids(huge)).containsExactly("schema-too-large");
        assertThat(ids(deep)).containsExactly("schema-too-large");
    }

    @Test
    void findingStaysShortHoweverManyToolsHaveIt() {
        List<ObjectNode> tools = new ArrayList<>();
        for (int i = 0; i < 5_000; i++) {
            tools.add(named("delete " + "x".repeat(500) + i));
        }

        DefinitionReport report = report(tools.toArray(ObjectNode[]::new));

        assertThat(report.findings()).hasSize(3);
        assertThat(report.findings())
                .allSatisfy(f -> assertThat(f.message()).hasSizeLessThanOrEqualTo(1_001));
        assertThat(report.findings())
                .filteredOn(f -> f.id().equals("tool-name-invalid"))
                .singleElement()
                .satisfies(f -> assertThat(f.message()).endsWith("; and 4,997 more"));
    }

    @Test
    void orderIsThatOfTheNames() {
        DefinitionReport one = report(named("a"), named("b"));

        assertThat(report(named("b"), named("a")).isReorderingOf(one)).isTrue();
        assertThat(report(named("a"), named("b")).isReorderingOf(one)).isFalse();
        assertThat(report(named("b"), named("c")).isReorderingOf(one)).isFalse();
        assertThat(report(named("b"), named("c")).hasToolsOf(one)).isFalse();
    }

    @Test
    void tokensGrowWithTheDefinitions() {
        ObjectNode long_ = named("a");
        long_.put("description", "x".repeat(200_000));

        assertThat(report(named("a")).tokens()).isBetween(5L, 20L);
        assertThat(report(long_).tokens()).isBetween(50_000L, 50_020L);
        assertThat(ids(long_)).containsExactly("definitions-costly");
    }
}
