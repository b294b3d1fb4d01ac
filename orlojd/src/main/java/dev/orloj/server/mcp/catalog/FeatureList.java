package dev.orloj.server.mcp.catalog;

import dev.orloj.server.mcp.protocol.ListKind;

import java.util.Arrays;
import java.util.Optional;

/** A list other than tools; only its server knows the items. */
public enum FeatureList {
    PROMPTS("prompts/list", "prompts", "prompts", "name"),
    RESOURCES("resources/list", "resources", "resources", "uri"),
    RESOURCE_TEMPLATES("resources/templates/list", "resources", "resourceTemplates", "uriTemplate");

    private final String method;
    private final String capability;
    private final String items;
    private final String key;

    FeatureList(String method, String capability, String items, String key) {
        this.method = method;
        this.capability = capability;
        this.items = items;
        this.key = key;
    }

    public static Optional<FeatureList> ofMethod(String method) {
        return Arrays.stream(values()).filter(list -> list.method.equals(method)).findFirst();
    }

    String method() {
        return method;
    }

    /** The capability that a server with such lists declares. */
    public String capability() {
        return capability;
    }

    /** The member of the result that holds the items. */
    String items() {
        return items;
    }

    /** The member that identifies an item. */
    String key() {
        return key;
    }

    /** Whether a change of that kind changes this list. */
    boolean isOf(ListKind changed) {
        return changed.capability().equals(capability);
    }
}
