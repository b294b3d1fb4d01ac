package dev.orloj.runtime.network;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

class ProxyRequestTest {

    private static ByteArrayInputStream bytes(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    @Test
    void theHostOfTheUrlIsSentToTheServer() throws IOException {
        ProxyRequest request =
                ProxyRequest.read(
                        bytes(
                                "POST http://a.example.com/x?y=1 HTTP/1.1\r\n"
                                        + "HOST: b.example.com\r\n"
                                        + "Proxy-Authorization: Basic eDp5\r\n"
                                        + "Connection: keep-alive\r\n"
                                        + "Content-Length: 2\r\n"
                                        + "\r\nhi"));

        assertThat(request)
                .isEqualTo(
                        new ProxyRequest(
                                "a.example.com",
                                80,
                                "POST /x?y=1 HTTP/1.1\r\n"
                                        + "Host: a.example.com\r\n"
                                        + "Content-Length: 2\r\n"
                                        + "Connection: close\r\n\r\n"));
    }

    @Test
    void aTunnelBeginsRightAfterTheHead() throws IOException {
        ByteArrayInputStream in = bytes("CONNECT [2606:4700::1]:443 HTTP/1.1\r\nA: b\r\n\r\nTLS");

        ProxyRequest request = ProxyRequest.read(in);

        assertThat(request).isEqualTo(new ProxyRequest("2606:4700::1", 443, ""));
        assertThat(request.isTunnel()).isTrue();
        assertThat(in.readAllBytes()).asString(StandardCharsets.US_ASCII).isEqualTo("TLS");
    }
}
