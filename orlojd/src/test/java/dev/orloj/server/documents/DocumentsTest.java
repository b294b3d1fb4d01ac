package dev.orloj.server.documents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import dev.orloj.runtime.testkit.NeedsDocker;
import dev.orloj.server.testing.AcceptanceSuite;
import dev.orloj.server.testing.OrlojdProcess;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * Each page does what it says: its commands are run one after the other against an orlojd, and
 * print what the page shows. A page has the orlojd to itself: two pages are read at once, at two.
 */
@NeedsDocker
@Tag(AcceptanceSuite.DOCUMENTS)
@AcceptanceSuite(AcceptanceSuite.DOCUMENTS)
class DocumentsTest {

    private static final List<String> NAMES = List.of("one", "two");

    @TempDir private static Path folder;

    /** Those that no page uses. */
    private static final BlockingQueue<Installation> FREE = new LinkedBlockingQueue<>();

    @BeforeAll
    static void start() throws Exception {
        for (String name : NAMES) {
            FREE.add(Installation.start(folder, name));
        }
    }

    @AfterAll
    static void stop() throws Exception {
        for (Installation installation : FREE) {
            try (OrlojdProcess started = installation.orlojd()) {
                assertThat(started.stop()).isZero();
            }
        }
        FREE.clear();
    }

    @DisplayName("O-10: the commands of a page work, and print what it shows")
    @ParameterizedTest
    @MethodSource("dev.orloj.server.documents.Pages#names")
    @Execution(CONCURRENT)
    void commandsOfPagePrintWhatItShows(String name) throws Exception {
        Page page = Pages.read(name);
        int commands = 0;
        if (page.ran() > 0) {
            Installation installation = FREE.take();
            try {
                commands = follow(page, installation);
            } finally {
                FREE.add(installation);
            }
        }
        System.out.printf(
                "%s: ran %d blocks with %d commands, left out %d%n",
                name, page.ran(), commands, page.leftOut());
    }

    private static int follow(Page page, Installation installation) throws Exception {
        Path own = Files.createTempDirectory(folder, "page");
        try (Desk desk = Desk.of(own, installation, page)) {
            int commands = desk.follow();
            desk.clear();
            return commands;
        }
    }
}
