package dev.orloj.cli.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** A PATCH against a server that answers with the bytes of a test. */
@Timeout(30)
class PatchConnectionTest {

    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n";

    private final ScriptedSocket server = new ScriptedSocket();

    @AfterEach
    void stop() throws IOException {
        server.close();
    }

    private ApiConnection connection() {
        return server.connection(Optional.of("token"), _ -> {});
    }

    private Reply patch() {
        return patch(connection());
    }

    private static Reply patch(ApiConnection connection) {
        byte[] body = "{\"ä\": 1}".getBytes(StandardCharsets.UTF_8);
        return connection.patch(
                Request.of("PATCH", "/apis/x", body)
                        .with("fieldManager", "a b")
                        .withHeader("Content-Type", "application/apply-patch+yaml"));
    }

    @Test
    void requestIsOneThatServersUnderstand() throws InterruptedException {
        server.answer("HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n");

        Reply reply = patch();

        assertThat(reply.status()).isEqualTo(204);
        assertThat(server.request())
                .isEqualTo(
                        """
                        PATCH /apis/x?fieldManager=a%%20b HTTP/1.1
                        Accept: application/json
                        Authorization: Bearer token
                        Content-Length: 9
                        Content-Type: application/apply-patch+yaml
                        Host: 127.0.0.1:%d
                        User-Agent: orlojctl

                        %s\
                        """
                                .formatted(
                                        server.port(),
                                        new String(
                                                "{\"ä\": 1}".getBytes(StandardCharsets.UTF_8),
                                                StandardCharsets.ISO_8859_1)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "Content-Length: 5^^hello and more",
                "Transfer-Encoding: chunked^^2;x=1^he^3^llo^0^Trailer: x^^",
                "Connection: close^^hello",
                "Content-Length: 5^Warning: 299 - \"a \\\"b\\\"\"^warning: 299 - \"c\"^^hello",
            })
    void bodyEndsWhereTheServerSays(String rest) {
        server.answer(
                "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n" + rest.replace("^", "\r\n"));

        Reply reply = patch();

        assertThat(reply.status()).isEqualTo(200);
        assertThat(new String(reply.body(), StandardCharsets.UTF_8)).isEqualTo("hello");
        assertThat(reply.warnings())
                .isEqualTo(rest.contains("299") ? List.of("a \"b\"", "c") : List.of());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "HTTP/1.1 200 OK^Content-Length: 9^^hello | ended early",
                "HTTP/1.1 200 OK^Transfer-Encoding: chunked^^5^hel | ended early",
                "HTTP/1.1 200 OK^Transfer-Encoding: chunked^^x^ | not the length",
                "HTTP/1.1 200 OK^Transfer-Encoding: chunked^^8000000000000005^hello^0^^ | longer"
                        + " than",
                "HTTP/1.1 200 OK^Transfer-Encoding: chunked^^-5^hello^0^^ | not the length",
                "HTTP/1.1 200 OK^Content-Length: 99999999999^^ | longer than 67108864 bytes",
                "HTTP/1.1 200 OK^Content-Length: -1^^ | is not the length",
                "HTTP/1.1 200 OK^nonsense^^ | no headers that can be read",
                "SSH-2.0-OpenSSH^^ | not HTTP/1.1",
                "HTTP/1.1 200 | closed the connection",
            })
    void answerThatCannotBeReadSaysWhy(String bytes, String why) {
        server.answer(bytes.replace("^", "\r\n"));

        assertThatThrownBy(this::patch)
                .isInstanceOf(ConnectionException.class)
                .hasMessageContaining("cannot reach the server at http://127.0.0.1:")
                .hasMessageContaining(why);
    }

    /** Issue 18: an apply of many documents does not open a connection for each of them. */
    @Test
    void connectionIsUsedAgain() {
        server.answerOnOneConnection(OK + "one", OK + "two");
        ApiConnection connection = connection();

        assertThat(patch(connection).body()).asString().isEqualTo("one");
        assertThat(patch(connection).body()).asString().isEqualTo("two");
    }

    @Test
    void connectionThatTheServerHasClosedIsReplaced() throws Exception {
        Thread answers = server.answerOnConnections(OK + "one", OK + "two");
        ApiConnection connection = connection();

        assertThat(patch(connection).body()).asString().isEqualTo("one");
        assertThat(patch(connection).body()).asString().isEqualTo("two");
        answers.join();
    }

    /** A repetition could add an element twice, so nothing is sent that may have to be repeated. */
    @Test
    void jsonPatchIsSentOnceOnAConnectionOfItsOwn() {
        server.answerBesideAnOpenConnection(OK + "one", OK + "two");
        ApiConnection connection = connection();

        assertThat(patch(connection).body()).asString().isEqualTo("one");
        Reply second =
                connection.patch(
                        Request.of("PATCH", "/apis/x", new byte[0])
                                .withHeader("Content-Type", "application/json-patch+json"));

        assertThat(second.body()).asString().isEqualTo("two");
        assertThat(server.requests()).isEqualTo(2);
    }

    @Test
    void refusalIsTheStatusOfTheServer() {
        String status =
                """
                {"kind": "Status", "reason": "Conflict", "code": 409, "message": "no",
                 "details": {"causes": [{"field": ".spec"}]}}
                """;
        server.answer(
                "HTTP/1.1 409 Conflict\r\nContent-Length: %d\r\n\r\n%s"
                        .formatted(status.length(), status));

        assertThatThrownBy(this::patch)
                .isInstanceOfSatisfying(
                        ApiException.class,
                        e -> {
                            assertThat(e.reason()).isEqualTo(ErrorReason.CONFLICT);
                            assertThat(e.details().orElseThrow().causes()).hasSize(1);
                        });
    }

    @Test
    void pageOfAnotherServerIsNamedAsSuch() {
        server.answer("HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: /login\r\n\r\n");

        assertThatThrownBy(this::patch)
                .isInstanceOf(ApiException.class)
                .hasMessageContaining("answered 302 to PATCH /apis/x, not as orlojd would");
    }

    @Test
    void headerWithAControlCharacterIsNotSent() {
        assertThatThrownBy(
                        () ->
                                connection()
                                        .patch(
                                                Request.of("PATCH", "/x", new byte[0])
                                                        .withHeader("X", "a\r\nHost: b")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("control character");
    }

    @Test
    void serverThatIsAwayIsNamedWithTheRemedy() throws IOException {
        server.close();

        assertThatThrownBy(this::patch)
                .isInstanceOf(ConnectionException.class)
                .hasMessageContaining("connection refused; is orlojd running?");
    }
}
