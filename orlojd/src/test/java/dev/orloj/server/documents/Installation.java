package dev.orloj.server.documents;

import dev.orloj.server.testing.OrlojdProcess;
import dev.orloj.server.testing.RegistryCache;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * An orlojd that pages are read with, one page at a time.
 *
 * @param data its data directory
 * @param npmCache of its packages and those of its readers alone: two npx at once that install one
 *     package disturb each other
 */
record Installation(OrlojdProcess orlojd, Path data, Path npmCache) {

    /**
     * Starts one in a new folder.
     *
     * @param name the same in each run, since packages are kept under it
     */
    static Installation start(Path folder, String name) throws IOException, InterruptedException {
        Path home = Files.createDirectories(folder.resolve(name).resolve("home"));
        Path data = folder.resolve(name).resolve("data");
        Path npmCache = RegistryCache.folder("npm-" + name);
        configureNpm(home, npmCache);
        OrlojdProcess orlojd =
                OrlojdProcess.start(data, Map.of("HOME", home.toString()), "--https-port", "0");
        return new Installation(orlojd, data, npmCache);
    }

    /** Sets what npm does in a home folder of a reader. */
    void configureNpm(Path home) throws IOException {
        configureNpm(home, npmCache);
    }

    /** Packages come from the cache of the suites, and npm adds nothing to the logs of servers. */
    private static void configureNpm(Path home, Path cache) throws IOException {
        Path own = Path.of(System.getProperty("user.home"), ".npmrc");
        String settings = Files.exists(own) ? Files.readString(own) + "\n" : "";
        Files.writeString(
                home.resolve(".npmrc"),
                settings + "update-notifier=false\nfund=false\naudit=false\ncache=" + cache + "\n");
    }
}
