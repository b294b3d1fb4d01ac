package dev.orloj.server.attacks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.codec.Json;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What {@code docs/attacks.md} claims, and the examples of its patterns. */
final class AttackTable {

    private static final Path PAGE = Path.of("../docs/attacks.md");
    private static final String EXAMPLES = "/dev/orloj/api/findings/definitions.json";

    /** A pattern has a letter and two digits; what follows is the letter of a variant. */
    static final int PATTERN_LENGTH = 3;

    private static final Map<String, String> STOPS = stops();

    private AttackTable() {}

    /**
     * The examples of a part of the table.
     *
     * @param part {@code attacks} for definitions, or {@code results}
     */
    static List<JsonNode> examples(String part) {
        try (InputStream in =
                Objects.requireNonNull(AttackTable.class.getResourceAsStream(EXAMPLES))) {
            return Json.MAPPER.readTree(in).path(part).valueStream().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What the page says that stops the pattern of an example. */
    static String stops(String id) {
        String stops = STOPS.get(id.substring(0, PATTERN_LENGTH));
        assertThat(stops).as("row " + id).isNotNull();
        return Objects.requireNonNull(stops);
    }

    private static Map<String, String> stops() {
        try (Stream<String> lines = Files.lines(PAGE)) {
            return lines.filter(line -> line.matches("\\| [A-Z]\\d\\d (\\|.*){6}"))
                    .map(line -> line.split("\\|", -1))
                    .collect(
                            Collectors.toMap(cells -> cells[1].strip(), cells -> cells[4].strip()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
