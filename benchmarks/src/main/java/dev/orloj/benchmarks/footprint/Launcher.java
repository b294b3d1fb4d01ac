package dev.orloj.benchmarks.footprint;

import dev.orloj.benchmarks.suite.OrlojdProcess;
import dev.orloj.benchmarks.suite.Workplace;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** {@code bin/orlojd}, as people start it, with its ahead-of-time cache already made. */
final class Launcher {

    private static final Duration CACHE_TIMEOUT = Duration.ofMinutes(4);
    private static final Duration POLL = Duration.ofMillis(200);
    private static final String CACHE_FILE = "app.aot";

    private final Path script;
    private final Workplace workplace;
    private final Map<String, String> environment;

    private Launcher(Path script, Workplace workplace, Map<String, String> environment) {
        this.script = script;
        this.workplace = workplace;
        this.environment = environment;
    }

    /** Starts it once and waits until the cache is made; empty outside of a source checkout. */
    static Optional<Launcher> warmedUp(Workplace workplace)
            throws IOException, InterruptedException {
        String root = System.getProperty("orloj.root");
        if (root == null) {
            return Optional.empty();
        }
        Path caches = workplace.newFolder("cache");
        Launcher launcher =
                new Launcher(
                        Path.of(root, "bin", "orlojd"),
                        workplace,
                        Map.of(
                                "ORLOJ_JAVA_HOME",
                                System.getProperty("java.home"),
                                "ORLOJ_AOT",
                                "train",
                                "ORLOJ_AOT_DELAY",
                                "0",
                                "XDG_CACHE_HOME",
                                caches.toString()));
        launcher.start(workplace.newFolder("start")).close();
        awaitCache(caches);
        return Optional.of(launcher);
    }

    private static void awaitCache(Path caches) throws IOException {
        long giveUp = System.nanoTime() + CACHE_TIMEOUT.toNanos();
        while (!hasCache(caches)) {
            if (System.nanoTime() - giveUp > 0) {
                throw new IllegalStateException(
                        "bin/orlojd made no ahead-of-time cache within " + CACHE_TIMEOUT);
            }
            LockSupport.parkNanos(POLL.toNanos());
        }
    }

    private static boolean hasCache(Path caches) throws IOException {
        try (Stream<Path> files = Files.walk(caches, 3)) {
            return files.anyMatch(file -> file.getFileName().toString().equals(CACHE_FILE));
        }
    }

    OrlojdProcess start(Path dataDir) throws IOException, InterruptedException {
        return OrlojdProcess.start(List.of(script.toString()), environment, workplace, dataDir);
    }
}
