package dev.orloj.controllers.mcpserver;

import dev.orloj.api.client.DeleteOptions;
import dev.orloj.api.client.Propagation;
import dev.orloj.api.client.Write;
import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.Tool;

import java.util.ArrayList;
import java.util.List;

/** Selects the Tools to delete together with their server. */
final class ToolDeletions {

    private ToolDeletions() {}

    /**
     * Returns the deletions. Each has the state of the Tool as a precondition. Empty if dependents
     * are orphaned.
     */
    static List<Write<Tool>> of(McpServer server, List<Tool> tools) {
        List<Write<Tool>> deletions = new ArrayList<>();
        if (server.metadata().finalizers().contains(Propagation.ORPHAN_FINALIZER)) {
            return deletions;
        }
        for (Tool tool : tools) {
            if (isOwned(tool, server) && !tool.metadata().isDeleting()) {
                deletions.add(
                        new Write.Delete<>(tool.key(), DeleteOptions.ofState(tool.metadata())));
            }
        }
        return deletions;
    }

    private static boolean isOwned(Tool tool, McpServer server) {
        return tool.metadata()
                .controller()
                .filter(owner -> owner.uid().equals(server.metadata().uid()))
                .isPresent();
    }
}
