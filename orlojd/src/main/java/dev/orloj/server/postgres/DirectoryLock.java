package dev.orloj.server.postgres;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Locks a directory for the lifetime of this process. The kernel releases the lock when the process
 * dies, for whatever reason.
 */
public final class DirectoryLock implements AutoCloseable {

    /**
     * Directories locked by this JVM. A POSIX lock belongs to the process and is lost when any
     * descriptor of its file is closed, so a second attempt must not even open the file.
     */
    private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

    private final Path directory;
    private final FileChannel channel;

    private DirectoryLock(Path directory, FileChannel channel) {
        this.directory = directory;
        this.channel = channel;
    }

    /**
     * @throws DirectoryInUseException naming the holder when another process holds the lock
     */
    public static DirectoryLock acquire(Path directory) throws IOException {
        Path real = directory.toRealPath();
        Path pidFile = real.resolve("orlojd.pid");
        if (!HELD.add(real)) {
            throw taken(real, pidFile);
        }
        FileChannel channel = null;
        try {
            channel = FileChannel.open(real.resolve("orlojd.lock"), CREATE, WRITE);
            if (channel.tryLock() == null) {
                throw taken(real, pidFile);
            }
            Files.writeString(pidFile, Long.toString(ProcessHandle.current().pid()));
            return new DirectoryLock(real, channel);
        } catch (IOException | RuntimeException e) {
            release(real, channel);
            throw e;
        }
    }

    private static DirectoryInUseException taken(Path directory, Path pidFile) throws IOException {
        String holder =
                Files.exists(pidFile)
                        ? "orlojd with pid " + Files.readString(pidFile).strip()
                        : "another orlojd";
        return new DirectoryInUseException(
                "Data directory \"%s\" is in use by %s: stop that one, or choose another --data-dir"
                        .formatted(directory, holder));
    }

    @Override
    public void close() throws IOException {
        release(directory, channel);
    }

    private static void release(Path directory, @Nullable FileChannel channel) throws IOException {
        try {
            if (channel != null) {
                channel.close();
            }
        } finally {
            HELD.remove(directory);
        }
    }
}
