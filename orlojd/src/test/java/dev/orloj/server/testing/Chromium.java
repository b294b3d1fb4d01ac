package dev.orloj.server.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A browser without a window that has one page open. */
public final class Chromium implements AutoCloseable {

    private final Process process;

    private Chromium(Process process) {
        this.process = process;
    }

    static boolean isInstalled() {
        return Stream.of(System.getenv("PATH").split(":", -1))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, "chromium")));
    }

    /**
     * Opens a page.
     *
     * @param profile an empty folder for what the browser keeps
     */
    public static Chromium open(String page, Path profile) {
        List<String> command =
                List.of(
                        "chromium",
                        "--headless=new",
                        "--no-sandbox", // it refuses to run as root with one
                        "--disable-gpu",
                        "--disable-dev-shm-usage",
                        "--disable-background-networking",
                        "--no-first-run",
                        "--user-data-dir=" + profile,
                        page);
        try {
            return new Chromium(
                    new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(profile.resolve("output.log").toFile())
                            .start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws InterruptedException {
        List<ProcessHandle> children = process.descendants().toList();
        process.destroy();
        if (!process.waitFor(10, TimeUnit.SECONDS)) {
            process.destroyForcibly().waitFor();
        }
        children.forEach(ProcessHandle::destroyForcibly);
    }
}
