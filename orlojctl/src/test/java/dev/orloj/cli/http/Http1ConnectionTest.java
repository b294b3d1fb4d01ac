package dev.orloj.cli.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Requests other than PATCH, against a server that answers with the bytes of a test. */
@Timeout(30)
@DisplayName("20.7: requests go over a connection that takes little to load")
class Http1ConnectionTest {

    private final ScriptedSocket server = new ScriptedSocket();
    private final List<String> warnings = new ArrayList<>();

    @AfterEach
    void stop() throws IOException {
        server.close();
    }

    private ApiConnection connection() {
        return server.connection(Optional.empty(), warnings::add);
    }

    @Test
    void readingAsksForTheEndOfTheConnection() throws InterruptedException {
        server.answer("HTTP/1.1 204 No Content^^");

        assertThat(connection().read(Request.get("/apis/x").with("limit", "1"))).isEmpty();
        assertThat(server.request())
                .isEqualTo(
                        """
                        GET /apis/x?limit=1 HTTP/1.1
                        Accept: application/json
                        Connection: close
                        Host: 127.0.0.1:%d
                        User-Agent: orlojctl

                        """
                                .formatted(server.port()));
    }

    @Test
    void requestWithoutABodySaysSo() throws InterruptedException {
        server.answer("HTTP/1.1 204 No Content^^");

        connection().read(new Request("DELETE", "/x", "a/b", null, null, null, Map.of(), null));

        assertThat(server.request()).contains("DELETE /x HTTP/1.1\n", "Content-Length: 0\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "Content-Length: 5^^hello and more",
                "Transfer-Encoding: chunked^^2;x=1^he^3^llo^0^Trailer: x^^",
                "Connection: close^^hello",
                "Content-Length: 5^Warning: 299 - \"a\"^^hello",
            })
    void bodyEndsWhereTheServerSays(String rest) {
        server.answer("HTTP/1.1 100 Continue^^HTTP/1.1 200 OK^" + rest);

        assertThat(connection().read(Request.get("/x"))).asString().isEqualTo("hello");
        assertThat(warnings).isEqualTo(rest.contains("299") ? List.of("a") : List.of());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "HTTP/1.1 200 OK^Content-Length: 9^^hello | ended early",
                "HTTP/1.1 200 OK^Transfer-Encoding: chunked^^5^hel | ended early",
                "HTTP/1.1 200 OK^Transfer-Encoding: chunked^^2^hel^ | does not end",
                "HTTP/1.1 200 OK^Transfer-Encoding: chunked^^x^ | not the length",
                "HTTP/1.1 200 OK^Content-Length: -1^^ | is not the length",
                "SSH-2.0-OpenSSH^^ | not HTTP/1.1",
            })
    void answerThatCannotBeReadSaysWhy(String bytes, String why) {
        server.answer(bytes);

        assertThatThrownBy(() -> connection().read(Request.get("/x")))
                .isInstanceOf(ConnectionException.class)
                .hasMessageContaining("cannot reach the server at http://127.0.0.1:")
                .hasMessageContaining(why);
    }

    @Test
    void bodyIsReadWhileItArrives() throws IOException {
        server.answer("HTTP/1.1 200 OK^Transfer-Encoding: chunked^^3^one^", "3^two^0^^");

        try (Answer answer = connection().send(Request.get("/x"));
                InputStream body = answer.body()) {
            assertThat(new String(body.readNBytes(3), StandardCharsets.UTF_8)).isEqualTo("one");
            server.sendMore();
            assertThat(body.readAllBytes()).asString(StandardCharsets.UTF_8).isEqualTo("two");
        }
    }

    @Test
    void answerIsEndedByAnotherThread() throws Exception {
        server.answer("HTTP/1.1 200 OK^Content-Length: 4^^one", "!");
        Answer answer = connection().send(Request.get("/x"));
        assertThat(answer.body().readNBytes(3)).hasSize(3);

        CompletableFuture<Void> closed = CompletableFuture.runAsync(answer::close);

        assertThatThrownBy(() -> answer.body().read()).isInstanceOf(IOException.class);
        closed.join();
    }
}
