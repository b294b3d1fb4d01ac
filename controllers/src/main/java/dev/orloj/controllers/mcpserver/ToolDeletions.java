package dev.orloj.controllers.mcpserver;

import dev.orloj.api.client.DeleteOptions;
import dev.orloj.api.client.Propagation;
import dev.orloj.api.client.ResourceClient;
import dev.orloj.api.client.Write;
import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.Tool;
import dev.orloj.controllers.batch.BatchedWrites;

import java.util.ArrayList;
import java.util.List;

/** Deletes the Tools of a server that leaves or is withheld. */
final class ToolDeletions {

    private ToolDeletions() {}

    /**
     * Deletes the Tools that the server owns, unless its dependents are orphaned.
     *
     * @return their number
     */
    static int write(ResourceClient client, McpServer server, List<Tool> tools)
            throws InterruptedException {
        List<Write<Tool>> deletions = of(server, tools);
        new BatchedWrites<>(client, Tool.KIND, _ -> 0).write(deletions, () -> true);
        return deletions.size();
    }

    /** Returns the deletions. Each has the state of the Tool as a precondition. */
    private static List<Write<Tool>> of(McpServer server, List<Tool> tools) {
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
