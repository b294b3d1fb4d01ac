package dev.orloj.cli.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.codec.Json;
import dev.orloj.cli.command.CommandTest;
import dev.orloj.cli.testing.CommandLineRun;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.ArrayList;
import java.util.List;

class CallCommandTest extends CommandTest {

    private static final String SCHEMA =
            """
            {"type": "object", "properties": {
              "message": {"type": "string"}, "count": {"type": "integer"},
              "ratio": {"type": "number"}, "deep": {"type": "boolean"},
              "tags": {"type": "array", "items": {"type": "string"}},
              "options": {"type": "object"}, "maybe": {"type": ["string", "null"]}, "any": {}}}
            """;

    @BeforeEach
    void addTools() {
        orlojd.resources().put(tool("everything", "echo", SCHEMA));
        orlojd.putTool(
                "everything--echo",
                arguments ->
                        "{\"content\": [{\"type\": \"text\", \"text\": %s}]}"
                                .formatted(Json.MAPPER.writeValueAsString(arguments.toString())));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "message=hello | {\"message\":\"hello\"}",
                "message=42 | {\"message\":\"42\"}",
                "message={\"a\":1} | {\"message\":\"{\\\"a\\\":1}\"}",
                "message= | {\"message\":\"\"}",
                "message=a=b | {\"message\":\"a=b\"}",
                "count=42 | {\"count\":42}",
                "count=12345678901234567890123 | {\"count\":12345678901234567890123}",
                "count=many | {\"count\":\"many\"}",
                "ratio=1 | {\"ratio\":1}",
                "ratio=0.10 | {\"ratio\":0.10}",
                "deep=true | {\"deep\":true}",
                "tags=[\"a\",\"b\"] | {\"tags\":[\"a\",\"b\"]}",
                "tags=a | {\"tags\":[\"a\"]}",
                "options={\"a\":null} | {\"options\":{\"a\":null}}",
                "maybe=null | {\"maybe\":null}",
                "maybe=text | {\"maybe\":\"text\"}",
                "any=7 | {\"any\":7}",
                "unknown=x y | {\"unknown\":\"x y\"}",
                "unknown=false | {\"unknown\":false}",
            })
    void argumentsAreReadByTheirTypes(String argument, String expected) {
        assertThat(ctl("call", "everything--echo", "--arg", argument).out())
                .isEqualTo(expected + "\n");
    }

    @Test
    void repeatedArgumentMakesAList() {
        assertThat(ctl("call", "everything--echo", "-a", "tags=a", "-a", "tags=2").out())
                .isEqualTo("{\"tags\":[\"a\",\"2\"]}\n");
        assertThat(ctl("call", "everything--echo", "-a", "count=1", "-a", "count=2").err())
                .contains("--arg count is given twice");
    }

    @Test
    void allArgumentsMayBeGivenAtOnce() {
        String json = "{\"count\":1.50,\"deep\":false}";

        assertThat(ctl("call", "everything--echo", "--args", json).out()).isEqualTo(json + "\n");
        assertThat(ctlReading(json, "call", "everything--echo", "-f", "-").out())
                .isEqualTo(json + "\n");
        assertThat(ctlReading("count: 1.50\n", "call", "everything--echo", "-f", "-").out())
                .isEqualTo("{\"count\":1.50}\n");
        assertThat(ctl("call", "everything--echo", "--args", "[1]").exitCode()).isEqualTo(1);
        assertThat(ctl("call", "everything--echo", "--args", "{}", "-a", "a=b").exitCode())
                .isEqualTo(2);
    }

    @Test
    void toolIsFoundByTheNameThatAgentsSee() {
        assertThat(ctl("call", "everything__echo").out()).isEqualTo("{}\n");
    }

    @Test
    void unknownToolIsGuessed() {
        assertThat(ctl("call", "everything--ehco").err())
                .isEqualTo(
                        "orlojctl: no tool \"everything--ehco\" in namespace \"default\"; did you"
                                + " mean \"everything--echo\"?\n");
        assertThat(ctl("call", "echo").err()).endsWith("; did you mean \"everything--echo\"?\n");
        assertThat(ctl("call", "somethingelse").err())
                .endsWith("; \"orlojctl get tools\" lists them\n");
    }

    @Test
    void errorOfTheToolGoesToStderrWithItsOwnExitCode() {
        orlojd.putTool(
                "everything--echo",
                arguments ->
                        "{\"content\":[{\"type\":\"text\",\"text\":\"no\"}],\"isError\":true}");

        CommandLineRun run = ctl("call", "everything--echo");

        assertThat(run).isEqualTo(new CommandLineRun(3, "", "no\n"));
    }

    @Test
    void contentThatIsNoTextIsDescribed() {
        orlojd.putTool(
                "everything--echo",
                arguments ->
                        """
                        {"content": [
                          {"type": "text", "text": "line\\n"},
                          {"type": "image", "mimeType": "image/png", "data": "aGVsbG8="},
                          {"type": "resource_link", "name": "readme", "uri": "file:///r"},
                          {"type": "resource", "resource": {"uri": "x://y", "mimeType": "text/plain", "text": "abc"}},
                          {"type": "hologram", "beam": 1}]}
                        """);

        assertThat(ctl("call", "everything--echo").out())
                .isEqualTo(
                        """
                        line
                        [image, image/png, 5 bytes]
                        [link to readme: file:///r]
                        [resource x://y, text/plain, 3 bytes]
                        [hologram, 28 bytes]
                        """);
    }

    @Test
    void structuredContentIsShownWhereThereIsNoText() {
        orlojd.putTool(
                "everything--echo",
                arguments -> "{\"content\": [], \"structuredContent\": {\"sum\": 5}}");

        assertThat(ctl("call", "everything--echo").out()).isEqualTo("{\n    \"sum\": 5\n}\n");
    }

    @Test
    void jsonOutputIsTheResultAsItCame() {
        String result = "{ \"content\":[], \"x\" : 1.00, \"_meta\":{\"a\":null} }";
        orlojd.putTool("everything--echo", arguments -> result);

        assertThat(ctl("call", "everything--echo", "-o", "json").out()).isEqualTo(result + "\n");
    }

    @Test
    void timeoutIsHandedOn() {
        ctl("call", "everything--echo", "--timeout", "90");

        assertThat(orlojd.calls())
                .singleElement()
                .isEqualTo(Json.MAPPER.readTree("{\"arguments\": {}, \"timeout\": \"90s\"}"));
        assertThat(ctl("call", "everything--echo", "--timeout", "soon").exitCode()).isEqualTo(2);
    }

    @Test
    void malformedArgumentIsWrongUsage() {
        for (String argument : List.of("message", "=x")) {
            assertThat(ctl("call", "everything--echo", "--arg", argument).exitCode()).isEqualTo(2);
        }
    }

    @Test
    void progressGoesToStderrAsItComes() {
        orlojd.putCallEvents(
                """
                event: progress
                data: {"progress":1,"total":3}

                :
                event: progress
                data: {"progress":2.5,"message":"nearly"}

                event: result
                data: {"content":[{"type":"text","text":"done"}],"x":1.00}

                """);

        assertThat(ctl("call", "everything--echo", "--progress"))
                .isEqualTo(new CommandLineRun(0, "done\n", "1/3\n2.5 nearly\n"));
        assertThat(ctl("call", "everything--echo", "--progress", "-o", "json").out())
                .isEqualTo("{\"content\":[{\"type\":\"text\",\"text\":\"done\"}],\"x\":1.00}\n");
    }

    @Test
    void errorAmongTheEventsIsAnError() {
        orlojd.putCallEvents(
                """
                event: error
                data: {"kind":"Status","reason":"Timeout","message":"too slow","code":504}

                """);

        assertThat(ctl("call", "everything--echo", "--progress"))
                .isEqualTo(new CommandLineRun(1, "", "orlojctl: too slow\n"));
    }

    @Test
    void streamThatBreaksOffIsNoAnswer() {
        orlojd.putCallEvents("event: progress\ndata: {\"progress\":1}\n\n");

        CommandLineRun run = ctl("call", "everything--echo", "--progress");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains("the answer ended before the result");
    }

    @Test
    void callForLaterPrintsItsIdAndHowToGoOn() {
        orlojd.putCall("id-1", "{\"metadata\": {\"name\": \"id-1\"}, \"state\": \"Running\"}");

        assertThat(ctl("call", "everything__echo", "-a", "message=x", "--async"))
                .isEqualTo(
                        new CommandLineRun(
                                0,
                                "id-1\n",
                                "The call goes on: \"orlojctl call everything__echo --result id-1\""
                                        + " prints its result.\n"));
        assertThat(orlojd.callHeaders().getFirst())
                .containsEntry("Prefer", List.of("respond-async"));
        assertThat(ctl("call", "everything__echo", "--result", "id-1"))
                .isEqualTo(
                        new CommandLineRun(
                                1, "", "orlojctl: call \"id-1\" goes on: ask again later\n"));
    }

    @Test
    void resultOfACallThatWasBegunIsShownLikeEveryResult() {
        orlojd.putCall(
                "id-1",
                """
                {"metadata": {"name": "id-1"}, "state": "Completed",
                 "result": {"content": [{"type": "text", "text": "no"}], "isError": true}}
                """);

        assertThat(ctl("call", "everything--echo", "--result", "id-1"))
                .isEqualTo(new CommandLineRun(3, "", "no\n"));
        assertThat(orlojd.requests())
                .last()
                .asString()
                .endsWith("/namespaces/default/tools/everything--echo/calls/id-1");
        assertThat(orlojd.calls()).isEmpty();
    }

    @Test
    void callThatFailedMeanwhileSaysWhy() {
        orlojd.putCall(
                "id-1",
                """
                {"metadata": {"name": "id-1"}, "state": "Failed", "error":
                  {"kind": "Status", "reason": "ServiceUnavailable", "message": "it died"}}
                """);

        assertThat(ctl("call", "everything--echo", "--result", "id-1"))
                .isEqualTo(new CommandLineRun(1, "", "orlojctl: it died\n"));
    }

    @Test
    void keyIsHandedOn() {
        assertThat(ctl("call", "everything--echo", "--idempotency-key", "k-1").exitCode()).isZero();

        assertThat(orlojd.callHeaders().getFirst())
                .containsEntry("Idempotency-key", List.of("k-1"));
    }

    @Test
    void waysThatDoNotGoTogetherAreWrongUsage() {
        for (List<String> ways :
                List.of(
                        List.of("--progress", "--async"),
                        List.of("--progress", "--idempotency-key", "k"),
                        List.of("--result", "id", "--async"),
                        List.of("--result", "id", "-a", "message=x"),
                        List.of("--result", "id", "--timeout", "5s"))) {
            List<String> line = new ArrayList<>(List.of("call", "everything--echo"));
            line.addAll(ways);
            assertThat(ctl(line.toArray(String[]::new)).exitCode())
                    .as(ways.toString())
                    .isEqualTo(2);
        }
    }

    @Test
    void argumentsThatCannotBeReadSayWhyInPlainWords() {
        assertThat(ctl("call", "everything--echo", "--args", "{").err())
                .isEqualTo("orlojctl: --args, line 1: it ends in the middle of a value\n");
        assertThat(ctl("call", "everything--echo", "-f", "/nowhere/x.yaml").err())
                .isEqualTo("orlojctl: cannot read \"/nowhere/x.yaml\": it is not there\n");
    }
}
