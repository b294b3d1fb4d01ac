package dev.orloj.cli.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.codec.Json;
import dev.orloj.cli.command.CommandTest;

import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

import java.time.Instant;

class TopCommandTest extends CommandTest {

    private static final Instant START = Instant.parse("2025-12-31T23:58:20Z");

    private static String session(String id, String cpuSeconds) {
        return """
        {"id": "%s", "namespace": "default", "server": "everything", "replica": "box-1",
         "state": "Ready", "pid": 4711, "container": "orloj-default-everything-1",
         "containerId": "3f1c9a7be204%s", "processes": 2, "residentBytes": 73400320,
         "cpuSeconds": %s, "startedAt": "%s", "lastUsedAt": "2025-12-31T23:59:50Z",
         "inFlight": 1, "calls": 41, "errors": 2, "restarts": 3}\
        """
                .formatted(id, "0".repeat(52), cpuSeconds, START);
    }

    private static JsonNode read(String json) {
        return Json.MAPPER.readTree(json);
    }

    @Test
    void sessionsAreShownWithWhatTheyTake() {
        orlojd.putSessions("{\"items\": [" + session("default/everything#1", "2.500") + "]}");

        assertThat(ctl("top").out().lines().map(line -> line.replaceAll(" {2,}", "|")))
                .containsExactly(
                        "SERVER|REPLICA|PID|CONTAINER|STATE|MEMORY|CPU%|CPU TIME|AGE|USED|IN"
                                + " FLIGHT|CALLS|ERRORS|RESTARTS",
                        "everything|box-1|4711|3f1c9a7be204|Ready|70Mi|2.5|2.500s|100s|10s"
                                + " ago|1|41|2|3");
        assertThat(ctl("top", "-A", "--no-headers").out()).startsWith("default   everything");
        assertThat(orlojd.requests())
                .containsExactly(
                        "GET /apis/orloj.dev/v1/namespaces/default/sessions",
                        "GET /apis/orloj.dev/v1/sessions");
    }

    @Test
    void theUserOfAProcessIsShownIfThereIsOneThatOrlojdIsNot() {
        orlojd.putSessions(
                "{\"items\": ["
                        + session("default/a#1", "2.500").replace("4711", "4711, \"user\": \"mcp\"")
                        + ", "
                        + session("default/b#1", "2.500")
                        + "]}");

        assertThat(ctl("top").out().lines().map(line -> line.replaceAll(" {2,}", "|")))
                .satisfiesExactly(
                        line -> assertThat(line).startsWith("SERVER|REPLICA|PID|USER|CONTAINER"),
                        line -> assertThat(line).startsWith("everything|box-1|4711|mcp|3f1c"),
                        line -> assertThat(line).startsWith("everything|box-1|4711|-|3f1c"));
    }

    @Test
    void oneServerMayBeNamed() {
        assertThat(ctl("top", "mcp/github").err()).startsWith("No sessions");
        assertThat(orlojd.requests())
                .last()
                .isEqualTo("GET /apis/orloj.dev/v1/namespaces/default/mcpservers/github/sessions");
        assertThat(ctl("top", "tool/x").exitCode()).isEqualTo(2);
        assertThat(ctl("top", "x", "-A").exitCode()).isEqualTo(2);
    }

    @Test
    void serverWithoutProcessHasNoFigures() {
        orlojd.putSessions(
                """
                {"items": [{"id": "a#1", "server": "remote", "replica": "box-1", "state": "Ready",
                  "startedAt": "2025-12-31T23:58:20Z", "lastUsedAt": "2025-12-31T23:58:20Z"}]}\
                """);

        assertThat(ctl("top", "--no-headers").out().replaceAll(" {2,}", "|"))
                .isEqualTo("remote|box-1|-|-|Ready|-|-|-|100s|100s ago|0|0|0|0\n");
    }

    @Test
    void shareOfTheProcessorIsThatSinceTheLastLook() {
        CpuShare share = new CpuShare();

        assertThat(share.percent(read(session("a#1", "1.0")), START.plusSeconds(10)))
                .contains(10.0);
        assertThat(share.percent(read(session("a#1", "2.0")), START.plusSeconds(12)))
                .contains(50.0);
        assertThat(share.percent(read("{\"id\": \"a#1\"}"), START)).isEmpty();
    }
}
