package dev.orloj.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.server.disconnect.ProbedHttpProtocol;
import dev.orloj.server.postgres.TestPostgres;
import dev.orloj.server.testing.OrlojdProcess;
import dev.orloj.server.testing.RunningOrlojd;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
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
    private static final Duration PROBE = Duration.ofSeconds(30);

    @Test
    void moreHalfOpenConnectionsThanThereMayBeDoNotSilenceTheProbes() throws Exception {
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
                    assertThat(healthz(orlojd.client().url())).isEqualTo(200);
                }
            }
            for (int i = 0; i < 20; i++) {
                assertThat(healthz(orlojd.client().url())).isEqualTo(200);
            }
        } finally {
            for (Socket each : halfOpen) {
                each.close();
            }
        }
    }

    /**
     * As many as a process may have by default: 8,192 where it may open 16,384 files, and half of
     * that limit elsewhere. It has a process of its own, so that this one has room for the clients.
     */
    @Test
    void eightThousandHalfOpenConnectionsAtTheDefaultLimitDoNotSilenceTheProbes(
            @TempDir Path folder) throws Exception {
        int most = new ProbedHttpProtocol().getMaxConnections();
        List<Socket> halfOpen = new ArrayList<>();
        try (OrlojdProcess orlojd = OrlojdProcess.start(folder)) {
            int port = URI.create(orlojd.url()).getPort();
            for (int i = 0; i < most; i++) {
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
                halfOpen.add(socket);
                send(socket, i % 2 == 0 ? "" : "GET /healthz HTTP/1.1\r\nX: ");
                if (i % 512 == 0) {
                    assertThat(healthz(orlojd.url())).isEqualTo(200);
                }
            }
            for (int i = 0; i < 20; i++) {
                for (Socket each : halfOpen.subList(most / 20 * i, most / 20 * (i + 1))) {
                    send(each, "x");
                }
                assertThat(healthz(orlojd.url())).isEqualTo(200);
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

    /** On a new connection, and before Tomcat alone would close an idle one. */
    private static int healthz(String url) throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(url + "/healthz")).timeout(PROBE).build();
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
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
