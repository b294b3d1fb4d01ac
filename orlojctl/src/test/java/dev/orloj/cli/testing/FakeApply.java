package dev.orloj.cli.testing;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.Kind;
import dev.orloj.api.ObjectMeta;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.Status;
import dev.orloj.api.codec.DocumentCheck;
import dev.orloj.api.codec.ResourceCodec;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Apply patches without the account of owners: what a manager applied before and applies no longer
 * goes, and every list is one value. The tests of orlojd have the real thing.
 */
public final class FakeApply {

    private final FakeResources resources;
    private final Map<List<Object>, ObjectNode> last = new ConcurrentHashMap<>();
    private volatile Consumer<String> beforeApply = _ -> {};
    private volatile List<String> warnings = List.of();
    private volatile boolean isOld;

    /** What an apply did, and the resource after it. */
    record Result(String outcome, ObjectNode document) {}

    FakeApply(FakeResources resources) {
        this.resources = resources;
    }

    /** Takes the name of every resource before it is applied, on the thread of its request. */
    public void beforeApply(Consumer<String> action) {
        beforeApply = action;
    }

    /** Makes the server one that does not say what an apply changed. */
    public void beOld() {
        isOld = true;
    }

    boolean isOld() {
        return isOld;
    }

    /** What every apply is answered with. */
    public void warn(String... texts) {
        warnings = List.of(texts);
    }

    List<String> warnings() {
        return warnings;
    }

    /** Refuses an apply because of another manager's fields, each {@code owner: .path}. */
    public static ApiException conflict(String... fields) {
        List<Status.Cause> causes =
                List.of(fields).stream()
                        .map(field -> field.split(": ", 2))
                        .map(
                                field ->
                                        new Status.Cause(
                                                "FieldManagerConflict",
                                                "conflict with \"%s\"".formatted(field[0]),
                                                field[1]))
                        .toList();
        return new ApiException(
                ErrorReason.CONFLICT,
                "Apply failed with %d conflicts".formatted(fields.length),
                new Status.Details("", "", "", "", causes, 0));
    }

    Result apply(FakePath path, Map<String, String> query, ObjectNode config) {
        beforeApply.accept(path.name());
        requireDeclared(path, config);
        Kind<?> kind = path.descriptor().kind();
        Optional<ObjectNode> live = find(kind, path.key());
        List<Object> owner = List.of(kind, path.key(), query.get("fieldManager"));
        ObjectNode wanted = config.deepCopy();
        Result result =
                live.isPresent()
                        ? change(path, query, live.get(), wanted, last.get(owner))
                        : new Result("created", resources.create(path, query, wanted));
        if (!query.containsKey("dryRun")) {
            last.put(owner, config);
        }
        return result;
    }

    private Optional<ObjectNode> find(Kind<?> kind, ResourceKey key) {
        return resources.store().find(kind, key).map(ResourceCodec::toDocument);
    }

    private Result change(
            FakePath path,
            Map<String, String> query,
            ObjectNode live,
            ObjectNode config,
            ObjectNode before) {
        ObjectNode next = live.deepCopy();
        if (before != null) {
            prune(next, before, config);
        }
        merge(next, config);
        ObjectNode written = resources.replace(path, query, next);
        String outcome = content(written).equals(content(live)) ? "unchanged" : "configured";
        return new Result(outcome, written);
    }

    private static void prune(ObjectNode target, JsonNode before, JsonNode now) {
        for (Map.Entry<String, JsonNode> field : before.properties()) {
            JsonNode kept = now.path(field.getKey());
            if (kept.isMissingNode()) {
                target.remove(field.getKey());
            } else if (target.get(field.getKey()) instanceof ObjectNode inner) {
                prune(inner, field.getValue(), kept);
            }
        }
    }

    private static void merge(ObjectNode target, ObjectNode config) {
        for (Map.Entry<String, JsonNode> field : config.properties()) {
            if (field.getValue() instanceof ObjectNode inner
                    && target.get(field.getKey()) instanceof ObjectNode known) {
                merge(known, inner);
            } else {
                target.set(field.getKey(), field.getValue());
            }
        }
    }

    private static void requireDeclared(FakePath path, ObjectNode config) {
        List<String> unknown =
                DocumentCheck.of(path.descriptor(), config.deepCopy()).unknownFields();
        if (!unknown.isEmpty()) {
            throw ApiException.badRequest(
                    "failed to create typed patch object (%s/%s; %s, Kind=%s): errors:\n%s"
                            .formatted(
                                    path.namespace(),
                                    path.name(),
                                    path.descriptor().kind().apiVersion(),
                                    path.descriptor().kind().name(),
                                    unknown.stream()
                                            .map(f -> "  ." + f + ": field not declared in schema")
                                            .collect(Collectors.joining("\n"))));
        }
    }

    private static ObjectNode content(ObjectNode document) {
        ObjectNode content = document.deepCopy();
        if (content.path("metadata") instanceof ObjectNode metadata) {
            metadata.remove(ObjectMeta.SERVER_OWNED);
        }
        return content;
    }
}
