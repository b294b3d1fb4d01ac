package dev.orloj.benchmarks.replicas;

import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

import javax.net.SocketFactory;

/**
 * Opens sockets for the JDBC driver that count into a {@link Traffic}. The driver creates this
 * factory by its name, and passes the name of the traffic.
 */
public final class CountedSockets extends SocketFactory {

    private static final Map<String, Traffic> TRAFFIC = new ConcurrentHashMap<>();

    private final Traffic traffic;

    /**
     * @param name as given to {@link #count}
     */
    public CountedSockets(String name) {
        this.traffic = Objects.requireNonNull(TRAFFIC.get(name), name);
    }

    /** Makes connections that name this traffic count into it. */
    static void count(String name, Traffic traffic) {
        TRAFFIC.put(name, traffic);
    }

    @Override
    public Socket createSocket() {
        return new CountedSocket(traffic);
    }

    @Override
    public Socket createSocket(String host, int port) throws IOException {
        throw connected();
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress local, int localPort)
            throws IOException {
        throw connected();
    }

    @Override
    public Socket createSocket(InetAddress host, int port) throws IOException {
        throw connected();
    }

    @Override
    public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort)
            throws IOException {
        throw connected();
    }

    private static IOException connected() {
        return new IOException("The driver connects its sockets itself");
    }

    private static final class CountedSocket extends Socket {

        private final Traffic traffic;

        CountedSocket(Traffic traffic) {
            this.traffic = traffic;
        }

        @Override
        public InputStream getInputStream() throws IOException {
            return new CountedInput(super.getInputStream(), traffic);
        }

        @Override
        public OutputStream getOutputStream() throws IOException {
            return new CountedOutput(super.getOutputStream(), traffic);
        }
    }

    private static final class CountedInput extends FilterInputStream {

        private final Traffic traffic;

        CountedInput(InputStream in, Traffic traffic) {
            super(in);
            this.traffic = traffic;
        }

        @Override
        public int read() throws IOException {
            int read = super.read();
            traffic.read(read < 0 ? 0 : 1);
            return read;
        }

        @Override
        public int read(byte[] buffer, int offset, int length) throws IOException {
            int read = super.read(buffer, offset, length);
            traffic.read(Math.max(0, read));
            return read;
        }
    }

    /** The driver flushes once for each request, after everything that belongs to it. */
    private static final class CountedOutput extends FilterOutputStream {

        private final Traffic traffic;

        CountedOutput(OutputStream out, Traffic traffic) {
            super(out);
            this.traffic = traffic;
        }

        @Override
        public void write(byte[] buffer, int offset, int length) throws IOException {
            out.write(buffer, offset, length);
        }

        @Override
        public void flush() throws IOException {
            traffic.sent();
            super.flush();
        }
    }
}
