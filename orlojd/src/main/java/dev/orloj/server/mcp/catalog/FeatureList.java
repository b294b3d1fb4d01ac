package dev.orloj.server.mcp.catalog;

import dev.orloj.server.mcp.protocol.ListKind;

import java.util.Arrays;
import java.util.Optional;

/** A list of something else than tools, which only its server knows. */
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

    /** What a server declares that has such lists. */
    public String capability() {
        return capability;
    }

    /** The member of the result that holds the items. */
    String items() {
        return items;
    }

    /** The member of an item that tells it from the others. */
    String key() {
        return key;
    }

    /** Whether it changes with what is told to have changed. */
    boolean isOf(ListKind changed) {
        return changed.capability().equals(capability);
    }
}
