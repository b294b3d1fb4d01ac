package dev.orloj.cli.explore;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.cli.command.CommandTest;
import dev.orloj.cli.testing.CommandLineRun;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

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
                .startsWith(
                        """
                        # yaml-language-server: $schema=.orloj/manifest.jsonschema
                        apiVersion: orloj.dev/v1
                        kind: McpServer
                        """)
                .contains("command: npx\n", "- -y\n");
        assertThat(ctl("validate", "-f", file.toString()).exitCode()).isZero();
        assertThat(ctl("init", "everything", "--file", file.toString()).err())
                .contains("exists: name another file with --file");
        assertThat(ctl("init", "a", "--url", "https://a.example/mcp", "--file", "-").out())
                .contains("transport: http\n", "endpoint: https://a.example/mcp\n");
        assertThat(ctl("init", "A_b").exitCode()).isEqualTo(2);
    }

    @Test
    @DisplayName("20.9: init writes the schema that its manifest names, and no other file")
    void schemaIsWrittenBesideTheFirstManifest() throws Exception {
        Path schema = folder.resolve(".orloj/manifest.jsonschema");

        ctl("init", "a", "--file", folder.resolve("a.yaml").toString());

        assertThat(Files.readString(schema)).isEqualTo(ctl("schema").out());
        Files.writeString(schema, "{}");
        ctl("init", "b", "--file", folder.resolve("b.yaml").toString());
        assertThat(Files.readString(schema)).isEqualTo(ctl("schema").out());
        assertThat(ctl("validate", "-f", folder.toString()).exitCode()).isZero();
    }

    @Test
    @DisplayName("20.9: init names another schema, or none, when asked")
    void otherSchemaIsNamed() throws Exception {
        String url = "https://example.com/manifest.json";
        Path file = folder.resolve("a.yaml");

        ctl("init", "a", "--schema", url, "--file", file.toString());

        assertThat(Files.readString(file))
                .startsWith("# yaml-language-server: $schema=" + url + "\napiVersion: ");
        assertThat(folder.resolve(".orloj")).doesNotExist();
        assertThat(ctl("init", "a", "--schema", "none", "--file", "-").out())
                .startsWith("apiVersion: ");
        assertThat(ctl("init", "a", "--file", "-").out()).startsWith("apiVersion: ");
        assertThat(ctl("init", "a", "--schema", "x\nkind: Secret", "--file", "-").exitCode())
                .isEqualTo(2);
    }

    @Test
    @DisplayName("20.9: the schema of a kind, of any kind, and of all of them in a folder")
    void schemasArePrinted() throws Exception {
        assertThat(ctl("schema").out()).contains("\"title\" : \"A manifest of Orloj\"");
        assertThat(ctl("schema", "mcp").out())
                .isEqualTo(Files.readString(Path.of("../schemas/mcpserver.json")));
        assertThat(ctl("schema", "secret").out())
                .contains("\"title\" : \"Secret of orloj.dev/v1\"");
        assertThat(ctl("schema", "secret", "--api-version", "v1").out())
                .contains("\"title\" : \"Secret of v1\"");

        Path target = folder.resolve("a/b");
        String[] published = Objects.requireNonNull(new File("../schemas").list());
        assertThat(ctl("schema", "--output-dir", target.toString()).out())
                .isEqualTo("%d schemas written to %s\n".formatted(published.length, target));
        assertThat(target.toFile().list()).containsExactlyInAnyOrder(published);
        assertThat(Files.readString(target.resolve("sandbox.json")))
                .isEqualTo(ctl("schema", "sandbox").out());
    }

    @Test
    @DisplayName("20.9: careless use of schema names the remedy")
    void carelessUseOfSchemaIsRefused() throws Exception {
        Path file = Files.createFile(folder.resolve("file"));

        assertThat(ctl("schema", "mpc").err()).contains("did you mean \"mcp\"?");
        assertThat(ctl("schema", "secret", "--api-version", "v2").err())
                .contains("there is no Secret of \"v2\"; --api-version is one of v1, orloj.dev/v1");
        assertThat(ctl("schema", "--api-version", "v1").exitCode()).isEqualTo(2);
        assertThat(ctl("schema", "mcp", "--output-dir", "x").exitCode()).isEqualTo(2);
        assertThat(ctl("schema", "--output-dir", file.toString()).err())
                .contains("it is no folder; give another --output-dir");
    }
}
