package dev.orloj.server.mcp.protocol;

import dev.orloj.api.codec.Json;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.Map;

/**
 * Removes the keys of {@code _meta} that concern a single connection. The gateway reads those of a
 * client and does not forward them.
 */
public final class ReservedMeta {

    public static final String MEMBER = "_meta";
    public static final String PROGRESS_TOKEN = "progressToken";

    private static final String PREFIX = "io.modelcontextprotocol/";

    static final String PROTOCOL_VERSION = PREFIX + "protocolVersion";
    static final String CLIENT_CAPABILITIES = PREFIX + "clientCapabilities";
    static final String LOG_LEVEL = PREFIX + "logLevel";
    static final String CLIENT_INFO = PREFIX + "clientInfo";
    public static final String SERVER_INFO = PREFIX + "serverInfo";
    public static final String SUBSCRIPTION_ID = PREFIX + "subscriptionId";

    private ReservedMeta() {}

    /** Returns a copy of params without the keys of their {@code _meta} that are not forwarded. */
    public static ObjectNode without(ObjectNode params) {
        ObjectNode rest = Json.MAPPER.createObjectNode().setAll(params);
        if (params.path(MEMBER) instanceof ObjectNode meta) {
            ObjectNode passedOn = passedOn(meta);
            if (passedOn.isEmpty()) {
                rest.remove(MEMBER);
            } else {
                rest.set(MEMBER, passedOn);
            }
        }
        return rest;
    }

    /** Returns the part of a {@code _meta} that is forwarded. */
    public static ObjectNode passedOn(ObjectNode meta) {
        ObjectNode rest = Json.MAPPER.createObjectNode();
        for (Map.Entry<String, JsonNode> member : meta.properties()) {
            String key = member.getKey();
            if (!key.startsWith(PREFIX) && !key.equals(PROGRESS_TOKEN)) {
                rest.set(key, member.getValue());
            }
        }
        return rest;
    }
}
