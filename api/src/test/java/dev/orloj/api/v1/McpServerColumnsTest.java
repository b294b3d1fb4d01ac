package dev.orloj.api.v1;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.codec.Json;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import tools.jackson.databind.node.ObjectNode;

/** What the table of McpServers shows as their status. */
class McpServerColumnsTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Connecting | Pulling | Image \\\"i:1\\\" is being pulled | Pulling",
                "Connecting | Pulling | Image \\\"i:1\\\" is being pulled: 12 of 80 MB"
                        + " | Pulling 12 of 80 MB",
                "Connecting | Pulled | Image \\\"i:1\\\" was pulled | Connecting",
                "Ready | Pulling | Image \\\"i:1\\\" is being pulled: 12 of 80 MB | Ready",
            })
    void theStatusReportsHowFarTheImageIs(
            String phase, String reason, String message, String expected) {
        String pull =
                """
                {"type": "ImagePulled", "reason": "%s", "message": "%s"}
                """
                        .formatted(reason, message);

        assertThat(status(phase, pull)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "Ready, False, Quarantined, 'Ready,Quarantined'",
        "Ready, False, Rejected, 'Ready,Rejected'",
        "Ready, True, Approved, Ready",
        "Error, False, Quarantined, Error",
    })
    void theStatusReportsThatDefinitionsAreNotServed(
            String phase, String status, String reason, String expected) {
        String approval =
                """
                {"type": "ToolsApproved", "status": "%s", "reason": "%s"}
                """
                        .formatted(status, reason);

        assertThat(status(phase, approval)).isEqualTo(expected);
    }

    private static Object status(String phase, String condition) {
        ObjectNode server =
                (ObjectNode)
                        Json.MAPPER.readTree(
                                """
                                {"status": {"phase": "%s", "conditions": [
                                  {"type": "Accepted", "status": "True"}, %s]}}
                                """
                                        .formatted(phase, condition));
        return McpServer.DESCRIPTOR.columns().stream()
                .filter(column -> column.name().equals("Status"))
                .map(column -> column.cell().apply(server))
                .findFirst()
                .orElseThrow();
    }
}
