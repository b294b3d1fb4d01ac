package dev.orloj.server.startup;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.mock.env.MockEnvironment;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;

class DefaultHttpsPortTest {

    /** Of this machine, and of no other test. */
    private static final String FREE = "127.0.84.1";

    private static final String BUSY = "127.0.84.2";

    @TempDir private Path data;

    private String port(MockEnvironment environment) {
        DefaultHttpsPort.choose(environment, data);
        return environment.getProperty("orloj.https.port", "none");
    }

    @Test
    void withoutANameItIs8443OfThisMachine() {
        MockEnvironment named = new MockEnvironment().withProperty("orloj.https.address", FREE);
        MockEnvironment unnamed = new MockEnvironment().withProperty("server.port", "0");

        assertThat(port(named)).isEqualTo("8443");
        assertThat(named.getProperty("orloj.https.address")).isEqualTo(FREE);
        assertThat(port(unnamed)).as("as the other port: any").isEqualTo("0");
        assertThat(unnamed.getProperty("orloj.https.address")).isEqualTo("127.0.0.1");
    }

    @Test
    void whenTheDefaultIsTakenAnotherOneIsChosen() throws IOException {
        try (ServerSocket other = new ServerSocket()) {
            other.bind(new InetSocketAddress(BUSY, DefaultHttpsPort.NUMBER));

            assertThat(port(new MockEnvironment().withProperty("orloj.https.address", BUSY)))
                    .isEqualTo("0");
        }
    }

    @Test
    void whatTheUserNamedStays() {
        MockEnvironment named = new MockEnvironment().withProperty("orloj.https.port", "9443");

        assertThat(port(named)).isEqualTo("9443");
        assertThat(named.getProperty("orloj.https.address")).isNull();
    }

    @Test
    void portThatIsOpenToEverybodyNeedsNoOther() {
        assertThat(
                        port(
                                new MockEnvironment()
                                        .withProperty(
                                                "orloj.security.insecure-allow-anonymous", "true")))
                .isEqualTo("none");
    }
}
