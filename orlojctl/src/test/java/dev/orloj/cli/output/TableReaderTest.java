package dev.orloj.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;

class TableReaderTest {

    private static Optional<TextTable> read(String json) {
        return TableReader.read(json.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void unknownFieldsAreSkippedWhereverTheyAre() {
        TextTable table =
                read("""
                {"x": {"kind": "No"}, "kind": "Table", "apiVersion": "meta.k8s.io/v1",
                 "metadata": {"resourceVersion": "7", "continue": "c", "y": [{}]},
                 "columnDefinitions": [{"name": "Name", "type": "string", "z": {"a": 1}},
                                       {"name": "Extra", "priority": 1}],
                 "rows": [{"cells": ["a", null], "conditions": [1],
                           "object": {"kind": "PartialObjectMetadata", "metadata":
                             {"labels": {"name": "no"}, "name": "a", "namespace": "n",
                              "resourceVersion": "3"}, "w": 1}},
                          {"cells": ["b", 5, true, {"c": []}], "object": null}]}
                """)
                        .orElseThrow();

        assertThat(table.version()).isEqualTo("7");
        assertThat(table.continueToken()).isEqualTo("c");
        assertThat(table.columns())
                .containsExactly(
                        new TextTable.Column("Name", false), new TextTable.Column("Extra", true));
        assertThat(table.rows().getFirst())
                .isEqualTo(
                        new TextTable.Row(
                                "n", "a", "3", Map.of("name", "no"), List.of("a", "<none>")));
        assertThat(table.rows().get(1).cells()).containsExactly("b", "5", "true", "<structure>");
    }

    @Test
    void nullsStandForNothing() {
        TextTable table =
                read("{\"kind\":\"Table\",\"metadata\":null,\"columnDefinitions\":null,"
                                + "\"rows\":null}")
                        .orElseThrow();

        assertThat(table.rows()).isEmpty();
        assertThat(table.columns()).isEmpty();
    }

    @Test
    @DisplayName("20.7: texts of a table have every escape of JSON")
    void escapesAreRead() {
        TextTable table =
                read("""
                {"kind":"Table","columnDefinitions":[{"name":"A"}],
                 "rows":[{"cells":["a \\"b\\" \\\\ \\/ \\u017e\\ud83d\\ude00 ž", -1.50e3]}]}
                """)
                        .orElseThrow();

        assertThat(table.rows().getFirst().cells())
                .containsExactly("a \"b\" \\ / ž\ud83d\ude00 ž", "-1.50e3");
    }

    @ParameterizedTest
    @DisplayName("20.7: what is no JSON is no table")
    @ValueSource(
            strings = {
                "{\"kind\":\"Table\"",
                "{\"kind\":\"Table",
                "{\"kind\":\"Table\\",
                "{\"kind\":\"Table\\x\"}",
                "{\"kind\":\"Table\\u00g0\"}",
                "{\"kind\":\"Table\" \"rows\":[]}",
                "{\"kind\":\"Table\",\"rows\":[}",
                "{\"kind\":\"Table\",\"rows\":[{\"cells\":[\"a\"",
                "{\"kind\":\"Table\",\"x\":[[[[",
                "{\"kind\":\"Table\",\"x\":}",
                "{\"kind\":\"Table\"} {}",
                "<html>",
            })
    void whatIsNoJsonIsNoTable(String text) {
        assertThat(read(text)).isEmpty();
    }

    @Test
    @DisplayName("20.7: depth does not end the program")
    void whatIsTooDeepIsNoTable() {
        String deep = "[".repeat(100_000) + "]".repeat(100_000);

        assertThat(read("{\"x\":" + deep + ",\"kind\":\"Table\"}")).isEmpty();
    }

    @Test
    void whatIsNoTableIsNotTakenForOne() {
        assertThat(read("{\"kind\": \"ToolList\", \"items\": []}")).isEmpty();
        assertThat(read("[]")).isEmpty();
        assertThat(read("")).isEmpty();
    }
}
