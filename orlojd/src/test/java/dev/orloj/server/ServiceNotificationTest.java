package dev.orloj.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.server.testing.DatagramReceiver;
import dev.orloj.server.testing.OrlojdProcess;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A service of {@code Type=notify}, as systemd sees it. */
@EnabledOnOs(OS.LINUX)
@Timeout(240)
class ServiceNotificationTest {

    @Test
    void serviceManagerHearsOfTheStartThatItServesAndThatItStops(
            @TempDir Path data, @TempDir Path folder) throws Exception {
        String address = folder.resolve("notify").toString();
        try (DatagramReceiver receiver = new DatagramReceiver(address);
                OrlojdProcess orlojd =
                        OrlojdProcess.start(data, Map.of("NOTIFY_SOCKET", address))) {
            List<String> start = new ArrayList<>();
            List<String> ready = receiver.next();
            while (!ready.contains("READY=1")) {
                start.addAll(ready);
                ready = receiver.next();
            }
            assertThat(start)
                    .contains("EXTEND_TIMEOUT_USEC=600000000")
                    .anySatisfy(
                            line -> assertThat(line).startsWith("STATUS=creating the database"));
            assertThat(ready).contains("STATUS=serves " + orlojd.url());
            assertThat(
                            ProcessHandle.of(orlojd.pid())
                                    .orElseThrow()
                                    .descendants()
                                    .filter(child -> environment(child).contains("NOTIFY_SOCKET=")))
                    .isEmpty();
            assertThat(orlojd.stop()).isZero();
            assertThat(receiver.next()).contains("STOPPING=1", "EXTEND_TIMEOUT_USEC=24000000");
        }
    }

    @Test
    void socketThatIsGoneIsOneLineInTheLog(@TempDir Path data) throws Exception {
        try (OrlojdProcess orlojd =
                OrlojdProcess.start(data, Map.of("NOTIFY_SOCKET", "/nonexistent/notify"))) {
            assertThat(orlojd.stop()).isZero();
        }
        assertThat(Files.readAllLines(OrlojdProcess.log(data)))
                .filteredOn(line -> line.contains("NOTIFY_SOCKET"))
                .singleElement()
                .asString()
                .contains("/nonexistent/notify", "sendto failed with errno 2");
    }

    /** Empty for a child that has ended meanwhile. */
    private static String environment(ProcessHandle child) {
        try {
            return Files.readString(
                    Path.of("/proc", Long.toString(child.pid()), "environ"),
                    StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return "";
        }
    }
}
