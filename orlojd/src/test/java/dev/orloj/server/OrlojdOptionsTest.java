package dev.orloj.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Map;

class OrlojdOptionsTest {

    @Test
    void optionsBecomeProperties() {
        assertThat(properties("--port", "0", "--data-dir", "/tmp/x", "--resync-period", "90s"))
                .containsExactlyInAnyOrderEntriesOf(
                        Map.of(
                                "server.port", "0",
                                "orloj.data-dir", "/tmp/x",
                                "orloj.controllers.resync-period", "PT1M30S"));
    }

    @Test
    void logsOfJsonAreThoseOfSpring() {
        assertThat(properties("--log-format", "json"))
                .isEqualTo(Map.of("logging.structured.format.console", "ecs"));
    }

    @Test
    void nothingGivenOverridesNothing() {
        assertThat(properties()).isEmpty();
    }

    @Test
    void anAddressThatOthersReachNeedsASecondWord() {
        assertThat(OrlojdOptions.parse("--host", "0.0.0.0"))
                .isEqualTo(new OrlojdOptions.Parsed.Exit(2));
        assertThat(properties("--host", "0.0.0.0", "--insecure-remote-access"))
                .containsEntry("orloj.security.insecure-remote-access", true);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--port=many",
                "--port=70000",
                "--port=-1",
                "--bogus",
                "stray",
                "--resync-period=soon",
                "--resync-period=10ms",
                "--database-url=mysql://db",
                "--database-password-file=/nowhere/password",
                "--secret-key-file=/nowhere/key",
                "--host=not an address",
                "--log-level=loud",
                "--log-format=xml"
            })
    void badOptionEndsWithUsageError(String argument) {
        assertThat(OrlojdOptions.parse(argument)).isEqualTo(new OrlojdOptions.Parsed.Exit(2));
    }

    @ParameterizedTest
    @ValueSource(strings = {"--help", "--version"})
    void helpAndVersionEndWell(String argument) {
        assertThat(OrlojdOptions.parse(argument)).isEqualTo(new OrlojdOptions.Parsed.Exit(0));
    }

    private static Map<String, Object> properties(String... args) {
        return ((OrlojdOptions.Parsed.Run) OrlojdOptions.parse(args)).properties();
    }
}
