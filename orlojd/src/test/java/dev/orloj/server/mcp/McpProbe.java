package dev.orloj.server.mcp;

import dev.orloj.api.codec.Json;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.StringJoiner;
import java.util.stream.Collectors;

/** Sends to an MCP endpoint what a test says, and leaves the answer as it is. */
public final class McpProbe {

    private static final HttpClient CLIENT =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private final URI uri;

    public McpProbe(URI uri) {
        this.uri = uri;
    }

    /** An answer with its body read. */
    public record Answer(HttpResponse<String> response) {

        public int code() {
            return response.statusCode();
        }

        public String header(String name) {
            return response.headers().firstValue(name).orElse("");
        }

        public String text() {
            return response.body();
        }

        /** The document, or the last message of the stream. */
        public JsonNode json() {
            return header("Content-Type").startsWith("text/event-stream")
                    ? messages().getLast()
                    : Json.MAPPER.readTree(text());
        }

        public List<JsonNode> messages() {
            return McpProbe.messages(text());
        }

        /** The value at a JSON pointer, as text. */
        public String at(String pointer) {
            JsonNode node = json().at(pointer);
            return node.isValueNode() ? node.asString() : node.toString();
        }
    }

    private static List<JsonNode> messages(String events) {
        return Arrays.stream(events.split("\n\n"))
                .map(McpProbe::data)
                .filter(data -> !data.isEmpty())
                .map(Json.MAPPER::readTree)
                .toList();
    }

    private static String data(String event) {
        return event.lines()
                .filter(line -> line.startsWith("data: "))
                .map(line -> line.substring("data: ".length()))
                .collect(Collectors.joining("\n"));
    }

    /** Headers are names and values in turn; those that every agent sends are there already. */
    public Answer post(String body, String... headers) {
        return send(
                "POST",
                HttpRequest.BodyPublishers.ofString(body),
                with(
                        headers,
                        "Content-Type",
                        "application/json",
                        "Accept",
                        "application/json, text/event-stream"));
    }

    /** With no other headers than these. */
    Answer send(String method, String body, String... headers) {
        return send(method, HttpRequest.BodyPublishers.ofString(body), headers);
    }

    private Answer send(String method, HttpRequest.BodyPublisher body, String... headers) {
        return exchange(request(headers).method(method, body).build());
    }

    /** Opens a stream; closing it is what an agent does that does not listen any more. */
    Stream open(String method, String body, String... headers) {
        String[] all =
                with(
                        headers,
                        "Content-Type",
                        "application/json",
                        "Accept",
                        "application/json, text/event-stream");
        try {
            HttpResponse<InputStream> response =
                    CLIENT.send(
                            request(all)
                                    .method(method, HttpRequest.BodyPublishers.ofString(body))
                                    .build(),
                            HttpResponse.BodyHandlers.ofInputStream());
            return new Stream(response);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** A stream of events that is being read. */
    public static final class Stream implements AutoCloseable {

        private final HttpResponse<InputStream> response;

        private Stream(HttpResponse<InputStream> response) {
            this.response = response;
        }

        public int code() {
            return response.statusCode();
        }

        String header(String name) {
            return response.headers().firstValue(name).orElse("");
        }

        /** The next message, however long it takes. */
        public JsonNode next() throws IOException {
            return Json.MAPPER.readTree(nextData());
        }

        /** The data of the next event, however long it takes. */
        String nextData() throws IOException {
            StringJoiner data = new StringJoiner("\n").setEmptyValue("");
            while (true) {
                String line = line();
                if (line.startsWith("data: ")) {
                    data.add(line.substring("data: ".length()));
                } else if (line.isEmpty() && data.length() > 0) {
                    return data.toString();
                }
            }
        }

        /** Whether no message comes any more. */
        boolean isAtEnd() throws IOException {
            String rest = new String(response.body().readAllBytes(), StandardCharsets.UTF_8);
            return messages(rest).isEmpty();
        }

        /** The lines of the next event, the message or the beginning. */
        List<String> nextEvent() throws IOException {
            List<String> lines = new ArrayList<>();
            for (String line = line(); !line.isEmpty() || lines.isEmpty(); line = line()) {
                if (!line.isEmpty() && !line.startsWith(":")) {
                    lines.add(line);
                }
            }
            return lines;
        }

        private String line() throws IOException {
            StringBuilder line = new StringBuilder();
            for (int c = response.body().read(); c != '\n'; c = response.body().read()) {
                if (c < 0) {
                    throw new IOException("The stream ended");
                }
                line.append((char) c);
            }
            byte[] bytes = line.toString().getBytes(StandardCharsets.ISO_8859_1);
            return new String(bytes, StandardCharsets.UTF_8);
        }

        @Override
        public void close() throws IOException {
            response.body().close();
        }
    }

    private HttpRequest.Builder request(String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(30));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return request;
    }

    private static String[] with(String[] headers, String... usual) {
        String[] all = new String[headers.length + usual.length];
        System.arraycopy(usual, 0, all, 0, usual.length);
        System.arraycopy(headers, 0, all, usual.length, headers.length);
        return all;
    }

    private static Answer exchange(HttpRequest request) {
        try {
            return new Answer(CLIENT.send(request, HttpResponse.BodyHandlers.ofString()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
