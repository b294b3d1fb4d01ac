package dev.orloj.cli.http;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;

/** A server that answers requests with the bytes of a test, one connection after the other. */
final class ScriptedSocket implements AutoCloseable {

    private final ServerSocket socket;
    private final BlockingQueue<String> received = new LinkedBlockingQueue<>();
    private final CompletableFuture<Void> more = new CompletableFuture<>();

    ScriptedSocket() {
        try {
            socket = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    int port() {
        return socket.getLocalPort();
    }

    /** Returns the next request: its lines, an empty one, and the body. */
    String request() throws InterruptedException {
        return received.take();
    }

    int requests() {
        return received.size();
    }

    /** Sends the parts of answers after the first. */
    void sendMore() {
        more.complete(null);
    }

    ApiConnection connection(Optional<String> token, Consumer<String> warnings) {
        return new ApiConnection(
                ServerLocation.find(Optional.of("http://127.0.0.1:" + port()), Map.of()),
                token,
                Duration.ofSeconds(10),
                warnings);
    }

    /**
     * Answers one request on a connection of its own.
     *
     * @param parts of the answer, with {@code ^} for the end of a line; each after the first is
     *     sent by {@link #sendMore}
     */
    void answer(String... parts) {
        inBackground(() -> serve(List.of(List.of(parts)), false));
    }

    /** Answers several requests on one connection. */
    void answerOnOneConnection(String... answers) {
        inBackground(() -> serve(oneEach(answers), false));
    }

    /** Answers each request on a connection of its own. */
    Thread answerOnConnections(String... answers) {
        return inBackground(() -> oneEach(answers).forEach(one -> serve(List.of(one), false)));
    }

    /** Keeps a connection open while it answers the next request on another. */
    void answerBesideAnOpenConnection(String first, String second) {
        inBackground(
                () -> {
                    Socket open = serve(List.of(List.of(first)), true);
                    serve(List.of(List.of(second)), false);
                    close(open);
                });
    }

    private static List<List<String>> oneEach(String... answers) {
        return List.of(answers).stream().map(List::of).toList();
    }

    private static Thread inBackground(Runnable server) {
        return Thread.ofPlatform().daemon().start(server);
    }

    private Socket serve(List<List<String>> answers, boolean staysOpen) {
        Socket client = null;
        try {
            client = socket.accept();
            BufferedReader in =
                    new BufferedReader(
                            new InputStreamReader(
                                    client.getInputStream(), StandardCharsets.ISO_8859_1));
            for (List<String> parts : answers) {
                read(in);
                write(client, parts);
            }
        } catch (IOException e) {
            // the client went away, which its test sees
        } finally {
            if (!staysOpen) {
                close(client);
            }
        }
        return client;
    }

    private void read(BufferedReader in) throws IOException {
        StringBuilder request = new StringBuilder();
        int length = 0;
        for (String line = in.readLine(); !line.isEmpty(); line = in.readLine()) {
            request.append(line).append('\n');
            if (line.startsWith("Content-Length: ")) {
                length = Integer.parseInt(line.substring("Content-Length: ".length()));
            }
        }
        char[] body = new char[length];
        for (int i = 0; i < length; i++) {
            body[i] = (char) in.read();
        }
        received.add(request + "\n" + new String(body));
    }

    private void write(Socket client, List<String> parts) throws IOException {
        for (String part : parts) {
            client.getOutputStream()
                    .write(part.replace("^", "\r\n").getBytes(StandardCharsets.ISO_8859_1));
            if (parts.size() > 1) {
                more.join();
            }
        }
    }

    private static void close(Socket client) {
        try {
            if (client != null) {
                client.close();
            }
        } catch (IOException e) {
            // closed by the client
        }
    }

    @Override
    public void close() throws IOException {
        more.complete(null);
        socket.close();
    }
}
