package dev.orloj.server.startup;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orloj.server.store.key.KeySource;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.Map;

@DisplayName("H-27: what keeps a server from starting is found before anything slow")
class PreflightTest {

    /** Of this machine, and of no other test: nothing else takes a port of it. */
    private static final String OWN = "127.0.84.3";

    @TempDir private Path directory;

    private static StandardEnvironment environment(String port) {
        return environment("127.0.0.1", port);
    }

    private static StandardEnvironment environment(String address, String port) {
        StandardEnvironment environment = new StandardEnvironment();
        environment
                .getPropertySources()
                .addFirst(
                        new MapPropertySource(
                                "test", Map.of("server.address", address, "server.port", port)));
        return environment;
    }

    private KeySource keys(String configured) {
        return KeySource.of(configured, "", "", directory);
    }

    private Path key() {
        return directory.resolve("secret.key");
    }

    @ParameterizedTest
    @ValueSource(strings = {"abc", "65536", "99999999999"})
    void portsThatAreNoneAreNamedWithoutTheirValue(String port) {
        assertThatThrownBy(() -> Preflight.check(environment(port), keys("")))
                .isInstanceOf(PreflightException.class)
                .hasMessage("the setting server.port is no TCP port; give one of 0 to 65535");
    }

    @Test
    void portInUseIsNamedAndAFreeOneIsNotKept() throws Exception {
        String port;
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getByName(OWN))) {
            port = Integer.toString(other.getLocalPort());
            assertThatThrownBy(() -> Preflight.check(environment(OWN, port), keys("")))
                    .isInstanceOf(PreflightException.class)
                    .hasMessageStartingWith("port " + port + " is in use");
        }

        for (int i = 0; i < 2; i++) {
            assertThatCode(() -> Preflight.check(environment(OWN, port), keys("")))
                    .doesNotThrowAnyException();
        }
    }

    @Test
    void httpsPortInUseIsNamedWithItsOwnOption() throws Exception {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String port = Integer.toString(other.getLocalPort());
            StandardEnvironment environment = environment("0");
            environment
                    .getPropertySources()
                    .addFirst(
                            new MapPropertySource(
                                    "https",
                                    Map.of(
                                            "orloj.https.address",
                                            "127.0.0.1",
                                            "orloj.https.port",
                                            port)));

            assertThatThrownBy(() -> Preflight.check(environment, keys("")))
                    .isInstanceOf(PreflightException.class)
                    .hasMessage(
                            "port %s is in use; stop what listens there, or choose another with --https-port"
                                    .formatted(port));
        }
    }

    @Test
    void keyThatWasNamedHasToBeThere() {
        assertThatThrownBy(() -> Preflight.check(environment("0"), keys(key().toString())))
                .isInstanceOf(PreflightException.class)
                .hasMessageContaining(key().toString())
                .hasMessageContaining("--secret-key-file");
        assertThatCode(() -> Preflight.check(environment("0"), keys("")))
                .doesNotThrowAnyException();
    }

    @Test
    void keyOfTheEnvironmentThatIsNoneIsNotShown() {
        KeySource keys = KeySource.of("", "hunter2", "", directory);

        assertThatThrownBy(() -> Preflight.check(environment("0"), keys))
                .isInstanceOf(PreflightException.class)
                .hasMessageStartingWith(
                        "ORLOJ_SECRETS_KEY, the key of the Secrets, is not 32 bytes")
                .hasMessageNotContaining("hunter2");
    }
}
