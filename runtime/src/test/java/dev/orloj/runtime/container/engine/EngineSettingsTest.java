package dev.orloj.runtime.container.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orloj.runtime.container.ContainerEngine;
import dev.orloj.runtime.container.Specs;
import dev.orloj.runtime.container.spec.ContainerListener;
import dev.orloj.runtime.container.spec.EngineUnavailableException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Path;

class EngineSettingsTest {

    /** The client of the engine reads system properties as it reads the environment. */
    private static final String HOST = "DOCKER_HOST";

    @Test
    void socketIsKnownThoughOnlyTheEnvironmentNamesIt() {
        String before = System.setProperty(HOST, "unix:///srv/engine/docker.sock");
        try {
            assertThat(EngineSettings.socket("")).contains(Path.of("/srv/engine/docker.sock"));
        } finally {
            if (before == null) {
                System.clearProperty(HOST);
            } else {
                System.setProperty(HOST, before);
            }
        }
    }

    /** Each of them ended in a NullPointerException, or in an engine at an empty path. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "unix:",
                "unix://",
                "unix:///",
                "unix:docker.sock",
                "unix://docker.sock",
                "tcp://",
                "tcp:///var/run/docker.sock",
                "/var/run/docker.sock",
                "ssh://somewhere"
            })
    void hostThatNamesNoEngineIsRefusedWithTheFlagAndTheValue(String host) {
        assertThatThrownBy(() -> EngineSettings.socket(host))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("--container-host", host);
    }

    /** Found out late, when DOCKER_HOST says so; orlojd runs, and servers of images say why not. */
    @Test
    void engineThatCannotBeIsReportedWhereItIsWanted() {
        try (ContainerEngine engine =
                new ContainerEngine(new EngineSettings("unix:", "test"), ContainerListener.NONE)) {
            assertThatThrownBy(() -> engine.start(Specs.server()))
                    .isInstanceOf(EngineUnavailableException.class)
                    .hasMessageContainingAll("--container-host", "unix:");
        }
    }

    @Test
    void engineThatIsNamedGoesFirstAndMayHaveNoSocket() {
        assertThat(EngineSettings.socket("unix:///srv/a.sock")).contains(Path.of("/srv/a.sock"));
        assertThat(EngineSettings.socket("tcp://engine:2375")).isEmpty();
    }
}
