package dev.orloj.benchmarks.footprint;

import dev.orloj.benchmarks.suite.OrlojdProcess;
import dev.orloj.benchmarks.suite.Workplace;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** {@code bin/orlojd}, as people start it, with its ahead-of-time cache already made. */
final class Launcher {

    private static final Duration CACHE_TIMEOUT = Duration.ofMinutes(4);

    private final Path script;
    private final Workplace workplace;
    private final Map<String, String> environment;

    private Launcher(Path script, Workplace workplace, Map<String, String> environment) {
        this.script = script;
        this.workplace = workplace;
        this.environment = environment;
    }

    /** Has the cache made, before anything is measured; empty outside of a source checkout. */
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
                                "XDG_CACHE_HOME",
                                caches.toString()));
        launcher.makeCache();
        return Optional.of(launcher);
    }

    private void makeCache() throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(script.toString()).inheritIO();
        builder.environment().putAll(environment);
        builder.environment().put("ORLOJ_AOT", "only");
        Process maker = builder.start();
        if (!maker.waitFor(CACHE_TIMEOUT)) {
            maker.destroy();
            throw new IllegalStateException(
                    "bin/orlojd made no ahead-of-time cache within " + CACHE_TIMEOUT);
        }
        if (maker.exitValue() != 0) {
            throw new IllegalStateException("bin/orlojd could not make an ahead-of-time cache");
        }
    }

    OrlojdProcess start(Path dataDir) throws IOException, InterruptedException {
        return OrlojdProcess.start(List.of(script.toString()), environment, workplace, dataDir);
    }
}
