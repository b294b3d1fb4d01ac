package dev.orloj.server.testing;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/** A unix datagram socket, of Python because Java has none: what systemd listens on. */
public final class DatagramReceiver implements AutoCloseable {

    private static final String SCRIPT =
            """
            import socket, sys
            address = sys.argv[1]
            s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
            s.bind('\\0' + address[1:] if address[0] == '@' else address)
            print('bound', flush=True)
            while True:
                print(s.recv(65536).decode().replace('\\n', '|'), flush=True)
            """;

    private final Process process;
    private final BufferedReader received;

    /**
     * @param address a path, or {@code @} and a name of the abstract namespace
     */
    public DatagramReceiver(String address) throws IOException {
        process =
                new ProcessBuilder("python3", "-c", SCRIPT, address)
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        received = process.inputReader(StandardCharsets.UTF_8);
        if (!Objects.equals(received.readLine(), "bound")) {
            throw new IOException("cannot receive at " + address);
        }
    }

    /** Returns the lines of the next datagram; waits for it. */
    public List<String> next() throws IOException {
        return Arrays.asList(Objects.requireNonNull(received.readLine()).split("\\|"));
    }

    @Override
    public void close() throws IOException {
        process.destroyForcibly().onExit().join();
        received.close();
    }
}
