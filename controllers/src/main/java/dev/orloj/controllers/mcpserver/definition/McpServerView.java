package dev.orloj.controllers.mcpserver.definition;

import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.Tool;
import dev.orloj.controllers.events.ConditionMessage;

import java.util.List;
import java.util.function.Predicate;

/**
 * What is known about a server before anything is decided.
 *
 * @param server as it stands in the cache
 * @param resolution what its manifest and Secrets come to
 * @param tools those that a server of this name controls, whichever incarnation of it
 * @param nameTaken whether a Tool of that name is in the way of a new one
 * @param agentNameTaken whether a Tool with that agent name is in the way of a new one
 */
public record McpServerView(
        McpServer server,
        Resolution resolution,
        List<Tool> tools,
        Predicate<String> nameTaken,
        Predicate<String> agentNameTaken) {

    public McpServerView {
        tools = List.copyOf(tools);
    }

    /** The text with the values of the server's Secrets taken out. */
    public String withoutSecrets(String text) {
        return switch (resolution) {
            case Resolution.Resolved resolved -> ConditionMessage.without(resolved.secrets(), text);
            case Resolution.Suspended _, Resolution.Refused _ -> text;
        };
    }
}
