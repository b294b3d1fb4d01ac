package dev.orloj.cli.tls;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orloj.api.testing.TestChains;
import dev.orloj.cli.testing.ChainServer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Servers that want to keep a client. */
@Timeout(60)
class PresentedChainTest {

    private static final Duration SHORT = Duration.ofMillis(500);
    private static final byte[] HEADER_OF_A_LONG_RECORD = {22, 3, 3, 0x3f, 0};

    /** Each byte is in time; all of them would take ten times as long as the client waits. */
    @Test
    void serverThatSendsByteByByteIsLeftInTime() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor()) {
            Thread.ofVirtual().start(() -> trickle(server, timer));

            assertThatThrownBy(() -> PresentedChain.of("127.0.0.1", server.getLocalPort(), SHORT))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("no answer in time");
            assertThatThrownBy(
                            () ->
                                    PresentedChain.connect(
                                            "127.0.0.1",
                                            server.getLocalPort(),
                                            SHORT,
                                            TlsSettings.DEFAULT))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("no answer in time");
            timer.shutdownNow();
        }
    }

    private static void trickle(ServerSocket server, ScheduledExecutorService timer) {
        try {
            for (int i = 0; i < 2; i++) {
                Socket client = server.accept();
                client.getOutputStream().write(HEADER_OF_A_LONG_RECORD);
                timer.scheduleAtFixedRate(() -> send(client), 0, 50, TimeUnit.MILLISECONDS);
                timer.schedule(() -> close(client), 5, TimeUnit.SECONDS);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Void close(Socket client) throws IOException {
        client.close();
        return null;
    }

    private static void send(Socket client) {
        try {
            client.getOutputStream().write(0);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // ends the repetition
        }
    }

    @Test
    void chainWithoutAnEndIsRefused() throws Exception {
        List<X509Certificate> chain = new ArrayList<>(TestChains.of("server"));
        chain.addAll(Collections.nCopies(1000, TestChains.certificate("intermediate")));
        try (ChainServer server = new ChainServer(chain, () -> {})) {
            assertThatThrownBy(
                            () ->
                                    PresentedChain.of(
                                            "127.0.0.1", server.port(), Duration.ofSeconds(30)))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("maximum");
        }
    }
}
