package dev.orloj.cli.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.cli.command.CommandTest;

import org.junit.jupiter.api.Test;

/** How {@code mcp show-merged} asks, beside {@code mcp}, which takes a server as well. */
class ShowMergedCommandTest extends CommandTest {

    private static final String SERVERS = "/apis/orloj.dev/v1/namespaces/default/mcpservers/";

    @Test
    void aStoredServerIsAskedForByName() {
        orlojd.putMerged("github", "{\"image\": \"i\", \"from\": {\"env\": \"manifest\"}}");

        assertThat(ctl("mcp", "show-merged", "github").out())
                .isEqualTo("image: i\nfrom:\n  env: manifest\n");
        assertThat(orlojd.requests()).containsExactly("GET " + SERVERS + "github/merged");
    }

    @Test
    void aManifestIsSentAndNothingIsStored() {
        orlojd.putMerged("a", "{\"image\": \"i\"}");

        assertThat(
                        ctlReading(
                                        """
                                        apiVersion: orloj.dev/v1
                                        kind: McpServer
                                        metadata: {name: a}
                                        spec: {transport: stdio, image: i}
                                        """,
                                        "mcp",
                                        "show-merged",
                                        "-f",
                                        "-",
                                        "-o",
                                        "json")
                                .out())
                .contains("\"image\"");
        assertThat(orlojd.requests()).containsExactly("POST " + SERVERS + "a/merged");
    }

    @Test
    void oneOfTheTwoHasToBeSaid() {
        assertThat(ctl("mcp", "show-merged").exitCode()).isEqualTo(2);
        assertThat(ctl("mcp", "show-merged", "a", "-f", "x.yaml").exitCode()).isEqualTo(2);
    }
}
