package dev.orloj.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.server.postgres.TestPostgres;
import dev.orloj.server.testing.RestClient;
import dev.orloj.server.testing.RunningOrlojd;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** H-09: connections that ask for nothing do not keep out those that do. */
class HalfOpenConnectionsTest {

    private static final int MOST = 200;
    private static final int HALF_OPEN = 3 * MOST;

    @Test
    void moreHalfOpenConnectionsThanThereMayBeDoNotSilenceTheProbes() throws IOException {
        List<Socket> halfOpen = new CopyOnWriteArrayList<>();
        try (RunningOrlojd orlojd =
                        RunningOrlojd.start(
                                TestPostgres.freshDatabase(),
                                Map.of("server.tomcat.max-connections", MOST));
                ScheduledExecutorService trickle = Executors.newSingleThreadScheduledExecutor()) {
            int port = URI.create(orlojd.client().url()).getPort();
            trickle.scheduleWithFixedDelay(
                    () -> halfOpen.forEach(socket -> send(socket, "x")),
                    20,
                    20,
                    TimeUnit.MILLISECONDS);
            for (int i = 0; i < HALF_OPEN; i++) {
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
                send(socket, i % 2 == 0 ? "" : "GET /healthz HTTP/1.1\r\nX: ");
                halfOpen.add(socket);
                if (i % 50 == 0) {
                    assertThat(new RestClient(orlojd.client().url()).get("/healthz").code())
                            .isEqualTo(200);
                }
            }
            for (int i = 0; i < 20; i++) {
                assertThat(new RestClient(orlojd.client().url()).get("/healthz").code())
                        .isEqualTo(200);
            }
        } finally {
            for (Socket each : halfOpen) {
                each.close();
            }
        }
    }

    @Test
    void aHeadThatTricklesIsGivenUpAndAnAnswerThatTakesLongIsNot() throws IOException {
        try (RunningOrlojd orlojd = RunningOrlojd.start();
                ScheduledExecutorService trickle = Executors.newSingleThreadScheduledExecutor();
                Socket slow =
                        new Socket(
                                InetAddress.getLoopbackAddress(),
                                URI.create(orlojd.client().url()).getPort());
                Socket watching =
                        new Socket(
                                InetAddress.getLoopbackAddress(),
                                URI.create(orlojd.client().url()).getPort())) {
            send(
                    watching,
                    "GET /apis/orloj.dev/v1/mcpservers?watch=true HTTP/1.1\r\n"
                            + "Host: localhost\r\n\r\n");
            send(slow, "GET / HTTP/1.1\r\nX: ");
            trickle.scheduleWithFixedDelay(() -> send(slow, "x"), 100, 100, TimeUnit.MILLISECONDS);

            await().atMost(30, TimeUnit.SECONDS).until(() -> isClosed(slow));

            watching.setSoTimeout(100);
            byte[] answer = new byte[12];
            assertThat(watching.getInputStream().readNBytes(answer, 0, 12)).isEqualTo(12);
            assertThat(new String(answer, StandardCharsets.US_ASCII)).isEqualTo("HTTP/1.1 200");
        }
    }

    private static boolean isClosed(Socket socket) throws IOException {
        socket.setSoTimeout(100);
        try {
            return socket.getInputStream().read() < 0;
        } catch (SocketTimeoutException e) {
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    private static void send(Socket socket, String text) {
        try {
            socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
        } catch (IOException e) {
            // It was ended.
        }
    }
}
