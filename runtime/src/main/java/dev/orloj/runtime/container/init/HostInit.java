package dev.orloj.runtime.container.init;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Finds a program of this host that can be process 1 of any image. */
public final class HostInit {

    /** The paths where packages and engines install such a program. */
    public static final List<Path> PLACES =
            List.of(
                    Path.of("/usr/libexec/podman/catatonit"),
                    Path.of("/usr/bin/catatonit"),
                    Path.of("/usr/bin/docker-init"),
                    Path.of("/usr/libexec/docker/docker-init"),
                    Path.of("/usr/local/bin/docker-init"),
                    Path.of("/usr/bin/tini-static"),
                    Path.of("/usr/bin/tini"),
                    Path.of("/usr/sbin/tini"),
                    Path.of("/sbin/tini"),
                    Path.of("/usr/bin/dumb-init"));

    private static final int MAGIC = 0x7f454c46;
    private static final int CLASS = 4;
    private static final int BYTE_ORDER = 5;
    private static final int MAX_HEADERS = 64 * 1024;
    private static final int INTERPRETER = 3;

    /** Offsets into the header of a 64-bit ELF file, and into the header of a segment. */
    private static final int SEGMENTS_AT = 32;

    private static final int SEGMENT_SIZE_AT = 54;
    private static final int SEGMENT_COUNT_AT = 56;
    private static final int HEADER_SIZE = 64;

    private HostInit() {}

    /**
     * Returns the first program that exists, is executable and needs no library.
     *
     * @return the path without symbolic links
     */
    public static Optional<Path> find(List<Path> places) {
        return places.stream()
                .filter(Files::isExecutable)
                .filter(HostInit::isStatic)
                .map(HostInit::real)
                .flatMap(Optional::stream)
                .findFirst();
    }

    private static Optional<Path> real(Path program) {
        try {
            return Optional.of(program.toRealPath());
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /**
     * Returns whether a program is static: one with an interpreter runs only in images that contain
     * the same interpreter.
     */
    private static boolean isStatic(Path program) {
        try (InputStream file = Files.newInputStream(program)) {
            ByteBuffer head = ByteBuffer.wrap(file.readNBytes(MAX_HEADERS));
            if (head.limit() < HEADER_SIZE || head.getInt(0) != MAGIC || head.get(CLASS) != 2) {
                return false;
            }
            head.order(head.get(BYTE_ORDER) == 1 ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN);
            long segments = head.getLong(SEGMENTS_AT);
            int size = Short.toUnsignedInt(head.getShort(SEGMENT_SIZE_AT));
            int count = Short.toUnsignedInt(head.getShort(SEGMENT_COUNT_AT));
            for (int i = 0; i < count; i++) {
                if (head.getInt(Math.toIntExact(segments + (long) i * size)) == INTERPRETER) {
                    return false;
                }
            }
            return count > 0;
        } catch (IOException | IndexOutOfBoundsException | ArithmeticException e) {
            return false; // not readable, or not a 64-bit ELF file
        }
    }
}
