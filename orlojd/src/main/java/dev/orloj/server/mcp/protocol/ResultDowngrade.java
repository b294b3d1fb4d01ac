package dev.orloj.server.mcp.protocol;

import dev.orloj.api.codec.Json;
import dev.orloj.runtime.transport.ProtocolRevision;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.List;

/**
 * Removes or rewrites members that clients of older revisions may not accept. Leaves a result of
 * the client's own revision unchanged.
 */
public final class ResultDowngrade {

    private static final List<String> FIELDS_OF_2025_06_18 =
            List.of("title", "icons", "outputSchema");

    private static final List<String> HINTS_OF_2026_07_28 =
            List.of("resultType", "ttlMs", "cacheScope");

    private static final String STRUCTURED = "structuredContent";
    private static final String CONTENT = "content";

    private ResultDowngrade() {}

    public static ObjectNode definition(ObjectNode definition, ProtocolRevision revision) {
        if (!revision.hasStructuredContent()) {
            return definition.deepCopy().without(FIELDS_OF_2025_06_18);
        }
        JsonNode output = definition.get("outputSchema");
        boolean tooNew =
                output != null
                        && !revision.hasAnyStructuredContent()
                        && !output.path("type").asString("").equals("object");
        return tooNew ? definition.deepCopy().without("outputSchema") : definition;
    }

    /** Converts the result of a server. */
    public static ObjectNode result(ObjectNode result, ProtocolRevision revision) {
        if (revision.hasAnyStructuredContent()) {
            return result;
        }
        return content(withoutMarks(result), revision);
    }

    /**
     * Removes the members that every result has in 2026-07-28, which are between the server and
     * orlojd.
     */
    private static ObjectNode withoutMarks(ObjectNode result) {
        boolean isSigned = result.path(ReservedMeta.MEMBER).has(ReservedMeta.SERVER_INFO);
        if (!isSigned && HINTS_OF_2026_07_28.stream().noneMatch(result::has)) {
            return result;
        }
        ObjectNode older = copy(result).without(HINTS_OF_2026_07_28);
        if (isSigned && older.path(ReservedMeta.MEMBER) instanceof ObjectNode signed) {
            ObjectNode meta = copy(signed).without(ReservedMeta.SERVER_INFO);
            if (meta.isEmpty()) {
                older.remove(ReservedMeta.MEMBER);
            } else {
                older.set(ReservedMeta.MEMBER, meta);
            }
        }
        return older;
    }

    /** Returns a shallow copy: the content may be long and is not changed. */
    private static ObjectNode copy(ObjectNode original) {
        return Json.MAPPER.createObjectNode().setAll(original);
    }

    private static ObjectNode content(ObjectNode result, ProtocolRevision revision) {
        JsonNode structured = result.get(STRUCTURED);
        boolean foldable =
                structured != null && (!revision.hasStructuredContent() || !structured.isObject());
        boolean hasLinks = !revision.hasStructuredContent() && hasResourceLinks(result);
        if (!foldable && !hasLinks) {
            return result;
        }
        ObjectNode older = result.deepCopy();
        if (foldable) {
            older.remove(STRUCTURED);
            if (older.path(CONTENT).isEmpty()) {
                older.putArray(CONTENT).add(text(structured.toString()));
            }
        }
        if (hasLinks) {
            linksAsText(older);
        }
        return older;
    }

    private static boolean hasResourceLinks(ObjectNode result) {
        return result.path(CONTENT).valueStream().anyMatch(ResultDowngrade::isResourceLink);
    }

    private static void linksAsText(ObjectNode result) {
        ArrayNode content = (ArrayNode) result.path(CONTENT);
        for (int i = 0; i < content.size(); i++) {
            if (isResourceLink(content.get(i))) {
                content.set(i, text(content.get(i).path("uri").asString("")));
            }
        }
    }

    private static boolean isResourceLink(JsonNode block) {
        return block.path("type").asString("").equals("resource_link");
    }

    private static ObjectNode text(String text) {
        return Json.MAPPER.createObjectNode().put("type", "text").put("text", text);
    }
}
