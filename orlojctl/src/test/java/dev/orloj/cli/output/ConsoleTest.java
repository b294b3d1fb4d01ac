package dev.orloj.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.codec.Json;

import org.junit.jupiter.api.Test;

import tools.jackson.databind.node.ObjectNode;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;

/** H-18: what a terminal obeys does not get there. */
class ConsoleTest {

    private static final String HOSTILE = "\u001b]0;owned\u0007\u009b31m\u202e\u007f\rx";
    private static final String VISIBLE = "\\u001b]0;owned\\u0007\\u009b31m\\u202e\\u007f\\u000dx";

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private String printed() {
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    void terminalGetsNoControlCharacters() {
        Console console = Console.of(out, err, true);

        console.out().print(HOSTILE + "\n\tplain \u00e9\n");
        console.err().print(HOSTILE + "\n");

        assertThat(console.flush()).isTrue();
        assertThat(printed()).isEqualTo(VISIBLE + "\n\tplain \u00e9\n");
        assertThat(err.toString(StandardCharsets.UTF_8)).isEqualTo(VISIBLE + "\n");
    }

    @Test
    void programThatReadsAlongGetsTheBytesAsTheyAre() {
        Console console = Console.of(out, err, false);

        console.out().print(HOSTILE);

        assertThat(console.flush()).isTrue();
        assertThat(printed()).isEqualTo(HOSTILE);
    }

    /** They are for people, who may read them through a pipe as well. */
    @Test
    void tablesAndDescriptionsAreVisibleEverywhere() {
        Console console = Console.of(out, err, false);
        ObjectNode resource = Json.MAPPER.createObjectNode();
        resource.withObject("/metadata").put("name", HOSTILE);
        resource.withObject("/metadata/labels").put(HOSTILE, HOSTILE);
        resource.withObject("/spec").put("command", HOSTILE);

        new TablePrinter(console.out(), TablePrinter.Layout.WHOLE)
                .print(List.of(List.of("NAME"), List.of(HOSTILE, HOSTILE)));
        new Description(console.out(), Instant.EPOCH).print(resource);

        assertThat(console.flush()).isTrue();
        assertThat(printed())
                .contains("owned")
                .doesNotContain("\u001b", "\u0007", "\u009b", "\u202e", "\u007f", "\r");
    }
}
