package dev.orloj.runtime.extension;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

import java.util.Map;
import java.util.Set;

/**
 * The extensions of MCP in the capabilities of a client or a server. All are passed on, known or
 * not, but those that only the two ends of one connection can keep.
 */
public final class Extensions {

    /** The member of capabilities. */
    public static final String MEMBER = "extensions";

    /** The most extensions of one party. */
    static final int MOST = 64;

    /** The most that the settings of one extension may take, as JSON. */
    static final int MOST_SETTINGS = 16 * 1024;

    /**
     * Tasks have methods of their own, which orlojd does not route; the others are about the
     * credentials of one connection.
     */
    private static final Set<String> OF_ONE_CONNECTION =
            Set.of(
                    "io.modelcontextprotocol/tasks",
                    "io.modelcontextprotocol/oauth-client-credentials",
                    "io.modelcontextprotocol/enterprise-managed-authorization");

    private Extensions() {}

    /**
     * The extensions that go on to the other side; a copy. Settings that are no object or too long,
     * and extensions beyond {@value #MOST}, are left out.
     */
    public static ObjectNode passedOn(JsonNode capabilities) {
        ObjectNode passed = JsonNodeFactory.instance.objectNode();
        for (Map.Entry<String, JsonNode> each : capabilities.path(MEMBER).properties()) {
            if (passed.size() < MOST
                    && each.getValue() instanceof ObjectNode settings
                    && !OF_ONE_CONNECTION.contains(each.getKey())
                    && each.getKey().length() + settings.toString().length() <= MOST_SETTINGS) {
                passed.set(each.getKey(), settings.deepCopy());
            }
        }
        return passed;
    }

    /**
     * Adds what another server declares. Where both declare the same, objects and arrays are united
     * and of other values the first stays.
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
