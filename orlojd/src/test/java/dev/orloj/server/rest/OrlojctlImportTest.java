package dev.orloj.server.rest;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** {@code orlojctl import} and {@code mcp} before orlojd. */
@DisplayName("issue 20, items 1 and 2, before a real orlojd")
class OrlojctlImportTest {

    private final String namespace = RestServer.shared().freshNamespace();
    @TempDir private Path folder;

    private OrlojctlRun ctl(String... arguments) {
        return OrlojctlRun.of(RestServer.shared().port(), "", arguments);
    }

    private String file(String folderName, String command) throws IOException {
        Path file = folder.resolve(folderName).resolve("mcp.json");
        Files.createDirectories(file.getParent());
        return Files.writeString(
                        file,
                        """
                        {"mcpServers": {"a": {"command": "%s", "disabled": true,
                                              "env": {"API_KEY": "k", "MODE": "x"}}}}
                        """
                                .formatted(command))
                .toString();
    }

    @Test
    void importingAgainChangesNothing() throws IOException {
        String file = file("one", "sleep");

        assertThat(ctl("import", file, "-n", namespace).out())
                .isEqualTo(
                        "secret.orloj.dev/a-credentials created\nmcpserver.orloj.dev/a created\n");
        assertThat(ctl("import", file, "-n", namespace))
                .isEqualTo(
                        new OrlojctlRun(
                                0,
                                "secret.orloj.dev/a-credentials unchanged\n"
                                        + "mcpserver.orloj.dev/a unchanged\n",
                                ""));
    }

    @Test
    void anotherFileDoesNotOverwriteAServer() throws IOException {
        String one = file("one", "sleep");
        String two = file("two", "cat");
        ctl("import", one, "-n", namespace);

        OrlojctlRun run = ctl("import", two, "-n", namespace);

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err())
                .contains("two/mcp.json, mcpServers.a: mcpserver.orloj.dev/a: ")
                .contains("orlojctl import " + one)
                .contains("--force-conflicts");
        assertThat(ctl("import", two, "-n", namespace, "--force-conflicts").out())
                .contains("mcpserver.orloj.dev/a configured");
    }

    @Test
    void serverIsAddedStoppedStartedAndRemoved() {
        String[] add = {
            "mcp", "add", "b", "-n", namespace, "-e", "API_KEY=k", "--url", "http://127.0.0.1:9/"
        };
        assertThat(ctl(add).exitCode()).isEqualTo(2);
        assertThat(ctl("mcp", "add", "b", "-n", namespace, "-e", "API_KEY=k", "--", "sleep").out())
                .contains("secret.orloj.dev/b-credentials created\nmcpserver.orloj.dev/b created");
        assertThat(ctl("mcp", "stop", "b", "-n", namespace).out()).contains("b suspended");
        assertThat(ctl("mcp", "start", "b", "-n", namespace).out()).contains("b resumed");
        assertThat(ctl("mcp", "remove", "b", "-n", namespace).out())
                .isEqualTo(
                        "mcpserver.orloj.dev/b deleted\nsecret.orloj.dev/b-credentials deleted\n");
    }
}
