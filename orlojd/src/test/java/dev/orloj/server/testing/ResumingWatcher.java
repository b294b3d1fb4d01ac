package dev.orloj.server.testing;

import dev.orloj.api.codec.Json;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

/**
 * Watches a collection as a client does that is cut off again and again: it goes on from the last
 * revision it saw, at whatever address the server then has.
 */
public final class ResumingWatcher implements AutoCloseable {

    /** One event as it was received. */
    public record Seen(String type, String name, long version) {}

    private final HttpClient http = HttpClient.newHttpClient();
    private final String path;
    private final List<Seen> seen = new CopyOnWriteArrayList<>();
    private final Thread thread = Thread.ofVirtual().name("watcher").unstarted(this::run);
    private volatile String url;
    private volatile boolean closed;
    private volatile long position;

    public ResumingWatcher(String url, String path, long from) {
        this.url = url;
        this.path = path;
        this.position = from;
        thread.start();
    }

    /** All events so far, in the order they came. */
    public List<Seen> seen() {
        return List.copyOf(seen);
    }

    /** Where the server is from now on. */
    public void moveTo(String newUrl) {
        url = newUrl;
    }

    private void run() {
        while (!closed) {
            String uri = "%s%s?watch=true&resourceVersion=%d".formatted(url, path, position);
            HttpRequest request = HttpRequest.newBuilder(URI.create(uri)).build();
            try (Stream<String> lines =
                    http.send(request, HttpResponse.BodyHandlers.ofLines()).body()) {
                lines.forEach(this::take);
            } catch (IOException | UncheckedIOException e) {
                Thread.onSpinWait(); // cut off: come back at once
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private void take(String line) {
        JsonNode event = Json.MAPPER.readTree(line);
        JsonNode metadata = event.at("/object/metadata");
        long version = Long.parseLong(metadata.path("resourceVersion").asString("0"));
        String type = event.path("type").asString();
        if (type.equals("ERROR")) {
            throw new IllegalStateException("the watch reported an error: " + line);
        }
        position = version;
        if (!type.equals("BOOKMARK")) {
            seen.add(new Seen(type, metadata.path("name").asString(), version));
        }
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
    }
}
