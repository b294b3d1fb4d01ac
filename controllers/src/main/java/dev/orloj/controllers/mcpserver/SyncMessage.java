package dev.orloj.controllers.mcpserver;

import dev.orloj.api.v1.McpServerStatus;
import dev.orloj.controllers.events.ConditionMessage;
import dev.orloj.controllers.mcpserver.tools.ToolPlan;

import java.util.ArrayList;
import java.util.List;

/** Says how many tools a server offers, how many have a Tool, and what was left out. */
final class SyncMessage {

    private static final String NEXT = "; ";

    private SyncMessage() {}

    /**
     * @param notes what was left out and why, one sentence each
     */
    static String of(ToolPlan plan, List<String> notes) {
        List<String> parts = new ArrayList<>();
        int offered = plan.discovered().size();
        int generated = plan.generated().size();
        parts.add(
                "The server offers %d %s, of which %d %s made into Tools"
                        .formatted(
                                offered,
                                offered == 1 ? "tool" : "tools",
                                generated,
                                generated == 1 ? "is" : "are"));
        if (!plan.notOffered().isEmpty()) {
            parts.add("tool_filter names what it does not offer: " + quoted(plan.notOffered()));
        }
        parts.addAll(notes);
        return ConditionMessage.of(String.join(NEXT, parts));
    }

    private static String quoted(List<String> names) {
        return "\"" + String.join("\", \"", names) + "\"";
    }

    /** Returns a message with the numbers of another plan. What was left out still is. */
    static String corrected(String message, ToolPlan plan) {
        int rest = message.indexOf(NEXT);
        return of(plan, List.of()) + (rest < 0 ? "" : message.substring(rest));
    }

    /**
     * Limits the names in the status. The status is written often and must not grow with the tool
     * list of a server.
     */
    static List<String> shown(List<String> names) {
        return names.subList(0, Math.min(names.size(), McpServerStatus.MAX_NAMES));
    }
}
