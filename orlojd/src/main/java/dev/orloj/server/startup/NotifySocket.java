package dev.orloj.server.startup;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;

/**
 * Sends a datagram to a unix socket by calls of the C library, because Java has streams only. The
 * numbers are those of Linux on x86-64 and arm64.
 */
final class NotifySocket {

    /** How long a receiver that does not read may delay the caller. */
    static final Duration MAX_WAIT = Duration.ofSeconds(2);

    private static final int AF_UNIX = 1;
    private static final int SOCK_DGRAM_CLOEXEC = 2 | 0x80000;
    private static final int SOL_SOCKET = 1;
    private static final int SO_SNDTIMEO = 21;
    private static final int MSG_NOSIGNAL = 0x4000;

    /** What {@code sun_path} holds, with the null byte before or after. */
    private static final int MAX_PATH = 108;

    private static final int PATH_OFFSET = 2;
    private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;

    private NotifySocket() {}

    /** A datagram that was not sent; the message says why. */
    static final class NotSentException extends Exception {

        private static final long serialVersionUID = 1;

        NotSentException(String message) {
            super(message);
        }
    }

    /**
     * @param address an absolute path, or {@code @} and a name of the abstract namespace
     * @throws NotSentException where the address is neither, or nothing receives there
     */
    static void send(String address, byte[] message) throws NotSentException {
        byte[] path = address.getBytes(StandardCharsets.UTF_8);
        if (!System.getProperty("os.name", "").toLowerCase(Locale.ROOT).equals("linux")) {
            throw new NotSentException("only Linux is supported");
        }
        if (path.length < 2 || (path[0] != '/' && path[0] != '@')) {
            throw new NotSentException("the address is neither an absolute path nor @ and a name");
        }
        if (path.length >= MAX_PATH) {
            throw new NotSentException(
                    "the address has %d bytes, at most %d are possible"
                            .formatted(path.length, MAX_PATH - 1));
        }
        try (Arena arena = Arena.ofConfined()) {
            CLibrary.send(arena, socketAddress(arena, path), arena.allocateFrom(BYTE, message));
        }
    }

    /** Returns a sockaddr_un, whose length determines where an abstract name ends. */
    private static MemorySegment socketAddress(Arena arena, byte[] path) {
        boolean isAbstract = path[0] == '@';
        MemorySegment address =
                arena.allocate(PATH_OFFSET + path.length + (isAbstract ? 0L : 1L), 2);
        address.set(ValueLayout.JAVA_SHORT, 0, (short) AF_UNIX);
        MemorySegment.copy(path, 0, address, BYTE, PATH_OFFSET, path.length);
        if (isAbstract) {
            address.set(BYTE, PATH_OFFSET, (byte) 0);
        }
        return address;
    }

    /** Linked at the first datagram only. */
    private static final class CLibrary {

        private static final Linker.Option ERRNO = Linker.Option.captureCallState("errno");
        private static final MemoryLayout STATE = Linker.Option.captureStateLayout();
        private static final VarHandle ERRNO_OF_STATE =
                STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));
        private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
        private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;

        private static final MethodHandle SOCKET =
                function("socket", FunctionDescriptor.of(INT, INT, INT, INT));
        private static final MethodHandle SETSOCKOPT =
                function(
                        "setsockopt",
                        FunctionDescriptor.of(INT, INT, INT, INT, ValueLayout.ADDRESS, INT));
        private static final MethodHandle SENDTO =
                function(
                        "sendto",
                        FunctionDescriptor.of(
                                LONG,
                                INT,
                                ValueLayout.ADDRESS,
                                LONG,
                                INT,
                                ValueLayout.ADDRESS,
                                INT));
        private static final MethodHandle CLOSE =
                function("close", FunctionDescriptor.of(INT, INT));

        private CLibrary() {}

        @SuppressWarnings("restricted") // launchers and surefire set --enable-native-access
        private static MethodHandle function(String name, FunctionDescriptor descriptor) {
            Linker linker = Linker.nativeLinker();
            return linker.downcallHandle(
                    linker.defaultLookup().findOrThrow(name), descriptor, ERRNO);
        }

        static void send(Arena arena, MemorySegment address, MemorySegment message)
                throws NotSentException {
            MemorySegment state = arena.allocate(STATE);
            try {
                int socket = (int) SOCKET.invokeExact(state, AF_UNIX, SOCK_DGRAM_CLOEXEC, 0);
                require(socket >= 0, "socket", state);
                try {
                    limitWait(arena, state, socket);
                    long length = message.byteSize();
                    int addressLength = (int) address.byteSize();
                    long sent =
                            (long)
                                    SENDTO.invokeExact(
                                            state,
                                            socket,
                                            message,
                                            length,
                                            MSG_NOSIGNAL,
                                            address,
                                            addressLength);
                    require(sent == length, "sendto", state);
                } finally {
                    int _ = (int) CLOSE.invokeExact(state, socket);
                }
            } catch (NotSentException e) {
                throw e;
            } catch (Throwable e) {
                throw new AssertionError("functions of the C library throw nothing", e);
            }
        }

        private static void limitWait(Arena arena, MemorySegment state, int socket)
                throws Throwable {
            MemorySegment timeout = arena.allocateFrom(LONG, MAX_WAIT.toSeconds(), 0L);
            int length = (int) timeout.byteSize();
            int set =
                    (int)
                            SETSOCKOPT.invokeExact(
                                    state, socket, SOL_SOCKET, SO_SNDTIMEO, timeout, length);
            require(set == 0, "setsockopt", state);
        }

        private static void require(boolean done, String function, MemorySegment state)
                throws NotSentException {
            if (!done) {
                throw new NotSentException(
                        "%s failed with errno %d".formatted(function, errno(state)));
            }
        }

        private static int errno(MemorySegment state) {
            return (int) ERRNO_OF_STATE.get(state, 0L);
        }
    }
}
