package dev.orloj.runtime.call;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

/** An endpoint that answers byte for byte as a script has it, however wrong that is. */
final class RawEndpoint implements AutoCloseable {

    /** Writes the answer to one connection, whose request was read to the end of its head. */
    @FunctionalInterface
    interface Script {

        void answer(Connection connection) throws Exception;
    }

    /**
     * @param number how many there were before
     */
    record Connection(InputStream in, OutputStream out, int number) {

        void write(String text) throws IOException {
            out.write(text.getBytes(StandardCharsets.ISO_8859_1));
            out.flush();
        }

        /** Says no more, and waits until the client has gone. */
        void awaitEnd() throws IOException {
            while (in.read() >= 0) {
                // What it sends is of no interest.
            }
            throw new SocketException("the client has gone");
        }
    }

    private final ServerSocket socket;
    private final Script script;
    private final List<String> heads = new CopyOnWriteArrayList<>();
    private final CountDownLatch closed = new CountDownLatch(1);

    private RawEndpoint(Script script) throws IOException {
        this.script = script;
        this.socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    }

    static RawEndpoint start(Script script) throws IOException {
        RawEndpoint endpoint = new RawEndpoint(script);
        Thread.ofVirtual().name("raw-endpoint").start(endpoint::accept);
        return endpoint;
    }

    String url() {
        return "http://127.0.0.1:" + socket.getLocalPort();
    }

    /** What the clients sent before their bodies. */
    List<String> heads() {
        return heads;
    }

    /** Is over when a client has gone away from an answer that was being written. */
    CountDownLatch abandoned() {
        return closed;
    }

    private void accept() {
        int connection = 0;
        while (!socket.isClosed()) {
            try {
                Socket client = socket.accept();
                int number = connection++;
                Thread.ofVirtual().start(() -> serve(client, number));
            } catch (IOException e) {
                return;
            }
        }
    }

    private void serve(Socket client, int number) {
        try (client) {
            heads.add(head(client.getInputStream()));
            script.answer(
                    new Connection(client.getInputStream(), client.getOutputStream(), number));
        } catch (SocketException e) {
            closed.countDown();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static String head(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        int next = in.read();
        while (next >= 0) {
            head.append((char) next);
            if (head.length() >= 4 && head.substring(head.length() - 4).equals("\r\n\r\n")) {
                break;
            }
            next = in.read();
        }
        return head.toString();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
