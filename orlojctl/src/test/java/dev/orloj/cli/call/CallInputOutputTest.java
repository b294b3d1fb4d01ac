package dev.orloj.cli.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.codec.Json;
import dev.orloj.cli.command.CommandTest;
import dev.orloj.cli.testing.CommandLineRun;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

@Timeout(30)
@DisplayName("20.6: call as a good HTTP client")
class CallInputOutputTest extends CommandTest {

    private static final String SCHEMA =
            """
            {"type": "object", "required": ["query"], "properties": {
              "limit": {"type": "integer", "minimum": 1},
              "query": {"type": "string"},
              "sort": {"enum": ["stars", "forks"]},
              "deep": {"type": "boolean", "default": true},
              "body": {"type": "string"},
              "a.b": {"type": "string"},
              "filters": {"type": "array", "items": {"type": "object", "properties": {
                "field": {"type": "string"}, "min": {"type": "integer"}}}}}}
            """;

    @TempDir private Path folder;

    @BeforeEach
    void addTools() {
        orlojd.resources().put(tool("github", "search", SCHEMA));
        orlojd.putTool(
                "github--search",
                arguments ->
                        """
                        {"content": [{"type": "text", "text": %s},
                          {"type": "image", "mimeType": "image/png", "data": "iVBORw=="},
                          {"type": "resource", "resource": {"uri": "file:///../../etc/x",
                           "mimeType": "text/html", "text": "<p>"}}]}
                        """
                                .formatted(Json.MAPPER.writeValueAsString(arguments.toString())));
    }

    private String sent(String... more) {
        String[] args = new String[more.length + 4];
        System.arraycopy(
                new String[] {"call", "github--search", "-o", "jsonpath={.content[0].text}"},
                0,
                args,
                0,
                4);
        System.arraycopy(more, 0, args, 4, more.length);
        CommandLineRun run = ctl(args);
        assertThat(run.exitCode()).as(run.err()).isZero();
        return run.out();
    }

    @Test
    void pathsSetValuesWithinArguments() {
        assertThat(
                        sent(
                                "--arg",
                                "filters.0.field=stars",
                                "--arg",
                                "filters.0.min=7",
                                "--arg",
                                "filters.1.field=7",
                                "--arg",
                                "extra.deep.0=x",
                                "--arg",
                                "a.b=c",
                                "--arg",
                                "d\\.e=f"))
                .isEqualTo(
                        "{\"filters\":[{\"field\":\"stars\",\"min\":7},{\"field\":\"7\"}],"
                                + "\"extra\":{\"deep\":[\"x\"]},\"a.b\":\"c\",\"d.e\":\"f\"}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "filters.1.field=x | so the next index is 0",
                "filters..x=1 | a part of the key is empty",
                "query=@/no/such/file | cannot read \"/no/such/file\": it is not there; for a text",
            })
    void pathsThatDoNotFitAreRefused(String argument, String error) {
        assertThat(ctl("call", "github--search", "--arg", argument).err()).contains(error);
        assertThat(orlojd.calls()).isEmpty();
    }

    @Test
    void valuesComeFromFilesAndStdin() throws IOException {
        Path text = Files.writeString(folder.resolve("body.md"), "42\n");
        Path bytes = Files.write(folder.resolve("raw"), new byte[] {(byte) 0xff, 0});

        assertThat(sent("--arg", "body=@" + text, "--arg", "query=@" + bytes, "--arg", "x=@@y"))
                .isEqualTo("{\"body\":\"42\\n\",\"query\":\"/wA=\",\"x\":\"@y\"}");
        ctlReading("{\"query\": \"in\"}", "call", "github--search", "--args", "-");
        assertThat(orlojd.calls().getLast().at("/arguments/query").asString()).isEqualTo("in");
    }

    @Test
    void exampleFitsTheSchemaAndMakesNoCall() {
        assertThat(ctl("call", "github--search", "--example", "-o", "yaml").out())
                .isEqualTo(
                        """
                        query: ""
                        limit: 1
                        sort: stars
                        deep: true
                        body: ""
                        a.b: ""
                        filters:
                        - field: ""
                          min: 0
                        """);
        assertThat(orlojd.calls()).isEmpty();
    }

    @Test
    void imagesAndFilesAreSavedAndTheCallCanBeReplayed() throws IOException {
        Path saved = folder.resolve("search");

        CommandLineRun run =
                ctl("call", "github--search", "--arg", "query=x", "--save", saved.toString());
        CommandLineRun again =
                ctl("call", "github--search", "--arg", "query=x", "--save", saved.toString());
        CommandLineRun replayed = ctl("replay", saved.toString(), "-o", "json");

        assertThat(run.err())
                .isEqualTo(
                        "saved %1$s/content-2.png\nsaved %1$s/content-3.html\n".formatted(saved));
        assertThat(again.err()).contains("content-2-1.png");
        assertThat(Files.readAllBytes(saved.resolve("content-2.png")))
                .isEqualTo(new byte[] {(byte) 0x89, 'P', 'N', 'G'});
        assertThat(Files.readString(saved.resolve("content-3.html"))).isEqualTo("<p>");
        assertThat(replayed.exitCode()).isZero();
        assertThat(orlojd.calls())
                .hasSize(3)
                .allMatch(call -> call.at("/arguments/query").asString().equals("x"));
        assertThat(ctl("replay", folder.resolve("none").toString()).err())
                .contains("cannot read the call", "orlojctl call TOOL --save DIR");
    }

    @Test
    void resultIsYamlOrATemplate() {
        assertThat(ctl("call", "github--search", "-o", "yaml").out())
                .startsWith("content:\n- type: text\n");
        assertThat(ctl("call", "github--search", "-o", "jsonpath={.content[*].type}").out())
                .isEqualTo("text image resource");
        assertThat(ctl("call", "github--search", "-o", "xml").err())
                .contains("unknown output format \"xml\"; text, json, yaml or jsonpath=...");
    }

    @Test
    void callThatIsBegunCanBeAwaited() {
        orlojd.putCall(
                "box-1.a",
                "{\"metadata\": {\"name\": \"box-1.a\"}, \"result\": {\"content\": [{\"type\":"
                        + " \"text\", \"text\": \"late\"}]}}");

        CommandLineRun run = ctl("call", "github--search", "--async", "--wait");

        assertThat(run).isEqualTo(new CommandLineRun(0, "late\n", "call box-1.a\n"));
        assertThat(ctl("call", "github--search", "--result", "box-1.a", "--wait").out())
                .isEqualTo("late\n");
        assertThat(ctl("call", "github--search", "--wait").exitCode()).isEqualTo(2);
    }

    @Test
    void waitForAResultHasAnEnd() {
        orlojd.putCall(
                "box-1.a", "{\"metadata\": {\"name\": \"box-1.a\"}, \"state\": \"Running\"}");
        orlojd.onCallRead(() -> clock.advance(Duration.ofMinutes(1)));

        CommandLineRun run =
                ctl("call", "github--search", "--result", "box-1.a", "--wait", "--timeout", "5s");

        assertThat(run.exitCode()).isEqualTo(4);
        assertThat(run.err())
                .isEqualTo("orlojctl: call \"box-1.a\" goes on; its result: --result box-1.a\n");
    }
}
