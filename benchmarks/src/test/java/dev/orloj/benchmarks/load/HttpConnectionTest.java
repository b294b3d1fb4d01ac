package dev.orloj.benchmarks.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Against a server that answers each request with the next of its scripted answers. */
class HttpConnectionTest {

    private static final String OK = "HTTP/1.1 200 \r\nContent-Length: 2\r\n\r\nok";

    @Test
    void connectionIsUsedAgain() throws IOException {
        try (ScriptedServer server = new ScriptedServer(OK, OK);
                HttpConnection connection = new HttpConnection(server.url())) {
            byte[] request = connection.request("GET", "/", "application/json", new byte[0]);

            assertThat(connection.exchange(request).text()).isEqualTo("ok");
            assertThat(connection.exchange(request).text()).isEqualTo("ok");
            assertThat(server.connections).hasValue(1);
        }
    }

    @Test
    void connectionThatTheServerEndsIsMadeAnew() throws IOException {
        String last = "HTTP/1.1 503 \r\nconnection: close\r\ncontent-length: 0\r\n\r\n";
        try (ScriptedServer server = new ScriptedServer(last, OK);
                HttpConnection connection = new HttpConnection(server.url())) {
            byte[] request = connection.request("GET", "/", "application/json", new byte[0]);

            assertThat(connection.exchange(request).status()).isEqualTo(503);
            assertThat(connection.exchange(request).text()).isEqualTo("ok");
            assertThat(server.connections).hasValue(2);
        }
    }

    @Test
    void chunksArePutTogether() throws IOException {
        String chunked =
                "HTTP/1.1 200 \r\nTransfer-Encoding: chunked\r\n\r\n"
                        + "3\r\nabc\r\na\r\n0123456789\r\n0\r\n\r\n";
        try (ScriptedServer server = new ScriptedServer(chunked, OK);
                HttpConnection connection = new HttpConnection(server.url())) {
            byte[] request = connection.request("GET", "/", "application/json", new byte[0]);

            assertThat(connection.exchange(request).text()).isEqualTo("abc0123456789");
            assertThat(connection.exchange(request).text()).isEqualTo("ok");
        }
    }

    @Test
    void answerThatBreaksOffIsAnError() throws IOException {
        try (ScriptedServer server =
                        new ScriptedServer("HTTP/1.1 200 \r\nContent-Length: 9\r\n\r\nok");
                HttpConnection connection = new HttpConnection(server.url())) {
            byte[] request = connection.request("GET", "/", "application/json", new byte[0]);

            assertThatThrownBy(() -> connection.exchange(request))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("ended the connection");
        }
    }

    private static final class ScriptedServer implements AutoCloseable {

        private final ServerSocket socket =
                new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        private final List<String> answers;
        private final AtomicInteger connections = new AtomicInteger();

        ScriptedServer(String... answers) throws IOException {
            this.answers = List.of(answers);
            Thread.ofVirtual().start(this::serve);
        }

        URI url() {
            return URI.create("http://127.0.0.1:" + socket.getLocalPort());
        }

        /** One connection after the other; each lasts until an answer says or breaks otherwise. */
        private void serve() {
            int next = 0;
            try {
                while (next < answers.size()) {
                    try (Socket client = socket.accept()) {
                        connections.incrementAndGet();
                        BufferedReader in =
                                new BufferedReader(
                                        new InputStreamReader(
                                                client.getInputStream(),
                                                StandardCharsets.US_ASCII));
                        boolean close = false;
                        while (!close && next < answers.size()) {
                            while (!in.readLine().isEmpty()) {}
                            String answer = answers.get(next++);
                            client.getOutputStream()
                                    .write(answer.getBytes(StandardCharsets.US_ASCII));
                            close = answer.contains("close");
                        }
                    }
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }
}
