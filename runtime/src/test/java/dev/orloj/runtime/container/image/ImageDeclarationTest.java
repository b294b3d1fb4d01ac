package dev.orloj.runtime.container.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orloj.runtime.container.spec.ContainerIsolation;
import dev.orloj.runtime.container.spec.ContainerOwner;
import dev.orloj.runtime.container.spec.ContainerSpec;
import dev.orloj.runtime.container.spec.ImageSource;
import dev.orloj.runtime.container.spec.PullPolicy;
import dev.orloj.runtime.workload.WorkloadException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.Map;
import java.util.Optional;

class ImageDeclarationTest {

    private static final String LABEL =
            """
            env: {LOG_LEVEL: info, REGION: eu}
            command: [server, --stdio]
            args: [--quiet]
            """;

    private static Image image(String label) {
        return new Image(
                "example/server",
                "sha256:1",
                List.of(),
                "",
                List.of(),
                Map.of(ImageDeclaration.LABEL, label),
                List.of(),
                List.of());
    }

    private static ContainerSpec spec(
            List<String> entrypoint, Map<String, String> env, boolean trusted) {
        return new ContainerSpec(
                new ContainerOwner("default", "s", "uid"),
                new ImageSource("example/server", PullPolicy.NEVER, Optional.empty()),
                entrypoint,
                List.of(),
                env,
                List.of(),
                ContainerIsolation.DEFAULT,
                trusted,
                List.of());
    }

    @Test
    void whatTheManifestLeavesOutIsTakenFromTheImage() {
        ContainerSpec completed =
                ImageDeclaration.of(image(LABEL)).complete(spec(List.of(), Map.of(), true));

        assertThat(completed.env()).isEqualTo(Map.of("LOG_LEVEL", "info", "REGION", "eu"));
        assertThat(completed.entrypoint()).containsExactly("server", "--stdio");
        assertThat(completed.args()).containsExactly("--quiet");
    }

    @Test
    void aFieldOfTheManifestReplacesTheWholeField() {
        ContainerSpec requested = spec(List.of("mine"), Map.of("LOG_LEVEL", "debug"), true);

        assertThat(ImageDeclaration.of(image(LABEL)).complete(requested)).isEqualTo(requested);
    }

    @Test
    void anImageThatIsNotTrustedSaysNothingOfWhatIsRun() {
        ContainerSpec completed =
                ImageDeclaration.of(image(LABEL)).complete(spec(List.of(), Map.of(), false));

        assertThat(completed.env()).containsKey("LOG_LEVEL");
        assertThat(completed.entrypoint()).isEmpty();
        assertThat(completed.args()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "mounts: [/var/run/docker.sock]",
                "user: '0'",
                "network: {mode: bridge}",
                "env: [LOG_LEVEL]",
                "env: {A: 1}",
                "command: sh -c evil",
                "args: {a: b}",
                "command: [",
                "- a",
            })
    void anythingElseIsRefusedWithTheImage(String label) {
        assertThatThrownBy(() -> ImageDeclaration.of(image(label)))
                .isInstanceOf(WorkloadException.class)
                .hasMessageStartingWith(
                        "Label \"dev.orloj.mcp\" of image \"example/server\" cannot be used: ");
    }

    @Test
    void anImageWithoutALabelChangesNothing() {
        ContainerSpec requested = spec(List.of(), Map.of(), true);
        Image plain =
                new Image(
                        "i", "sha256:1", List.of(), "", List.of(), Map.of(), List.of(), List.of());

        assertThat(ImageDeclaration.of(plain).complete(requested)).isEqualTo(requested);
    }
}
