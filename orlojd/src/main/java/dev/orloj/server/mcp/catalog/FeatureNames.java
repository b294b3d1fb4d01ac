package dev.orloj.server.mcp.catalog;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.codec.Json;
import dev.orloj.server.mcp.protocol.EndpointScope;
import dev.orloj.server.mcp.protocol.ProtocolError;
import dev.orloj.server.mcp.uri.NamespaceUri;
import dev.orloj.server.mcp.uri.ViewLinks;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Makes the names of prompts and resources unique in an endpoint of many servers by prefixing the
 * name of the server. A server name is a DNS label without {@code _}, so the end of the prefix is
 * unambiguous. The endpoint of one server uses the server's own names.
 */
public final class FeatureNames {

    private static final String SEPARATOR = "__";

    private FeatureNames() {}

    /** A prompt or resource of a server, by the server's own name. */
    public record Owned(ResourceKey server, String name) {}

    static String prompt(EndpointScope scope, ResourceKey server, String name) {
        return switch (scope) {
            case EndpointScope.Namespace _ -> server.name() + SEPARATOR + name;
            case EndpointScope.Server _ -> name;
        };
    }

    public static String uri(EndpointScope scope, ResourceKey server, String uri) {
        return switch (scope) {
            case EndpointScope.Namespace _ -> new NamespaceUri(server.name(), uri).text();
            case EndpointScope.Server _ -> uri;
        };
    }

    /**
     * @throws ProtocolError when the endpoint has not issued the name
     */
    public static Owned ownerOfPrompt(EndpointScope scope, String name) {
        return switch (scope) {
            case EndpointScope.Server(ResourceKey server) -> new Owned(server, name);
            case EndpointScope.Namespace namespace -> {
                int end = name.indexOf(SEPARATOR);
                if (end <= 0) {
                    throw ProtocolError.unknown(name);
                }
                yield new Owned(
                        shown(namespace, name.substring(0, end), name),
                        name.substring(end + SEPARATOR.length()));
            }
        };
    }

    /**
     * @throws ProtocolError when the endpoint has not issued the URI
     */
    public static Owned ownerOfUri(EndpointScope scope, String uri) {
        return switch (scope) {
            case EndpointScope.Server(ResourceKey server) -> new Owned(server, uri);
            case EndpointScope.Namespace namespace -> {
                NamespaceUri read =
                        NamespaceUri.parse(uri).orElseThrow(() -> ProtocolError.unknown(uri));
                yield new Owned(shown(namespace, read.server(), uri), read.uri());
            }
        };
    }

    private static ResourceKey shown(EndpointScope.Namespace scope, String server, String name) {
        ResourceKey key = new ResourceKey(scope.namespace(), server);
        if (!scope.covers(key)) {
            throw ProtocolError.unknown(name);
        }
        return key;
    }

    /**
     * A result with URIs that a client can use: those of resource contents, those in the content of
     * prompts and tools, and links to views.
     */
    public static ObjectNode withUris(EndpointScope scope, ResourceKey server, ObjectNode result) {
        if (scope instanceof EndpointScope.Server || !mentionsUris(result)) {
            return result;
        }
        ObjectNode mapped = result.deepCopy();
        mapViews(scope, server, mapped);
        mapped.path("contents").forEach(content -> map(scope, server, content));
        mapped.path("content").forEach(block -> mapBlock(scope, server, block));
        for (JsonNode message : mapped.path("messages")) {
            JsonNode content = message.path("content");
            if (content.isArray()) {
                content.forEach(block -> mapBlock(scope, server, block));
            } else {
                mapBlock(scope, server, content);
            }
        }
        return mapped;
    }

    private static boolean mentionsUris(ObjectNode result) {
        return result.has("contents")
                || result.has("messages")
                || ViewLinks.areIn(result)
                || result.path("content")
                        .valueStream()
                        .anyMatch(
                                block ->
                                        block.has("uri")
                                                || block.has("resource")
                                                || ViewLinks.areIn(block));
    }

    private static void mapBlock(EndpointScope scope, ResourceKey server, JsonNode block) {
        switch (block.path("type").asString("")) {
            case "resource_link" -> map(scope, server, block);
            case "resource" -> {
                mapViews(scope, server, block);
                map(scope, server, block.path("resource"));
            }
            default -> mapViews(scope, server, block);
        }
    }

    private static void map(EndpointScope scope, ResourceKey server, JsonNode holder) {
        if (holder instanceof ObjectNode object && object.path("uri").isString()) {
            object.put("uri", uri(scope, server, object.path("uri").asString()));
        }
        mapViews(scope, server, holder);
    }

    private static void mapViews(EndpointScope scope, ResourceKey server, JsonNode holder) {
        ViewLinks.rename(holder, view -> uri(scope, server, view));
    }

    /** The definition of a tool with links to views that a client can read. */
    static ObjectNode withViews(EndpointScope scope, ResourceKey server, ObjectNode definition) {
        if (scope instanceof EndpointScope.Server || !ViewLinks.areIn(definition)) {
            return definition;
        }
        ObjectNode mapped = definition.deepCopy();
        mapViews(scope, server, mapped);
        return mapped;
    }

    /** A list item under its name in the endpoint. */
    static ObjectNode item(
            EndpointScope scope, ResourceKey server, FeatureList list, ObjectNode item) {
        JsonNode own = item.path(list.key());
        if (scope instanceof EndpointScope.Server || !own.isString()) {
            return item;
        }
        String name =
                list == FeatureList.PROMPTS
                        ? prompt(scope, server, own.asString())
                        : uri(scope, server, own.asString());
        return withViews(
                scope, server, Json.MAPPER.createObjectNode().setAll(item).put(list.key(), name));
    }
}
