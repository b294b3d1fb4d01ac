package dev.orloj.server.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.codec.Json;
import dev.orloj.server.rest.HttpProbe.Answer;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

class LargeAnswerTest {

    private final HttpProbe http = RestServer.shared().probe();
    private String tools = "";

    @BeforeEach
    void createLargeTool() {
        tools =
                "/apis/orloj.dev/v1/namespaces/%s/tools"
                        .formatted(RestServer.shared().freshNamespace());
        Answer created =
                http.post(
                        tools,
                        "{\"metadata\": {\"name\": \"a\"}, \"spec\": {\"description\": \"%s\"}}"
                                .formatted("x".repeat(200_000)));
        assertThat(created.code()).isEqualTo(201);
    }

    @Test
    void largeListIsCompressedForWhoAcceptsIt() throws IOException {
        Answer plain = http.get(tools);
        Answer compressed = http.get(tools, "Accept-Encoding", "br, gzip;q=0.5");

        assertThat(plain.header("Content-Encoding")).isEmpty();
        assertThat(plain.header("Vary")).contains("Accept-Encoding");
        assertThat(compressed.header("Content-Encoding")).isEqualTo("gzip");
        assertThat(compressed.response().body().length).isLessThan(10_000);
        try (GZIPInputStream in =
                new GZIPInputStream(new ByteArrayInputStream(compressed.response().body()))) {
            assertThat(Json.MAPPER.readTree(in)).isEqualTo(plain.json());
        }
    }

    @Test
    void smallListAndRefusalsAreLeftAlone() {
        assertThat(http.get("/apis/orloj.dev/v1/secrets", "Accept-Encoding", "gzip"))
                .extracting(answer -> answer.header("Content-Encoding"))
                .isEqualTo("");
        assertThat(http.get(tools, "Accept-Encoding", "gzip;q=0").header("Content-Encoding"))
                .isEmpty();
    }

    @Test
    void watchIsNeverCompressed() {
        HttpResponse<Stream<String>> watch =
                http.open(tools + "?watch=true&timeoutSeconds=1", "Accept-Encoding", "gzip");
        try (Stream<String> lines = watch.body()) {
            assertThat(watch.headers().firstValue("Content-Encoding")).isEmpty();
            assertThat(lines.findFirst().orElseThrow()).startsWith("{\"type\":\"ADDED\"");
        }
    }

    @Test
    void headHasTheHeadersAndNoBody() {
        Answer head = http.send("HEAD", tools, "");

        assertThat(head.code()).isEqualTo(200);
        assertThat(head.header("Content-Type")).startsWith("application/json");
        assertThat(head.text()).isEmpty();
        assertThat(http.send("HEAD", tools + "/nope", "").code()).isEqualTo(404);
    }
}
