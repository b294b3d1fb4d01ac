package dev.orloj.runtime.container.init;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** H-32: what takes the place of an init that an engine does not find. */
class InitProcessTest {

    private static final Optional<Path> OF_HOST = Optional.of(Path.of("/usr/bin/tini-static"));

    @Test
    void oneOfThisHostIsTriedBeforeNone() {
        assertThat(InitProcess.choices(List.of("node", "server.mjs"), OF_HOST))
                .containsExactly(
                        new InitProcess.OfEngine(),
                        new InitProcess.OfHost(OF_HOST.orElseThrow()),
                        new InitProcess.None());
    }

    @Test
    void anEngineElsewhereSeesNoneOfThisHost() {
        assertThat(InitProcess.choices(List.of("node"), Optional.empty()))
                .containsExactly(new InitProcess.OfEngine(), new InitProcess.None());
    }

    @Test
    void anImageThatStartsItsOwnNeedsNoOther() {
        assertThat(InitProcess.choices(List.of("/sbin/tini", "--", "node"), OF_HOST))
                .containsExactly(new InitProcess.OfEngine(), new InitProcess.OfImage());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "container create: container-init binary not found on the host: stat"
                        + " /usr/libexec/podman/catatonit: no such file or directory",
                "lookup init binary: could not find \"catatonit\" in one of [/usr/libexec/podman]",
                "failed to create task: exec: \"docker-init\": executable file not found in $PATH"
            })
    void whatEnginesSayOfAMissingInitIsUnderstood(String refusal) {
        assertThat(new InitProcess.OfEngine().isMissing(refusal)).isTrue();
        assertThat(new InitProcess.None().isMissing(refusal)).isFalse();
    }

    @Test
    void anInitThatTheEngineDoesNotSeeIsMissing() {
        InitProcess ofHost = new InitProcess.OfHost(OF_HOST.orElseThrow());

        assertThat(ofHost.isMissing("statfs /usr/bin/tini-static: no such file or directory"))
                .isTrue();
        assertThat(ofHost.isMissing("exec: \"node\": executable file not found in $PATH"))
                .isFalse();
    }
}
