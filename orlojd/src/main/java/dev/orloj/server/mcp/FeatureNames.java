package dev.orloj.server.mcp;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.codec.Json;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * How prompts and resources of many servers keep apart in one endpoint: the name of the server goes
 * before theirs. As the name of a server is a DNS label, without {@code _} and {@code +}, it is
 * always told where it ends. In the endpoint of one server everything has its own name.
 */
final class FeatureNames {

    private static final String SEPARATOR = "__";
    private static final String SCHEME = "orloj+";
    private static final char END_OF_SERVER = '+';

    private FeatureNames() {}

    /** Something of a server, by its own name. */
    record Owned(ResourceKey server, String name) {}

    static String prompt(Scope scope, ResourceKey server, String name) {
        return switch (scope) {
            case Scope.Namespace _ -> server.name() + SEPARATOR + name;
            case Scope.Server _ -> name;
        };
    }

    static String uri(Scope scope, ResourceKey server, String uri) {
        return switch (scope) {
            case Scope.Namespace _ -> SCHEME + server.name() + END_OF_SERVER + uri;
            case Scope.Server _ -> uri;
        };
    }

    /**
     * @throws ProtocolError when it is none that the endpoint gave out
     */
    static Owned ownerOfPrompt(Scope scope, String name) {
        return switch (scope) {
            case Scope.Server(ResourceKey server) -> new Owned(server, name);
            case Scope.Namespace namespace -> {
                int end = name.indexOf(SEPARATOR);
                if (end <= 0) {
                    throw Outcomes.unknown(name);
                }
                yield new Owned(
                        shown(namespace, name.substring(0, end), name),
                        name.substring(end + SEPARATOR.length()));
            }
        };
    }

    /**
     * @throws ProtocolError when it is none that the endpoint gave out
     */
    static Owned ownerOfUri(Scope scope, String uri) {
        return switch (scope) {
            case Scope.Server(ResourceKey server) -> new Owned(server, uri);
            case Scope.Namespace namespace -> {
                int end = uri.indexOf(END_OF_SERVER, SCHEME.length());
                if (!uri.startsWith(SCHEME) || end < 0) {
                    throw Outcomes.unknown(uri);
                }
                yield new Owned(
                        shown(namespace, uri.substring(SCHEME.length(), end), uri),
                        uri.substring(end + 1));
            }
        };
    }

    private static ResourceKey shown(Scope.Namespace scope, String server, String name) {
        ResourceKey key = new ResourceKey(scope.namespace(), server);
        if (!scope.covers(key)) {
            throw Outcomes.unknown(name);
        }
        return key;
    }

    /**
     * A result whose uris an agent can use: those of the contents of resources, and those in the
     * content of prompts and tools.
     */
    static ObjectNode withUris(Scope scope, ResourceKey server, ObjectNode result) {
        if (scope instanceof Scope.Server || !mentionsUris(result)) {
            return result;
        }
        ObjectNode mapped = result.deepCopy();
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
                || result.path("content")
                        .valueStream()
                        .anyMatch(block -> block.has("uri") || block.has("resource"));
    }

    private static void mapBlock(Scope scope, ResourceKey server, JsonNode block) {
        switch (block.path("type").asString("")) {
            case "resource_link" -> map(scope, server, block);
            case "resource" -> map(scope, server, block.path("resource"));
            default -> {}
        }
    }

    private static void map(Scope scope, ResourceKey server, JsonNode holder) {
        if (holder instanceof ObjectNode object && object.path("uri").isString()) {
            object.put("uri", uri(scope, server, object.path("uri").asString()));
        }
    }

    /** An item of a list under the name of the endpoint. */
    static ObjectNode item(Scope scope, ResourceKey server, FeatureList list, ObjectNode item) {
        JsonNode own = item.path(list.key());
        if (scope instanceof Scope.Server || !own.isString()) {
            return item;
        }
        String name =
                list == FeatureList.PROMPTS
                        ? prompt(scope, server, own.asString())
                        : uri(scope, server, own.asString());
        return Json.MAPPER.createObjectNode().setAll(item).put(list.key(), name);
    }
}
