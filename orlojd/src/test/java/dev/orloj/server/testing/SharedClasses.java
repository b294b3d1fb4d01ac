package dev.orloj.server.testing;

import org.jspecify.annotations.Nullable;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;

/**
 * How JVMs of tests find the classes of orlojd: in an archive for class data sharing, which halves
 * the time of a start. The archive takes as long as three starts, so it is made only where the
 * variable {@code CI} is set: there all tests run, and start orlojd about a hundred times. It is
 * made anew in each run, from what was compiled.
 *
 * @param classPath of all classes, those of tests too
 * @param options of a JVM with this class path
 */
public record SharedClasses(String classPath, List<String> options) {

    private static final Path FOLDER = Path.of("target", "shared-classes").toAbsolutePath();
    private static final String TESTS = "test-classes";

    /** Nothing of a JVM that cannot use the archive, or not all of it: it is only slower then. */
    private static final List<String> QUIET =
            List.of("-Xlog:aot*=off:stdout", "-Xlog:cds*=off:stdout");

    private static @Nullable SharedClasses ofThisRun;

    /** Those of this JVM, of which the first call may start an orlojd. Safe for many threads. */
    public static synchronized SharedClasses ofThisRun() throws IOException, InterruptedException {
        SharedClasses classes = ofThisRun;
        if (classes == null) {
            classes = System.getenv("CI") == null ? unshared(given()) : make();
            ofThisRun = classes;
        }
        return classes;
    }

    private static SharedClasses unshared(String classPath) {
        return new SharedClasses(classPath, List.of());
    }

    /** Surefire hides the real class path behind a jar with a manifest. */
    private static String given() {
        return System.getProperty(
                "surefire.test.class.path", System.getProperty("java.class.path"));
    }

    private static SharedClasses make() throws IOException, InterruptedException {
        deleteFolder();
        Files.createDirectories(FOLDER);
        Path archive = FOLDER.resolve("orlojd.jsa");
        List<String> jars = new ArrayList<>();
        List<String> folders = new ArrayList<>();
        for (String entry : given().split(File.pathSeparator)) {
            Path path = Path.of(entry);
            if (path.endsWith(TESTS)) {
                folders.add(entry);
            } else if (!entry.isEmpty()) {
                jars.add(Files.isDirectory(path) ? jar(path, jars.size()).toString() : entry);
            }
        }
        // An archive is of jars alone; a JVM that uses it may have folders after them.
        String shared = String.join(File.pathSeparator, jars);
        try (OrlojdProcess orlojd =
                OrlojdProcess.start(
                        new SharedClasses(shared, List.of("-XX:ArchiveClassesAtExit=" + archive)),
                        List.of(),
                        Map.of(),
                        FOLDER.resolve("data"))) {
            orlojd.stop();
        }
        jars.addAll(folders);
        String all = String.join(File.pathSeparator, jars);
        if (!Files.exists(archive)) {
            return unshared(all);
        }
        List<String> options = new ArrayList<>(QUIET);
        options.add("-XX:SharedArchiveFile=" + archive);
        return new SharedClasses(all, List.copyOf(options));
    }

    private static Path jar(Path classes, int number) {
        Path jar = FOLDER.resolve(number + ".jar");
        int code =
                ToolProvider.findFirst("jar")
                        .orElseThrow()
                        .run(
                                System.out,
                                System.err,
                                "--create",
                                "--no-compress",
                                "--file",
                                jar.toString(),
                                "-C",
                                classes.toString(),
                                ".");
        if (code != 0) {
            throw new IllegalStateException("jar ended with %d for %s".formatted(code, classes));
        }
        return jar;
    }

    private static void deleteFolder() throws IOException {
        if (Files.exists(FOLDER)) {
            try (Stream<Path> all = Files.walk(FOLDER)) {
                for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(each);
                }
            }
        }
    }
}
