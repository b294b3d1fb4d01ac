package dev.orloj.runtime.extension;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

import java.util.Map;
import java.util.Set;

/**
 * Handles the MCP extensions in the capabilities of clients and servers. All extensions are
 * forwarded, known or not, except those that only the two ends of one connection can support.
 */
public final class Extensions {

    /** The member of the capabilities. */
    public static final String MEMBER = "extensions";

    /** Maximum number of extensions of one party. */
    static final int MOST = 64;

    /** Maximum size of the settings of one extension, as JSON. */
    static final int MAX_SETTINGS = 16 * 1024;

    /**
     * Tasks have their own methods, which orlojd does not route; the others concern the credentials
     * of one connection.
     */
    private static final Set<String> OF_ONE_CONNECTION =
            Set.of(
                    "io.modelcontextprotocol/tasks",
                    "io.modelcontextprotocol/oauth-client-credentials",
                    "io.modelcontextprotocol/enterprise-managed-authorization");

    private Extensions() {}

    /**
     * Returns a copy of the extensions to forward. Omits settings that are not an object or too
     * long, and extensions beyond {@value #MOST}.
     */
    public static ObjectNode passedOn(JsonNode capabilities) {
        ObjectNode passed = JsonNodeFactory.instance.objectNode();
        for (Map.Entry<String, JsonNode> each : capabilities.path(MEMBER).properties()) {
            if (passed.size() < MOST
                    && each.getValue() instanceof ObjectNode settings
                    && !OF_ONE_CONNECTION.contains(each.getKey())
                    && each.getKey().length() + settings.toString().length() <= MAX_SETTINGS) {
                passed.set(each.getKey(), settings.deepCopy());
            }
        }
        return passed;
    }

    /**
     * Adds the extensions of another server. If both declare the same one, objects and arrays are
     * merged, and the first of other values is kept.
     */
    public static void unite(ObjectNode all, ObjectNode more) {
        for (Map.Entry<String, JsonNode> each : more.properties()) {
            JsonNode known = all.get(each.getKey());
            if (known == null) {
                all.set(each.getKey(), each.getValue().deepCopy());
            } else if (known instanceof ObjectNode object
                    && each.getValue() instanceof ObjectNode other) {
                unite(object, other);
            } else if (known instanceof ArrayNode array && each.getValue().isArray()) {
                each.getValue()
                        .valueStream()
                        .filter(value -> array.valueStream().noneMatch(value::equals))
                        .forEach(array::add);
            }
        }
    }
}
