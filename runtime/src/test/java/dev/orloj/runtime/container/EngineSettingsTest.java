package dev.orloj.runtime.container;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

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

    @Test
    void engineThatIsNamedGoesFirstAndMayHaveNoSocket() {
        assertThat(EngineSettings.socket("unix:///srv/a.sock")).contains(Path.of("/srv/a.sock"));
        assertThat(EngineSettings.socket("tcp://engine:2375")).isEmpty();
    }
}
