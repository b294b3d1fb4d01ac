package dev.orloj.server.rest.presentation;

import dev.orloj.api.ResourceVersion;
import dev.orloj.api.codec.Json;
import dev.orloj.api.codec.KindDescriptor;
import dev.orloj.server.rest.http.HttpExchange;
import dev.orloj.server.rest.http.MediaTypes;
import dev.orloj.server.store.table.DocumentList;

import tools.jackson.databind.node.ObjectNode;

import java.time.InstantSource;

/** Shows documents of one kind in the form that a client accepts. Belongs to one request. */
public interface Presentation {

    /** A single resource. */
    ObjectNode one(ObjectNode document);

    ObjectNode list(DocumentList page);

    /** The object of a watch event. */
    ObjectNode event(ObjectNode document);

    /** Whether watches whose presentations are equal show an event in the same way. */
    boolean isCommon();

    /** The object of a bookmark, which has only a revision. */
    ObjectNode bookmark(ResourceVersion version, boolean initialEventsEnd);

    /**
     * The first supported form in the client's order.
     *
     * @throws dev.orloj.api.ApiException (NotAcceptable, BadRequest)
     */
    static Presentation negotiate(
            HttpExchange exchange, KindDescriptor<?> kind, InstantSource clock) {
        for (MediaTypes.MediaType type : exchange.accepted()) {
            if (!type.isJson()) {
                continue;
            }
            if (!type.isTransform()) {
                return new WholeObjects(kind);
            }
            for (String version : new String[] {"v1", "v1beta1"}) {
                if (type.isTransform("Table", "meta.k8s.io", version)) {
                    return new KubernetesTable(
                            kind, version, KubernetesTable.Include.of(exchange.query()), clock);
                }
                if (type.isTransform("PartialObjectMetadata", "meta.k8s.io", version)
                        || type.isTransform("PartialObjectMetadataList", "meta.k8s.io", version)) {
                    return new MetadataOnly(kind, version);
                }
            }
        }
        throw MediaTypes.notAcceptable(MediaTypes.JSON);
    }

    /** The metadata of a list. */
    static ObjectNode listMetadata(DocumentList page) {
        ObjectNode metadata = Json.MAPPER.createObjectNode();
        metadata.put("resourceVersion", page.version().toString());
        if (!page.continueToken().isEmpty()) {
            metadata.put("continue", page.continueToken());
            if (page.remaining() >= 0) {
                metadata.put("remainingItemCount", page.remaining());
            }
        }
        return metadata;
    }

    /** The metadata of a bookmark. */
    static ObjectNode bookmarkMetadata(ResourceVersion version, boolean initialEventsEnd) {
        ObjectNode metadata = Json.MAPPER.createObjectNode();
        metadata.put("resourceVersion", version.toString());
        metadata.putNull("creationTimestamp");
        if (initialEventsEnd) {
            metadata.putObject("annotations").put("k8s.io/initial-events-end", "true");
        }
        return metadata;
    }
}
