package dev.orloj.cli.admin;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * A file that gets its name when it is complete. Until then it is beside it, readable for its owner
 * only, and is deleted when the process ends, also by Ctrl-C.
 */
final class PartialFile implements AutoCloseable {

    private final Path file;
    private final Path partial;
    private final FileChannel channel;
    private final Thread atExit = new Thread(this::delete);

    private PartialFile(Path file, Path partial, FileChannel channel) {
        this.file = file;
        this.partial = partial;
        this.channel = channel;
    }

    /**
     * @param file absolute
     * @throws FileSystemException with the reason, when its folder does not exist
     */
    static PartialFile create(Path file) throws IOException {
        Path folder = file.getParent();
        if (folder != null && !Files.exists(folder)) {
            throw new FileSystemException(
                    file.toString(), null, "\"%s\" does not exist".formatted(folder));
        }
        Path partial =
                file.resolveSibling(
                        "."
                                + file.getFileName()
                                + "."
                                + ProcessHandle.current().pid()
                                + ".partial");
        Files.deleteIfExists(partial); // of another process that had this number
        FileAttribute<?>[] access =
                FileSystems.getDefault().supportedFileAttributeViews().contains("posix")
                        ? new FileAttribute<?>[] {
                            PosixFilePermissions.asFileAttribute(
                                    PosixFilePermissions.fromString("rw-------"))
                        }
                        : new FileAttribute<?>[0];
        FileChannel channel =
                FileChannel.open(
                        partial,
                        Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                        access);
        PartialFile created = new PartialFile(file, partial, channel);
        Runtime.getRuntime().addShutdownHook(created.atExit);
        return created;
    }

    OutputStream out() {
        return Channels.newOutputStream(channel);
    }

    /**
     * Gives the file its name, once its content is on the disk.
     *
     * @param replace a file of this name
     */
    void complete(boolean replace) throws IOException {
        channel.force(true);
        channel.close();
        if (replace) {
            Files.move(partial, file, StandardCopyOption.ATOMIC_MOVE);
            return;
        }
        try {
            // Unlike a move, a link never replaces a file that has come meanwhile.
            Files.createLink(file, partial);
        } catch (FileAlreadyExistsException e) {
            throw e;
        } catch (UnsupportedOperationException | FileSystemException e) {
            moveWithoutLink();
        }
    }

    /** For file systems that have no links. */
    private void moveWithoutLink() throws IOException {
        if (Files.exists(file)) {
            throw new FileAlreadyExistsException(file.toString());
        }
        Files.move(partial, file, StandardCopyOption.ATOMIC_MOVE);
    }

    private void delete() {
        try {
            Files.deleteIfExists(partial);
        } catch (IOException e) {
            // It stays, under a name that says what it is.
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
        delete();
        try {
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException e) {
            // The process is ending, and the hook finds nothing.
        }
    }
}
