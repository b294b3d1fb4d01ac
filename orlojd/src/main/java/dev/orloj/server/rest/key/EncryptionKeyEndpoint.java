package dev.orloj.server.rest.key;

import dev.orloj.api.ApiException;
import dev.orloj.api.codec.Json;
import dev.orloj.server.audit.AuditFilter;
import dev.orloj.server.processing.Processing;
import dev.orloj.server.rest.http.MediaTypes;
import dev.orloj.server.rest.http.RequestBody;
import dev.orloj.server.rest.http.Responses;
import dev.orloj.server.store.key.EncryptionKey;
import dev.orloj.server.store.key.KeyRotation;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Set;
import java.util.TreeSet;

/** Lists the keys, without the keys themselves, and creates one: the rotation. */
@RestController
class EncryptionKeyEndpoint {

    private static final String PATH = "/apis/orloj.dev/v1/encryptionkeys";
    private static final String API_VERSION = "orloj.dev/v1";
    private static final String KIND = "EncryptionKey";
    private static final String ABANDONED = "abandonedKeys";
    private static final int MAX_ABANDONED = 32;
    private static final int MAX_ID = 512;

    private final KeyRotation rotation;
    private final Processing processing;

    EncryptionKeyEndpoint(KeyRotation rotation, Processing processing) {
        this.rotation = rotation;
        this.processing = processing;
    }

    @GetMapping(PATH)
    void list(HttpServletRequest request, HttpServletResponse response) throws IOException {
        MediaTypes.requireJson(MediaTypes.accepted(request.getHeader("Accept")));
        ObjectNode list = Json.MAPPER.createObjectNode();
        list.put("apiVersion", API_VERSION).put("kind", KIND + "List");
        list.putObject("metadata");
        ArrayNode items = list.putArray("items");
        rotation.list().forEach(key -> items.add(document(key)));
        Responses.json(response, 200, list);
    }

    @PostMapping(PATH)
    void create(HttpServletRequest request, HttpServletResponse response)
            throws IOException, InterruptedException {
        MediaTypes.requireJson(MediaTypes.accepted(request.getHeader("Accept")));
        RequestBody body = RequestBody.read(request);
        JsonNode root = processing.run(request, body::document).root();
        require(root, "apiVersion", API_VERSION);
        require(root, "kind", KIND);
        Set<String> abandoned = abandoned(root.path("spec").path(ABANDONED));
        String id = rotation.rotate(abandoned);
        AuditFilter.noteName(request, id);
        ObjectNode created = Json.MAPPER.createObjectNode();
        created.put("apiVersion", API_VERSION).put("kind", KIND);
        created.putObject("metadata").put("name", id);
        created.putObject("status").put("state", "Current");
        Responses.json(response, 201, created);
    }

    private static void require(JsonNode root, String field, String expected) {
        if (!root.path(field).asString(expected).equals(expected)) {
            throw ApiException.badRequest(
                    "%s: this path takes %s, found %s"
                            .formatted(field, expected, root.path(field)));
        }
    }

    private static Set<String> abandoned(JsonNode ids) {
        Set<String> abandoned = new TreeSet<>();
        if (ids.isMissingNode() || ids.isNull()) {
            return abandoned;
        }
        if (!ids.isArray() || ids.size() > MAX_ABANDONED) {
            throw ApiException.badRequest(
                    "spec.%s: must be a list of at most %d ids of keys"
                            .formatted(ABANDONED, MAX_ABANDONED));
        }
        for (JsonNode id : ids) {
            if (!id.isString() || id.asString().length() > MAX_ID) {
                throw ApiException.badRequest(
                        "spec.%s: must have ids of keys, which have at most %d characters"
                                .formatted(ABANDONED, MAX_ID));
            }
            abandoned.add(id.asString());
        }
        return abandoned;
    }

    private static ObjectNode document(EncryptionKey key) {
        ObjectNode document = Json.MAPPER.createObjectNode();
        document.put("apiVersion", API_VERSION).put("kind", KIND);
        ObjectNode metadata = document.putObject("metadata").put("name", key.id());
        key.createdAt().ifPresent(at -> metadata.put("creationTimestamp", seconds(at)));
        ObjectNode status = document.putObject("status").put("state", key.state());
        if (!key.wrappedBy().isEmpty()) {
            status.put("wrappedBy", key.wrappedBy());
        }
        status.put("values", key.values());
        key.removedAt().ifPresent(at -> status.put("removalTimestamp", seconds(at)));
        return document;
    }

    private static String seconds(Instant time) {
        return time.truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
