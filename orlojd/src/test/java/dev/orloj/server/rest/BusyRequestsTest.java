package dev.orloj.server.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.server.processing.Processing;
import dev.orloj.server.rest.HttpProbe.Answer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** H-03: requests that keep the processors busy keep no other client waiting. */
@Timeout(120)
class BusyRequestsTest {

    private final RestServer server = RestServer.shared();
    private final HttpProbe http = server.probe();
    private final String maps =
            "/api/v1/namespaces/%s/configmaps".formatted(server.freshNamespace());

    /** Platform threads: the virtual ones of this JVM are those of the server. */
    private final ExecutorService clients = Executors.newCachedThreadPool();

    @AfterEach
    void endClients() {
        server.heldWork().letGo();
        clients.shutdown();
    }

    private static String held(String name) {
        return "{\"metadata\": {\"name\": \"%s\", \"labels\": {\"%s\": \"\"}}}"
                .formatted(name, HeldWork.LABEL);
    }

    private List<Future<Answer>> occupyAllThreads() throws InterruptedException {
        List<Future<Answer>> answers = new ArrayList<>();
        for (int i = 0; i < Processing.THREADS; i++) {
            String body = held("held-" + i);
            Callable<Answer> post = () -> http.post(maps, body);
            answers.add(clients.submit(post));
        }
        server.heldWork().awaitBegun(Processing.THREADS);
        return answers;
    }

    @Test
    void probesAnswerWhileEveryThreadIsBusy() throws Exception {
        List<Future<Answer>> busy = occupyAllThreads();

        for (String probe : List.of("/healthz", "/livez", "/readyz", "/version")) {
            assertThat(http.get(probe).code()).as(probe).isEqualTo(200);
        }

        server.heldWork().letGo();
        for (Future<Answer> answer : busy) {
            assertThat(answer.get().code()).isEqualTo(201);
        }
    }

    @Test
    void smallRequestsDoNotWaitForLargeOnes() throws Exception {
        int processors = Runtime.getRuntime().availableProcessors();
        List<Future<Answer>> large = new ArrayList<>();
        for (int i = 0; i < 2 * Processing.THREADS; i++) {
            String body = held("large-" + i).replaceFirst("}$", ", \"data\": {\"a\": \"%s\"}}");
            Callable<Answer> post = () -> http.post(maps, body.formatted("x".repeat(70_000)));
            large.add(clients.submit(post));
        }
        server.heldWork().awaitBegun(processors);
        await().until(() -> server.processing().waiting() == large.size() - processors);

        assertThat(http.post(maps, "{\"metadata\": {\"name\": \"small\"}}").code()).isEqualTo(201);

        for (Future<Answer> answer : large) {
            server.heldWork().letGo();
            await().until(
                            () -> {
                                server.heldWork().letGo();
                                return answer.isDone();
                            });
            assertThat(answer.get().code()).isEqualTo(201);
        }
        // The next test waits for as many as it sends itself.
        server.heldWork().awaitBegun(large.size() - processors);
    }

    @Test
    void whatWaitsNeverBeginsOnceItsClientHungUp() throws Exception {
        List<Future<Answer>> busy = occupyAllThreads();
        try (Socket client = new Socket("127.0.0.1", server.port())) {
            send(client, "{\"metadata\": {\"name\": \"late\"}}");
            await().until(() -> server.processing().waiting() == 1);
        }
        await().until(() -> server.processing().waiting() == 0);

        server.heldWork().letGo();
        for (Future<Answer> answer : busy) {
            assertThat(answer.get().code()).isEqualTo(201);
        }
        assertThat(http.get(maps + "/late").code()).isEqualTo(404);
    }

    private void send(Socket client, String body) throws IOException {
        String request =
                """
                POST %s HTTP/1.1\r
                Host: localhost\r
                Content-Type: application/json\r
                Content-Length: %d\r
                \r
                %s\
                """
                        .formatted(maps, body.length(), body);
        client.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        client.getOutputStream().flush();
    }
}
