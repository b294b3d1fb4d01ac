package dev.orloj.server.documents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.runtime.testkit.NeedsDocker;
import dev.orloj.server.testing.AcceptanceSuite;
import dev.orloj.server.testing.OrlojdProcess;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * Each page does what it says: its commands are run one after the other against an orlojd, and
 * print what the page shows.
 */
@NeedsDocker
@Tag(AcceptanceSuite.DOCUMENTS)
@AcceptanceSuite(AcceptanceSuite.DOCUMENTS)
class DocumentsTest {

    @TempDir private static Path folder;

    private static OrlojdProcess orlojd;

    @BeforeAll
    static void start() throws Exception {
        Path home = Files.createDirectory(folder.resolve("home"));
        Desk.configureNpm(home);
        orlojd =
                OrlojdProcess.start(
                        folder.resolve("data"),
                        Map.of("HOME", home.toString()),
                        "--https-port",
                        "0");
    }

    @AfterAll
    static void stop() throws Exception {
        try (OrlojdProcess started = orlojd) {
            assertThat(started.stop()).isZero();
        }
    }

    @DisplayName("O-10: the commands of a page work, and print what it shows")
    @ParameterizedTest
    @MethodSource("dev.orloj.server.documents.Pages#names")
    void commandsOfPagePrintWhatItShows(String name) throws Exception {
        Page page = Pages.read(name);
        int commands = 0;
        if (page.ran() > 0) {
            Path own = Files.createTempDirectory(folder, "page");
            try (Desk desk = Desk.of(own, orlojd, folder.resolve("data"), page)) {
                commands = desk.follow();
                desk.clear();
            }
        }
        System.out.printf(
                "%s: ran %d blocks with %d commands, left out %d%n",
                name, page.ran(), commands, page.leftOut());
    }
}
