package dev.orloj.benchmarks.call;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

class EchoServerTest {

    @Test
    void whatIsSaidComesBackAsItWasSpelled() throws IOException {
        assertThat(
                        answersTo(
                                """
                                {"params":{"name":"echo","arguments":{"x":["}",{}],"message":"a \\"b\\" \\u00e9"}},"id":"7","method":"tools/call"}
                                """))
                .isEqualTo(
                        """
                        {"jsonrpc":"2.0","id":"7","result":{"content":[{"type":"text","text":"a \\"b\\" \\u00e9"}],"isError":false}}
                        """);
    }

    @Test
    void notificationsGetNoAnswerAndUnknownMethodsAnError() throws IOException {
        assertThat(
                        answersTo(
                                """
                                {"jsonrpc":"2.0","method":"notifications/initialized"}
                                {"jsonrpc":"2.0","id":1,"method":"ping"}
                                {"jsonrpc":"2.0","id":2,"method":"resources/list"}
                                """))
                .isEqualTo(
                        """
                        {"jsonrpc":"2.0","id":1,"result":{}}
                        {"jsonrpc":"2.0","id":2,"error":{"code":-32601,"message":"Method not found"}}
                        """);
    }

    @Test
    void linesMayArriveInPieces() throws IOException {
        byte[] request =
                "{ \"id\" : 3 , \"method\" : \"ping\" }\n".getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream out = new ByteArrayOutputStream();

        serve(
                new ByteArrayInputStream(request) {
                    @Override
                    public synchronized int read(byte[] buffer, int offset, int length) {
                        return super.read(buffer, offset, Math.min(1, length));
                    }
                },
                out);

        assertThat(out).hasToString("{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{}}\n");
    }

    private static String answersTo(String lines) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        serve(new ByteArrayInputStream(lines.getBytes(StandardCharsets.UTF_8)), out);
        return out.toString(StandardCharsets.UTF_8);
    }

    private static void serve(InputStream in, ByteArrayOutputStream out) throws IOException {
        new EchoServer().serve(in, out);
    }
}
