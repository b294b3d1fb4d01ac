package dev.orloj.cli.explore;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.cli.command.CommandTest;
import dev.orloj.cli.testing.CommandLineRun;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;

@DisplayName("20.3: explain, api-resources, status and init")
class ExploreCommandsTest extends CommandTest {

    @TempDir private Path folder;

    @Test
    void fieldsAreExplainedAsByKubectl() {
        assertThat(ctl("explain", "mcp.spec.env").out())
                .startsWith(
                        """
                        GROUP:      orloj.dev
                        KIND:       McpServer
                        VERSION:    v1

                        FIELD: env <[]Object>

                        DESCRIPTION:
                            stdio: variables of the process.\
                        """)
                .contains(
                        "\nFIELDS:\n", "  name\t<string> -required-\n    Name of the variable.\n");
        assertThat(ctl("explain", "mcp", "--recursive").out())
                .contains(
                        "\n  spec\t<Object> -required-\n",
                        "\n    transport\t<string> -required-\n");
        assertThat(ctl("explain", "ns").out()).startsWith("KIND:       Namespace\n");
    }

    @Test
    void unknownFieldIsCorrected() {
        assertThat(ctl("explain", "mcp.spec.comand").err())
                .startsWith(
                        "orlojctl: mcpserver.spec has no field \"comand\"; did you mean"
                                + " \"command\"?\n");
        assertThat(ctl("explain", "mcp.spec.command.x").err()).contains(", and no others");
    }

    @Test
    void kindsOfTheServerAreListed() {
        assertThat(ctl("api-resources").out())
                .isEqualTo(
                        """
                        NAME         SHORTNAMES   APIVERSION     NAMESPACED   KIND
                        namespaces   ns           v1             false        Namespace
                        mcpservers   mcp          orloj.dev/v1   true         McpServer
                        """);
        assertThat(ctl("api-resources", "--verbs", "watch", "-o", "name").out())
                .isEqualTo("mcpservers.orloj.dev\n");
        assertThat(ctl("api-resources", "--namespaced=false", "--no-headers").out())
                .startsWith("namespaces ");
    }

    @Test
    void statusNamesWhatNeedsAttention() {
        orlojd.resources().put(server("github"));
        orlojd.resources().put(tool("github", "echo", "{}"));

        CommandLineRun well = ctl("status");
        orlojd.resources().put(failing("jira"));
        CommandLineRun unwell = ctl("status", "-A");

        assertThat(well.exitCode()).isZero();
        assertThat(well.out())
                .isEqualTo(
                        """
                        Server:      %s, v1.2.3
                        Namespace:   default
                        McpServers:  1 Ready
                        Tools:       1
                        """
                                .formatted(orlojd.url()));
        assertThat(unwell.exitCode()).isEqualTo(1);
        assertThat(unwell.out())
                .contains("McpServers:  1 Error, 1 Ready\n")
                .endsWith("\nNeeds attention:\n  default   jira   Error   connection refused\n");
    }

    @Test
    void manifestOfAFirstServerIsWrittenAndValid() throws Exception {
        Path file = folder.resolve("everything.yaml");

        CommandLineRun run =
                ctl("init", "everything", "--file", file.toString(), "--", "npx", "-y", "x");

        assertThat(run.out())
                .isEqualTo("%s written; next: orlojctl apply -f %<s\n".formatted(file));
        assertThat(Files.readString(file))
                .startsWith("apiVersion: orloj.dev/v1\nkind: McpServer\n")
                .contains("command: npx\n", "- -y\n");
        assertThat(ctl("validate", "-f", file.toString()).exitCode()).isZero();
        assertThat(ctl("init", "everything", "--file", file.toString()).err())
                .contains("exists: name another file with --file");
        assertThat(ctl("init", "a", "--url", "https://a.example/mcp", "--file", "-").out())
                .contains("transport: http\n", "endpoint: https://a.example/mcp\n");
        assertThat(ctl("init", "A_b").exitCode()).isEqualTo(2);
    }
}
