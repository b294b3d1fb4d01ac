package dev.orloj.server.startup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orloj.server.testing.DatagramReceiver;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;

@EnabledOnOs(OS.LINUX)
@Timeout(60)
class ServiceManagerTest {

    private static ServiceManager at(String address) {
        return ServiceManager.of(Map.of("NOTIFY_SOCKET", address));
    }

    @Test
    void eachStateIsOneDatagramAtThePath(@TempDir Path folder) throws Exception {
        String address = folder.resolve("notify").toString();
        try (DatagramReceiver receiver = new DatagramReceiver(address)) {
            ServiceManager manager = at(address);
            manager.starting("creating the database");
            manager.ready("http://127.0.0.1:8080");
            manager.stopping(Duration.ofSeconds(9));
            assertThat(receiver.next())
                    .containsExactly(
                            "STATUS=creating the database", "EXTEND_TIMEOUT_USEC=600000000");
            assertThat(receiver.next())
                    .containsExactly("READY=1", "STATUS=serves http://127.0.0.1:8080");
            assertThat(receiver.next())
                    .contains("EXTEND_TIMEOUT_USEC=29000000")
                    .first()
                    .isEqualTo("STOPPING=1");
        }
    }

    @Test
    void abstractAddressIsReached() throws Exception {
        String address = "@orloj-test-" + UUID.randomUUID();
        try (DatagramReceiver receiver = new DatagramReceiver(address)) {
            at(address).ready("http://[::1]:8080");
            assertThat(receiver.next()).contains("READY=1");
        }
    }

    @Test
    void statusIsOneLineOfBoundedLength(@TempDir Path folder) throws Exception {
        String address = folder.resolve("notify").toString();
        try (DatagramReceiver receiver = new DatagramReceiver(address)) {
            at(address).starting("a\nREADY=1\n" + "é".repeat(10_000));
            assertThat(receiver.next())
                    .satisfiesExactly(
                            status ->
                                    assertThat(status)
                                            .startsWith("STATUS=a READY=1 é")
                                            .hasSize("STATUS=".length() + 500),
                            extension -> assertThat(extension).startsWith("EXTEND_TIMEOUT_USEC="));
        }
    }

    @Test
    void progressOfTheStartIsToldAndPrinted(@TempDir Path folder) throws Exception {
        String address = folder.resolve("notify").toString();
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        try (DatagramReceiver receiver = new DatagramReceiver(address)) {
            new StartupProgress(new PrintStream(printed, true), at(address)).accept("waiting");
            assertThat(receiver.next()).contains("STATUS=waiting");
        }
        assertThat(printed.toString(StandardCharsets.UTF_8)).contains("] waiting");
    }

    @ParameterizedTest
    @CsvSource({
        "relative/path, neither an absolute path nor @",
        "/, neither an absolute path nor @",
        "vsock:2:1234, neither an absolute path nor @",
        "/nonexistent/orloj/notify, sendto failed with errno 2",
        "@orloj-nobody-listens-here, sendto failed with errno 111",
    })
    void addressWithoutReceiverIsNoFailureOfTheServer(String address, String cause) {
        ServiceManager manager = at(address);
        manager.starting("a step");
        manager.ready("http://127.0.0.1:8080");
        manager.stopping(Duration.ZERO);
        assertThatThrownBy(() -> NotifySocket.send(address, new byte[] {1}))
                .hasMessageContaining(cause);
    }

    @Test
    void addressLongerThanTheKernelTakesIsRefused() {
        assertThatThrownBy(() -> NotifySocket.send("/" + "a".repeat(107), new byte[] {1}))
                .hasMessage("the address has 108 bytes, at most 107 are possible");
    }

    @Test
    void nothingIsSentWithoutTheVariable() {
        ServiceManager.of(Map.of()).ready("http://127.0.0.1:8080");
        ServiceManager.of(Map.of("NOTIFY_SOCKET", "")).stopping(Duration.ZERO);
        ServiceManager.none().starting("a step");
    }
}
