package dev.orloj.cli.command;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.ObjectMeta;
import dev.orloj.api.Status;
import dev.orloj.cli.http.DocumentClient;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Makes the server's resources be as manifests say. */
final class Applier {

    private static final int ATTEMPTS = 5;

    private final DocumentClient client;
    private final DocumentClient.WriteMode mode;

    /** What came of a manifest: what happened, and the resource as it is now. */
    record Outcome(String what, ObjectNode document) {}

    Applier(DocumentClient client, DocumentClient.WriteMode mode) {
        this.client = client;
        this.mode = mode;
    }

    /**
     * Creates the resource or changes it to what the manifest says.
     *
     * @throws ApiException when the server refuses it
     */
    Outcome apply(Submission submission) {
        int attempts = ATTEMPTS;
        while (true) {
            try {
                Optional<ObjectNode> stored = client.find(submission.kind(), submission.key());
                return stored.isPresent() ? replace(submission, stored.get()) : create(submission);
            } catch (ApiException e) {
                attempts--;
                boolean isRace =
                        e.reason() == ErrorReason.CONFLICT
                                || e.reason() == ErrorReason.ALREADY_EXISTS;
                if (!isRace || attempts == 0) {
                    throw e;
                }
            }
        }
    }

    private Outcome create(Submission submission) {
        ObjectNode document = submission.document().deepCopy();
        ((ObjectNode) document.path("metadata")).remove(ObjectMeta.SERVER_OWNED);
        return new Outcome(
                "created",
                client.create(submission.kind(), submission.key().namespace(), document, mode));
    }

    private Outcome replace(Submission submission, ObjectNode stored) {
        ObjectNode next = merge(submission.document(), stored);
        ObjectNode written = client.replace(submission.kind(), submission.key(), next, mode);
        boolean isSame =
                mode.dryRun()
                        ? content(written).equals(content(stored))
                        : version(written).equals(version(stored));
        return new Outcome(isSame ? "unchanged" : "configured", written);
    }

    /** The stored resource with everything that the manifest says put into it. */
    static ObjectNode merge(ObjectNode manifest, ObjectNode stored) {
        ObjectNode next = stored.deepCopy();
        for (Map.Entry<String, JsonNode> field : manifest.properties()) {
            if (!field.getKey().equals("metadata")) {
                next.set(field.getKey(), field.getValue().deepCopy());
            }
        }
        ObjectNode metadata = next.withObject("/metadata");
        for (Map.Entry<String, JsonNode> field : manifest.path("metadata").properties()) {
            boolean isMap = field.getValue().isObject();
            if (ObjectMeta.SERVER_OWNED.contains(field.getKey())) {
                continue;
            }
            if (isMap && metadata.get(field.getKey()) instanceof ObjectNode entries) {
                entries.setAll((ObjectNode) field.getValue());
            } else {
                metadata.set(field.getKey(), field.getValue().deepCopy());
            }
        }
        return next;
    }

    private static String version(ObjectNode document) {
        return document.at("/metadata/resourceVersion").asString("");
    }

    private static ObjectNode content(ObjectNode document) {
        ObjectNode content = document.deepCopy();
        if (content.path("metadata") instanceof ObjectNode metadata) {
            metadata.remove(ObjectMeta.SERVER_OWNED);
        }
        return content;
    }

    /** What a server found wrong with a manifest, each with the line that it stands in. */
    static List<String> explain(Submission submission, ApiException e) {
        List<String> unknown = unknownFields(e.getMessage());
        if (!unknown.isEmpty()) {
            // The server looked no further, as Kubernetes does; what else there is shows here, too.
            return Stream.concat(
                            unknown.stream().map(submission::unknown),
                            submission.check(false).stream())
                    .toList();
        }
        List<Status.Cause> causes = e.details().map(Status.Details::causes).orElse(List.of());
        if (e.reason() == ErrorReason.INVALID && !causes.isEmpty()) {
            return causes.stream()
                    .map(cause -> submission.locate(cause.field(), cause.message()))
                    .toList();
        }
        return List.of(
                submission.manifest().locate("") + ": " + e.getMessage() + remedy(submission, e));
    }

    private static String remedy(Submission submission, ApiException e) {
        boolean namespaceIsMissing =
                e.reason() == ErrorReason.NOT_FOUND
                        && e.details().map(d -> d.kind().equals("namespaces")).orElse(false);
        return namespaceIsMissing
                ? "; create it with: orlojctl create namespace " + submission.key().namespace()
                : "";
    }

    /** {@code strict decoding error: unknown field "spec.foo", unknown field "bar"}. */
    private static List<String> unknownFields(String message) {
        String marker = "unknown field \"";
        List<String> fields = new ArrayList<>();
        int at = message.indexOf(marker);
        while (at >= 0) {
            int start = at + marker.length();
            int end = message.indexOf('"', start);
            if (end < 0) {
                return fields;
            }
            fields.add(message.substring(start, end));
            at = message.indexOf(marker, end);
        }
        return fields;
    }
}
