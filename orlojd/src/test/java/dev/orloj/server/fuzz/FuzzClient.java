package dev.orloj.server.fuzz;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Sends what is wrong, and judges the answers. */
final class FuzzClient {

    /** Stack traces, names of classes, and the words of the JSON parser. */
    private static final Pattern OF_JAVA =
            Pattern.compile(
                    "\\tat"
                        + " |[a-z]Exception\\b|\\b(java|javax|jakarta|tools\\.jackson|com\\.fasterxml"
                        + "|org\\.springframework|org\\.apache|org\\.postgresql"
                        + "|dev\\.orloj\\.(api|server|runtime|controllers))\\.\\w|Unexpected"
                        + " (character|end-of-input)|was expecting|Cannot"
                        + " (construct|deserialize)|JsonToken|Unrecognized token");

    private static final int INTERNAL_ERROR = 500;
    private static final int UNAVAILABLE = 503;

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final String url;

    FuzzClient(String url) {
        this.url = url;
    }

    /**
     * @param headers names and values in turn
     * @param charset of the body on the wire
     */
    record Request(String method, String path, String body, List<String> headers, Charset charset) {

        Request(String method, String path, String body, List<String> headers) {
            this(method, path, body, headers, StandardCharsets.UTF_8);
        }

        @Override
        public String toString() {
            return "%s %.200s %s %.300s".formatted(method, path, headers, body);
        }
    }

    /** What an answer begins with; a watch that goes on is cut off. */
    record Answer(int code, Map<String, List<String>> headers, String text) {

        String header(String name) {
            return headers.getOrDefault(name, List.of("")).getFirst();
        }
    }

    Answer send(Request request, boolean readsSuccess) {
        HttpRequest.Builder sent =
                HttpRequest.newBuilder(URI.create(url + request.path()))
                        .timeout(Duration.ofSeconds(20))
                        .method(
                                request.method(),
                                request.body().isEmpty()
                                        ? BodyPublishers.noBody()
                                        : BodyPublishers.ofString(
                                                request.body(), request.charset()));
        if (!request.headers().isEmpty()) {
            sent.headers(request.headers().toArray(String[]::new));
        }
        try {
            HttpResponse<InputStream> answer =
                    http.send(sent.build(), HttpResponse.BodyHandlers.ofInputStream());
            try (InputStream body = answer.body()) {
                boolean reads = readsSuccess || answer.statusCode() >= 400;
                String text = reads ? new String(body.readAllBytes(), StandardCharsets.UTF_8) : "";
                return new Answer(answer.statusCode(), answer.headers().map(), text);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(request.toString(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** What is wrong with an answer; empty when nothing is. */
    static Optional<String> fault(Request request, Answer answer) {
        boolean failed =
                answer.code() >= INTERNAL_ERROR
                        && answer.code() != UNAVAILABLE
                        && !answer.text().contains("Too large resource version");
        boolean isJava = OF_JAVA.matcher(answer.text()).find();
        return failed || isJava
                ? Optional.of("%s -> %d %.600s".formatted(request, answer.code(), answer.text()))
                : Optional.empty();
    }
}
