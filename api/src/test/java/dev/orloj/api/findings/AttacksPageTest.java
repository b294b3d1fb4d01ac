package dev.orloj.api.findings;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The findings in {@code docs/attacks.md} are those of the table of attacks. The variants of a
 * pattern, such as A01b, are in the row of the pattern, A01.
 */
class AttacksPageTest {

    private static final Path PAGE = Path.of("../docs/attacks.md");
    private static final int ID_LENGTH = 3;
    private static final String NOT_PUBLISHED = "—";

    private record Row(String id, String stops, String findings, String published) {}

    @Test
    void findingsAreThoseOfTheTable() throws IOException {
        Map<String, String> expected = new TreeMap<>();
        Map<String, List<JsonNode>> patterns =
                DefinitionTableTest.attacks()
                        .collect(
                                Collectors.groupingBy(
                                        row -> row.path("id").asString().substring(0, ID_LENGTH)));
        patterns.forEach((id, variants) -> expected.put(id, findings(variants)));
        Map<String, String> written = new TreeMap<>();
        for (Row row : rows()) {
            assertThat(written.put(row.id(), row.findings())).as("second row " + row.id()).isNull();
            expected.putIfAbsent(row.id(), "not examined");
        }

        assertThat(written).isEqualTo(expected);
    }

    @Test
    void pageHasSixtyPublishedPatternsAndSaysWhatStopsEach() throws IOException {
        List<Row> rows = rows();

        assertThat(rows).noneMatch(row -> row.stops().isEmpty() || row.published().isEmpty());
        assertThat(rows.stream().filter(row -> !row.published().equals(NOT_PUBLISHED)))
                .hasSizeGreaterThanOrEqualTo(60);
    }

    private static String findings(List<JsonNode> variants) {
        Set<String> ids = new TreeSet<>();
        boolean isMissed = false;
        for (JsonNode variant : variants) {
            isMissed |= variant.path("expect").isString();
            variant.path("expect").forEach(id -> ids.add("`" + id.asString() + "`"));
        }
        if (ids.isEmpty()) {
            return "none";
        }
        return String.join(", ", ids) + (isMissed ? "; of some, none" : "");
    }

    private static List<Row> rows() throws IOException {
        return Files.readAllLines(PAGE).stream()
                .filter(line -> line.matches("\\| [A-Z]\\d\\d \\|.*"))
                .map(AttacksPageTest::row)
                .toList();
    }

    private static Row row(String line) {
        String[] cells = line.split("\\|", -1);
        assertThat(cells).as(line).hasSize(8);
        return new Row(cells[1].strip(), cells[4].strip(), cells[5].strip(), cells[6].strip());
    }
}
