package dev.orloj.controllers.mcpserver.definition;

import dev.orloj.api.approval.ServingPolicy;
import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.Tool;
import dev.orloj.controllers.events.ConditionMessage;

import java.util.List;
import java.util.function.Predicate;

/**
 * A view of a server that a reconcile decides on.
 *
 * @param server as in the cache
 * @param resolution the result of resolving its manifest and Secrets
 * @param policy decides which definitions are served
 * @param tools the Tools that a server of this name controls, whatever its uid
 * @param nameTaken whether a Tool of that name prevents the creation of a new one
 * @param agentNameTaken whether a Tool with that agent name prevents the creation of a new one
 */
public record McpServerView(
        McpServer server,
        Resolution resolution,
        ServingPolicy policy,
        List<Tool> tools,
        Predicate<String> nameTaken,
        Predicate<String> agentNameTaken) {

    public McpServerView {
        tools = List.copyOf(tools);
    }

    /** Returns the text without the values of the server's Secrets. */
    public String withoutSecrets(String text) {
        return switch (resolution) {
            case Resolution.Resolved resolved -> ConditionMessage.without(resolved.secrets(), text);
            case Resolution.Suspended _, Resolution.Refused _ -> text;
        };
    }
}
