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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The findings in {@code docs/attacks.md} are those of the table of attacks, and its tests are
 * those that run the rows as servers. The variants of a pattern, such as A01b, are in the row of
 * the pattern, A01.
 */
class AttacksPageTest {

    private static final Path PAGE = Path.of("../docs/attacks.md");
    private static final int ID_LENGTH = 3;
    private static final String NOT_PUBLISHED = "—";

    /** A test, the path of its file, and the rows that it runs. */
    private static final Pattern TEST =
            Pattern.compile("\\| \\[`(\\w+)`]\\((.+/\\1\\.java)\\) \\| (.+) \\|");

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

    @Test
    void pageSaysWhichTestRunsWhichRow() throws IOException {
        Map<String, Set<String>> expected = new TreeMap<>();
        DefinitionTableTest.table()
                .path("runs")
                .properties()
                .forEach(test -> test.getValue().forEach(id -> add(expected, test.getKey(), id)));
        DefinitionTableTest.attacks()
                .forEach(row -> add(expected, "DefinitionAttacksTest", row.path("id")));
        DefinitionTableTest.rows("results")
                .forEach(row -> add(expected, "ResultAttacksTest", row.path("id")));

        assertThat(testsOfThePage()).isEqualTo(expected);
    }

    @Test
    void eachRowIsRunAsAServerOrThePageSaysWhyNot() throws IOException {
        Set<String> run = new TreeSet<>();
        testsOfThePage().values().forEach(run::addAll);
        Set<String> notRun = new TreeSet<>();
        DefinitionTableTest.table().path("notRun").forEach(id -> notRun.add(id.asString()));
        Set<String> reasons = new TreeSet<>();
        lines("\\| [A-Z]\\d\\d \\| [^|]+ \\|").forEach(line -> reasons.add(line.substring(2, 5)));

        assertThat(run).doesNotContainAnyElementsOf(notRun);
        assertThat(reasons).isEqualTo(notRun);
        run.addAll(notRun);
        assertThat(run).containsExactlyInAnyOrderElementsOf(rows().stream().map(Row::id).toList());
    }

    private static void add(Map<String, Set<String>> tests, String test, JsonNode id) {
        tests.computeIfAbsent(test, _ -> new TreeSet<>())
                .add(id.asString().substring(0, ID_LENGTH));
    }

    /** The rows that each test runs. */
    private static Map<String, Set<String>> testsOfThePage() throws IOException {
        Map<String, Set<String>> tests = new TreeMap<>();
        for (String line : lines("\\| \\[`\\w+Test`]\\(.*")) {
            Matcher test = TEST.matcher(line);
            assertThat(test.matches()).as(line).isTrue();
            assertThat(PAGE.resolveSibling(test.group(2))).exists();
            tests.put(test.group(1), new TreeSet<>(List.of(test.group(3).split(", "))));
        }
        return tests;
    }

    private static List<String> lines(String pattern) throws IOException {
        return Files.readAllLines(PAGE).stream().filter(line -> line.matches(pattern)).toList();
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
        return lines("\\| [A-Z]\\d\\d (\\|.*){6}").stream().map(AttacksPageTest::row).toList();
    }

    private static Row row(String line) {
        String[] cells = line.split("\\|", -1);
        assertThat(cells).as(line).hasSize(8);
        return new Row(cells[1].strip(), cells[4].strip(), cells[5].strip(), cells[6].strip());
    }
}
