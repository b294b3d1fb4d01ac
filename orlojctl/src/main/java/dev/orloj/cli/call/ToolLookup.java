package dev.orloj.cli.call;

import dev.orloj.api.FieldPath;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.codec.NameRule;
import dev.orloj.api.v1.Tool;
import dev.orloj.cli.command.CommandException;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.Suggestions;
import dev.orloj.cli.http.ResourceSelection;
import dev.orloj.cli.ledger.HeldTool;

import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Finds Tools by their names, or by the names that agents see. */
final class ToolLookup {

    private ToolLookup() {}

    static ObjectNode find(Context context, String namespace, String called) {
        if (NameRule.SUBDOMAIN.check(FieldPath.of("name"), called).isEmpty()) {
            Optional<ObjectNode> byName =
                    context.documents().find(Tool.KIND, new ResourceKey(namespace, called));
            if (byName.isPresent()) {
                return byName.get();
            }
        }
        ResourceSelection byAgentName =
                new ResourceSelection(Tool.KIND, namespace, "", "spec.agent_name=" + called);
        return context.documents().list(byAgentName).items().stream()
                .findFirst()
                .orElseThrow(() -> unknown(context, namespace, called));
    }

    /**
     * Says that the tool is held, or suggests tools for an unknown name: users remember the name
     * that the server gave the tool.
     */
    private static CommandException unknown(Context context, String namespace, String called) {
        return HeldTool.explain(context, namespace, called)
                .map(CommandException::new)
                .orElseGet(() -> new CommandException(suggestion(context, namespace, called)));
    }

    private static String suggestion(Context context, String namespace, String called) {
        List<String> names = new ArrayList<>();
        List<String> sameTool = new ArrayList<>();
        for (ObjectNode tool :
                context.documents()
                        .list(ResourceSelection.everything(Tool.KIND, namespace))
                        .items()) {
            String name = tool.at("/metadata/name").asString("");
            names.add(name);
            names.add(tool.at("/spec/agent_name").asString(""));
            if (tool.at("/spec/mcp_tool_name").asString("").equals(called)) {
                sameTool.add("\"" + name + "\"");
            }
        }
        String hint =
                sameTool.isEmpty()
                        ? Suggestions.closest(called, names)
                                .map(name -> "; did you mean \"" + name + "\"?")
                                .orElse("; \"orlojctl get tools\" lists them")
                        : "; did you mean " + String.join(" or ", sameTool) + "?";
        return "no tool \"%s\" in namespace \"%s\"%s".formatted(called, namespace, hint);
    }
}
