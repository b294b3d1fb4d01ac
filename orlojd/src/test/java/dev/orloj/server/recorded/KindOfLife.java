package dev.orloj.server.recorded;

import static org.awaitility.Awaitility.await;

import dev.orloj.server.testing.RestClient;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/**
 * A row of the table of kinds that the same script is run for.
 *
 * @param collection below the path of the API
 * @param members of a document beside its metadata
 * @param finalizer which its controller keeps; empty where there is none
 */
record KindOfLife(String kind, String path, String collection, String members, String finalizer) {

    private static final String NAMESPACE = "lives";

    private static final String READ_ONLY = "read-only";
    private static final String OF_NAMESPACES = "kubernetes";

    static List<KindOfLife> read(Path table) throws IOException {
        return Files.readAllLines(table).stream()
                .filter(line -> !line.startsWith("#"))
                .map(line -> line.replace("${ns}", NAMESPACE).split("\\|"))
                .map(cells -> Arrays.stream(cells).map(String::strip).toArray(String[]::new))
                .map(cells -> new KindOfLife(cells[0], cells[1], cells[2], cells[3], cells[4]))
                .toList();
    }

    /** Says to a recorder what the names in the script stand for. */
    void set(Recorder recorder) {
        recorder.set("kind", kind);
        recorder.set("name", kind.replace("Core", "").replace("EventsV1", ""));
        recorder.set("version", path.replaceFirst("^/apis?/", ""));
        recorder.set("path", path);
        recorder.set("collection", collection);
        recorder.set("all", collection.replace("/namespaces/" + NAMESPACE, ""));
        recorder.set("members", members);
        recorder.set("finalizer", hasController() ? '"' + finalizer + '"' : "");
        recorder.set("comma", hasController() ? ", " : "");
        recorder.set("lines", finalizer.equals(READ_ONLY) ? "0" : "1");
        recorder.set("bookmark", finalizer.equals(READ_ONLY) ? "1" : "2");
    }

    /** Waits until its controller has done what it does after a write. */
    void awaitSteady(RestClient client) {
        if (hasController() || finalizer.equals(OF_NAMESPACES)) {
            await(kind)
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> client.get(path + collection + "/life").body(), this::isSteady);
        }
    }

    private boolean hasController() {
        return finalizer.contains("/");
    }

    private boolean isSteady(JsonNode resource) {
        if (resource.path("kind").asString("").equals("Status")) {
            return true;
        }
        JsonNode metadata = resource.path("metadata");
        boolean kept = isIn(metadata) || isIn(resource.path("spec"));
        if (metadata.has("deletionTimestamp")) {
            return !kept;
        }
        return !hasController()
                || kept
                        && resource.path("status")
                                .path("observedGeneration")
                                .equals(metadata.path("generation"));
    }

    private boolean isIn(JsonNode part) {
        return part.path("finalizers").valueStream().anyMatch(f -> f.asString().equals(finalizer));
    }
}
