package dev.orloj.cli.manifest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orloj.cli.command.CommandException;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

@DisplayName("20.3: -k builds with kustomize or kubectl, whichever is there")
class KustomizationTest {

    private static final List<String> MISSING = List.of("no-such-program-here", "build");

    @TempDir private Path folder;

    private List<String> script(String text) throws IOException {
        return List.of("sh", Files.writeString(folder.resolve("build.sh"), text).toString());
    }

    @Test
    void firstProgramThatExistsBuilds() throws IOException {
        byte[] built =
                Kustomization.build(
                        folder.toString(), List.of(MISSING, script("echo built \"$1\"")));

        assertThat(new String(built, StandardCharsets.UTF_8)).isEqualTo("built " + folder + "\n");
    }

    @Test
    void failureOfTheProgramIsAFailure() {
        assertThatThrownBy(() -> Kustomization.build(folder.toString(), List.of(script("exit 3"))))
                .isInstanceOf(CommandException.class)
                .hasMessageContaining("failed with exit code 3; nothing was done");
    }

    @Test
    void withoutAProgramTheErrorNamesThem() {
        assertThatThrownBy(() -> Kustomization.build(folder.toString(), List.of(MISSING)))
                .hasMessageContaining("-k needs kustomize or kubectl on the PATH");
        assertThatThrownBy(() -> Kustomization.build(folder + "/nowhere", List.of(MISSING)))
                .hasMessageContaining("no folder");
    }
}
