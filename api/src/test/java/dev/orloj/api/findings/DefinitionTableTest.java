package dev.orloj.api.findings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.codec.Json;

import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/** Runs the table of attacks and of honest definitions that look like some. */
@NullUnmarked
class DefinitionTableTest {

    private static final Map<String, Definition.Kind> KINDS =
            Map.of(
                    "tool", Definition.Kind.TOOL,
                    "prompt", Definition.Kind.PROMPT,
                    "resource", Definition.Kind.RESOURCE,
                    "template", Definition.Kind.RESOURCE_TEMPLATE);

    static JsonNode table() throws IOException {
        try (InputStream in =
                Objects.requireNonNull(
                        DefinitionTableTest.class.getResourceAsStream("definitions.json"))) {
            return Json.MAPPER.readTree(in);
        }
    }

    static Stream<JsonNode> rows(String part) throws IOException {
        return table().path(part).valueStream();
    }

    static Stream<JsonNode> attacks() throws IOException {
        return rows("attacks");
    }

    static Stream<JsonNode> honest() throws IOException {
        return rows("honest");
    }

    private static List<DefinitionFinding> examine(JsonNode row) {
        Definition definition = definition(row);
        Set<String> own = new HashSet<>(Set.of(definition.name().toLowerCase(Locale.ROOT)));
        row.path("own").forEach(tool -> own.add(tool.asString()));
        DefinitionExaminer examiner = new DefinitionExaminer(definition);
        List<DefinitionFinding> findings = new ArrayList<>(examiner.examine());
        findings.addAll(
                examiner.compare(
                        own,
                        Others.of(
                                row.path("known")
                                        .valueStream()
                                        .map(
                                                tool ->
                                                        new KnownTools.KnownTool(
                                                                tool.path(0).asString(),
                                                                tool.path(1).asString(),
                                                                tool.path(2).asString()))
                                        .toList())));
        findings.sort(DefinitionFinding.WORST_FIRST);
        return findings;
    }

    private static Definition definition(JsonNode row) {
        if (row.has("instructions")) {
            return Definition.instructions(row.path("instructions").asString());
        }
        String kind = KINDS.keySet().stream().filter(row::has).findFirst().orElseThrow();
        return new Definition(KINDS.get(kind), (ObjectNode) row.path(kind));
    }

    @ParameterizedTest
    @MethodSource("attacks")
    void attackHasWhatTheTableSays(JsonNode row) {
        List<DefinitionFinding> findings = examine(row);
        List<String> ids = findings.stream().map(DefinitionFinding::id).toList();
        if (row.path("expect").isString()) {
            assertThat(findings).as(row.toString()).isEmpty();
            return;
        }
        row.path("expect")
                .forEach(id -> assertThat(ids).as(row.toString()).contains(id.asString()));
        FindingSeverity least = FindingSeverity.valueOf(row.path("atLeast").asString("LOW"));
        assertThat(findings.getFirst().severity().reaches(least)).as(row + " " + findings).isTrue();
    }

    @ParameterizedTest
    @MethodSource("honest")
    void honestDefinitionHasNothingWorse(JsonNode row) {
        List<DefinitionFinding> findings = examine(row);
        String highest = row.path("highest").asString();
        if (highest.equals("none")) {
            assertThat(findings).as(row.toString()).isEmpty();
        } else {
            assertThat(findings)
                    .as(row.toString())
                    .allMatch(f -> FindingSeverity.valueOf(highest).reaches(f.severity()));
        }
    }

    @Test
    void tableHasSixtyPatternsAndSaysWhichAreNotFound() throws IOException {
        List<JsonNode> rows = attacks().toList();
        assertThat(rows.stream().map(row -> row.path("id").asString()).distinct()).hasSize(98);
        assertThat(rows.stream().filter(row -> row.path("expect").isString())).hasSize(10);
    }

    @Test
    void everyRuleIsInTheTable() throws IOException {
        List<String> expected =
                attacks()
                        .flatMap(row -> row.path("expect").valueStream())
                        .map(JsonNode::asString)
                        .toList();
        for (FindingRule rule : FindingRule.values()) {
            if (rule != FindingRule.NOT_EXAMINED && rule != FindingRule.SENSITIVE_PATH) {
                assertThat(expected).contains(rule.id());
            }
        }
    }
}
