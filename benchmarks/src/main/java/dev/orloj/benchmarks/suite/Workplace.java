package dev.orloj.benchmarks.suite;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Where a run works.
 *
 * @param folder for files that are thrown away afterwards
 * @param jvmFlags of every JVM that is measured, the same for all
 */
public record Workplace(Path folder, List<String> jvmFlags) implements AutoCloseable {

    public Workplace {
        jvmFlags = List.copyOf(jvmFlags);
    }

    /** Makes its folder readable for all users: a database server may run as another user. */
    public static Workplace create(List<String> jvmFlags) throws IOException {
        FileAttribute<?> readable =
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x"));
        return new Workplace(Files.createTempDirectory("orloj-benchmark-", readable), jvmFlags);
    }

    /** A new empty folder. */
    public Path newFolder(String prefix) throws IOException {
        return Files.createTempDirectory(folder, prefix + "-");
    }

    @Override
    public void close() {
        try (Stream<Path> all = Files.walk(folder)) {
            all.sorted(Comparator.reverseOrder()).forEach(Workplace::delete);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void delete(Path path) {
        try {
            Files.deleteIfExists(path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
