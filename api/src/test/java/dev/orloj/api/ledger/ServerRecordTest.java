package dev.orloj.api.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.codec.Json;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import tools.jackson.databind.JsonNode;

class ServerRecordTest {

    private static JsonNode runs(String spec) {
        return ServerRecord.of(Json.MAPPER.readTree("{\"spec\":" + spec + "}"))
                .fields()
                .path("runs");
    }

    @ParameterizedTest
    @CsvSource({
        "npx, -y @scope/name@1.2.3 /data, @scope/name, 1.2.3",
        "/usr/bin/npx, -y name, name, ''",
        "uvx, mcp-server==0.4, mcp-server, 0.4",
        "uvx, --from git-mcp@2 mcp, git-mcp, 2",
        "npx, --package=name@1 bin, name, 1",
        "pipx, run tool, tool, ''"
    })
    void packageIsThatOfTheCommandLine(String command, String args, String name, String version) {
        JsonNode origin =
                runs("{\"command\":\"%s\",\"args\":[\"%s\"]}"
                                .formatted(command, args.replace(" ", "\",\"")))
                        .path("package");
        assertThat(origin.path("name").asString()).isEqualTo(name);
        assertThat(origin.path("version").asString("")).isEqualTo(version);
    }

    @Test
    void secretsAreNotRecorded() {
        String runs =
                runs("""
                {"transport": "stdio", "command": "srv",
                 "args": ["--token", "abc", "--api-key=def", "postgres://u:ghi@db:5432/x?p=jkl",
                          "--dsn=mno", "sk1234567890abcdefghijkl", "--port", "80", "/data"],
                 "env": [{"name": "A", "value": "pqr"}],
                 "headers": [{"name": "B", "value": "stu"}]}
                """)
                        .toString();
        assertThat(runs)
                .doesNotContain("abc", "def", "ghi", "jkl", "mno", "pqr", "stu")
                .contains(
                        "\"--token\",\"***\"",
                        "\"--api-key=***\"",
                        "\"postgres://db:5432/***\"",
                        "\"--port\",\"80\",\"/data\"");
    }

    @Test
    void endpointIsItsOrigin() {
        assertThat(
                        runs("{\"transport\":\"http\",\"endpoint\":\"https://u:p@Example.com:8443/mcp?key=1\"}")
                                .path("origin")
                                .asString())
                .isEqualTo("https://example.com:8443");
    }
}
