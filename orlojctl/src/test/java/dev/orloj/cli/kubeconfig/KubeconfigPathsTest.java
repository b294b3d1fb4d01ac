package dev.orloj.cli.kubeconfig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** In which files orlojctl looks for a context. */
class KubeconfigPathsTest {

    @TempDir private Path home;

    @Test
    void serviceOfThisMachineComesAfterTheFilesOfTheUser() throws IOException {
        Path service = Files.createFile(home.resolve("service"));

        assertThat(Kubeconfig.ofThisMachine(Map.of("HOME", home.toString()), service))
                .containsExactly(
                        home.resolve(".local/share/orloj/kubeconfig"),
                        home.resolve(".local/share/orloj/quickstart/kubeconfig"),
                        service);
    }

    @Test
    void serviceThatIsNotThereIsNotLookedFor() {
        assertThat(Kubeconfig.ofThisMachine(Map.of(), home.resolve("none"))).isEmpty();
    }

    @Test
    void userWithoutAHomeFindsTheService() throws IOException {
        Path service = Files.createFile(home.resolve("service"));

        assertThat(Kubeconfig.paths(Optional.empty(), Map.of(), service)).containsExactly(service);
    }

    @Test
    void fileOfTheOptionThatDoesNotExistIsAnErrorThatNamesIt() {
        String missing = home.resolve("typo").toString();

        assertThatThrownBy(() -> ContextSettings.find(Optional.of(missing), Map.of(), "", true))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("--kubeconfig: the file " + missing + " does not exist");
    }
}
