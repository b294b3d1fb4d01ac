package dev.orloj.cli.http;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.FieldSelector;
import dev.orloj.api.Kind;
import dev.orloj.api.LabelSelector;
import dev.orloj.api.Resource;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.ResourceVersion;
import dev.orloj.api.client.DeleteOptions;
import dev.orloj.api.client.ListOptions;
import dev.orloj.api.client.Propagation;
import dev.orloj.api.client.ResourceClient;
import dev.orloj.api.client.ResourceList;
import dev.orloj.api.client.Watch;
import dev.orloj.api.client.WatchOptions;
import dev.orloj.api.codec.Json;
import dev.orloj.api.codec.ResourceCodec;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Resources of a server somewhere else. Safe for many threads. */
public final class HttpResourceClient implements ResourceClient {

    private static final DocumentClient.WriteMode PLAIN = new DocumentClient.WriteMode(false, "");
    private static final int PATCH_ATTEMPTS = 10;

    private final ApiConnection connection;
    private final DocumentClient documents;

    public HttpResourceClient(ApiConnection connection) {
        this.connection = connection;
        this.documents = new DocumentClient(connection);
    }

    @Override
    public <R extends Resource> Optional<R> find(Kind<R> kind, ResourceKey key) {
        return documents.find(kind, key).map(document -> typed(kind, document));
    }

    @Override
    public <R extends Resource> ResourceList<R> list(Kind<R> kind, ListOptions options) {
        Request request =
                select(kind, options.namespace(), options.labels(), options.fields())
                        .with("limit", options.limit() == 0 ? "" : "" + options.limit())
                        .with("continue", options.continueToken());
        if (options.continueToken().isEmpty()) {
            request = request.with("resourceVersion", options.notOlderThan().toString());
        }
        JsonNode page = Json.MAPPER.readTree(connection.read(request));
        List<R> items = new ArrayList<>();
        for (JsonNode item : page.path("items")) {
            items.add(typed(kind, (ObjectNode) item));
        }
        String token = page.at("/metadata/continue").asString("");
        return new ResourceList<>(
                ResourceVersion.parse(page.at("/metadata/resourceVersion").asString("")),
                items,
                token,
                page.at("/metadata/remainingItemCount").asLong(token.isEmpty() ? 0 : -1));
    }

    @Override
    public <R extends Resource> Watch<R> watch(Kind<R> kind, WatchOptions options) {
        Request request =
                select(kind, options.namespace(), options.labels(), options.fields())
                        .with("watch", "true")
                        .with("allowWatchBookmarks", "true")
                        .with("resourceVersion", options.from().toString());
        return new HttpWatch<>(kind, connection.send(request.waiting(HttpWatch.SILENCE)));
    }

    private static Request select(
            Kind<?> kind, String namespace, LabelSelector labels, FieldSelector fields) {
        return Request.get(Paths.of(kind, namespace))
                .with("labelSelector", Selectors.text(labels))
                .with("fieldSelector", Selectors.text(fields));
    }

    @Override
    public <R extends Resource> R create(Kind<R> kind, R resource) {
        ObjectNode document = ResourceCodec.toDocument(resource);
        return typed(kind, documents.create(kind, resource.key().namespace(), document, PLAIN));
    }

    @Override
    public <R extends Resource> R update(Kind<R> kind, R resource) {
        ObjectNode document = ResourceCodec.toDocument(resource);
        return typed(kind, documents.replace(kind, resource.key(), document, PLAIN));
    }

    @Override
    public <R extends Resource> R updateStatus(Kind<R> kind, R resource) {
        return updatePart(kind, "status", resource);
    }

    @Override
    public <R extends Resource> R updateFinalizers(Kind<R> kind, R resource) {
        return updatePart(kind, "finalize", resource);
    }

    private <R extends Resource> R updatePart(Kind<R> kind, String part, R resource) {
        ObjectNode document = ResourceCodec.toDocument(resource);
        return typed(kind, documents.replacePart(kind, resource.key(), part, document));
    }

    /** The JDK's connection knows no PATCH: the same is done by reading, merging and replacing. */
    @Override
    public <R extends Resource> R patch(Kind<R> kind, ResourceKey key, ObjectNode mergePatch) {
        boolean isConditional = mergePatch.at("/metadata/resourceVersion").isString();
        int attempts = isConditional ? 1 : PATCH_ATTEMPTS;
        while (true) {
            ObjectNode document = documents.get(kind, key);
            merge(document, mergePatch);
            try {
                return typed(kind, documents.replace(kind, key, document, PLAIN));
            } catch (ApiException e) {
                attempts--;
                if (e.reason() != ErrorReason.CONFLICT || attempts == 0) {
                    throw e;
                }
            }
        }
    }

    private static void merge(ObjectNode target, ObjectNode patch) {
        for (Map.Entry<String, JsonNode> field : patch.properties()) {
            if (field.getValue().isNull()) {
                target.remove(field.getKey());
            } else if (field.getValue() instanceof ObjectNode inner) {
                if (!(target.get(field.getKey()) instanceof ObjectNode)) {
                    target.putObject(field.getKey());
                }
                merge((ObjectNode) target.get(field.getKey()), inner);
            } else {
                target.set(field.getKey(), field.getValue());
            }
        }
    }

    @Override
    public <R extends Resource> void delete(Kind<R> kind, ResourceKey key, DeleteOptions options) {
        ObjectNode body = Json.MAPPER.createObjectNode();
        ObjectNode preconditions = Json.MAPPER.createObjectNode();
        if (!options.uid().isEmpty()) {
            preconditions.put("uid", options.uid());
        }
        if (options.resourceVersion().isSet()) {
            preconditions.put("resourceVersion", options.resourceVersion().toString());
        }
        if (!preconditions.isEmpty()) {
            body.set("preconditions", preconditions);
        }
        if (options.dryRun()) {
            body.putArray("dryRun").add("All");
        }
        Propagation propagation = options.propagation();
        if (propagation != null) {
            body.put("propagationPolicy", propagation.wireName());
        }
        documents.delete(kind, key, body);
    }

    private static <R extends Resource> R typed(Kind<R> kind, ObjectNode document) {
        return ResourceCodec.fromDocument(kind, document);
    }
}
