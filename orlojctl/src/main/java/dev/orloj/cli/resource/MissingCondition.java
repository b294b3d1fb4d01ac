package dev.orloj.cli.resource;

import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.Sandbox;
import dev.orloj.api.v1.Tool;
import dev.orloj.cli.command.Suggestions;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.List;
import java.util.Locale;

/** Explains that a resource does not have the condition of {@code wait --for}. */
final class MissingCondition {

    private MissingCondition() {}

    static String explain(ObjectNode resource, String wanted) {
        List<String> present =
                resource.at("/status/conditions")
                        .valueStream()
                        .map(condition -> condition.path("type").asString(""))
                        .toList();
        if (present.isEmpty() && getsConditions(resource)) {
            return "it has no conditions yet";
        }
        if (present.isEmpty()) {
            return "it has no condition \"%s\", and no other condition%s"
                    .formatted(wanted, remedy(resource));
        }
        return "it has no condition \"%s\", only %s%s"
                .formatted(
                        wanted,
                        String.join(", ", present),
                        Suggestions.closest(wanted, present)
                                .map("; did you mean --for condition=%s?"::formatted)
                                .orElse("; wait for one of these"));
    }

    /** Returns whether a controller of orlojd writes conditions of the resource. */
    private static boolean getsConditions(ObjectNode resource) {
        String kind = resource.path("kind").asString("");
        return kind.equals(McpServer.KIND.name())
                || kind.equals(Sandbox.KIND.name())
                || kind.equals(Tool.KIND.name())
                        && resource.at("/spec/type").asString("").equals(Tool.TYPE_HTTP);
    }

    private static String remedy(ObjectNode resource) {
        JsonNode owner = resource.at("/metadata/ownerReferences/0");
        if (owner.isObject()) {
            return "; wait for the resource that it belongs to: %s/%s"
                    .formatted(
                            owner.path("kind").asString("").toLowerCase(Locale.ROOT),
                            owner.path("name").asString(""));
        }
        return "; wait for one of its fields: --for '{.FIELD}'=VALUE";
    }
}
