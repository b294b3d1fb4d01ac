package dev.orloj.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.testing.ManualClock;
import dev.orloj.cli.testing.CommandLineRun;
import dev.orloj.cli.testing.FakeOrlojd;

import org.junit.jupiter.api.AfterEach;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Runs command lines against an orlojd in this process. */
public abstract class CommandTest {

    private static final Path GOLDEN = Path.of("src/test/resources/dev/orloj/cli/command/golden");

    protected final ManualClock clock = new ManualClock();
    protected final FakeOrlojd orlojd = new FakeOrlojd(clock);

    @AfterEach
    void stop() {
        orlojd.close();
    }

    protected CommandLineRun ctl(String... args) {
        return ctlReading("", args);
    }

    protected CommandLineRun ctlReading(String stdin, String... args) {
        return CommandLineRun.of(clock, Map.of("ORLOJCTL_SERVER", orlojd.url()), stdin, args);
    }

    /** The output is what the golden file says; {@code -Dgolden=update} makes it say so. */
    protected static void assertGolden(String file, String actual) throws IOException {
        Path golden = GOLDEN.resolve(file);
        String stable = actual.replaceAll("uid: \"?[-0-9a-f]{36}\"?", "uid: UID");
        if ("update".equals(System.getProperty("golden"))) {
            Files.createDirectories(GOLDEN);
            Files.writeString(golden, stable);
        }
        assertThat(stable).isEqualTo(Files.readString(golden));
    }

    protected static String server(String name) {
        return """
        {"apiVersion": "orloj.dev/v1", "kind": "McpServer",
         "metadata": {"name": "%s", "namespace": "default", "labels": {"team": "web"}},
         "spec": {"transport": "stdio", "command": "npx",
                  "args": ["-y", "@modelcontextprotocol/server-everything"],
                  "env": [{"name": "API_KEY", "secretRef": "mcp-api-key"}],
                  "reconnect": {"max_attempts": 3, "backoff": "2s"}, "timeout": "30s"},
         "status": {"phase": "Ready", "observedGeneration": 1,
                    "discoveredTools": ["echo", "add"],
                    "generatedTools": ["%s--echo", "%s--add"],
                    "lastSyncedAt": "2025-12-31T23:57:00Z", "protocolVersion": "2025-11-25",
                    "serverInfo": {"name": "example-servers/everything", "version": "1.0.0"},
                    "conditions": [
                     {"type": "Accepted", "status": "True", "reason": "Valid", "message": "",
                      "lastTransitionTime": "2025-12-31T23:56:00Z", "observedGeneration": 1},
                     {"type": "Ready", "status": "True", "reason": "Synced",
                      "message": "2 tools can be called",
                      "lastTransitionTime": "2025-12-31T23:57:00Z", "observedGeneration": 1}]}}
        """
                .formatted(name, name, name);
    }

    protected static String failing(String name) {
        return """
        {"apiVersion": "orloj.dev/v1", "kind": "McpServer",
         "metadata": {"name": "%s", "namespace": "default"},
         "spec": {"transport": "http", "endpoint": "https://mcp.example.com",
                  "auth": {"secretRef": "token", "profile": "bearer"}},
         "status": {"phase": "Error", "observedGeneration": 1, "lastError": "connection refused",
                    "conditions": [
                     {"type": "Ready", "status": "False", "reason": "ConnectFailed",
                      "message": "connection refused",
                      "lastTransitionTime": "2025-12-31T22:00:00Z", "observedGeneration": 1}]}}
        """
                .formatted(name);
    }

    protected static String tool(String server, String name, String schema) {
        return """
        {"apiVersion": "orloj.dev/v1", "kind": "Tool",
         "metadata": {"name": "%s--%s", "namespace": "default",
                      "labels": {"orloj.dev/mcp-server": "%s", "orloj.dev/mcp-generated": "true"}},
         "spec": {"type": "mcp", "mcp_server_ref": "%s", "mcp_tool_name": "%s",
                  "agent_name": "%s__%s", "description": "Does %s\\nand more",
                  "input_schema": %s, "risk_level": "low"}}
        """
                .formatted(server, name, server, server, name, server, name, name, schema);
    }

    protected static String event(
            String name, String about, String uid, String time, String message) {
        return """
        {"apiVersion": "v1", "kind": "Event",
         "metadata": {"name": "%s", "namespace": "default"},
         "involvedObject": {"apiVersion": "orloj.dev/v1", "kind": "McpServer",
                            "namespace": "default", "name": "%s", "uid": "%s"},
         "reason": "Connected", "message": "%s", "type": "Normal", "count": 2,
         "firstTimestamp": "%s", "lastTimestamp": "%s"}
        """
                .formatted(name, about, uid, message, time, time);
    }
}
