package dev.orloj.controllers.mcpserver;

import dev.orloj.api.ApiException;
import dev.orloj.api.LabelSelector;
import dev.orloj.api.client.DeleteOptions;
import dev.orloj.api.client.ListOptions;
import dev.orloj.api.client.Propagation;
import dev.orloj.api.client.ResourceClient;
import dev.orloj.api.client.ResourceList;
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
     * Deletes those of the given Tools that the server owns, unless its dependents are orphaned.
     *
     * @return their number
     */
    static int write(ResourceClient client, McpServer server, List<Tool> tools)
            throws InterruptedException {
        List<Write<Tool>> deletions = of(server, tools);
        new BatchedWrites<>(client, Tool.KIND, _ -> 0).write(deletions, () -> true);
        return deletions.size();
    }

    /**
     * Deletes all Tools that a leaving server owns, unless its dependents are orphaned. Reads them
     * from the store: a cache may not have what this controller, or the leader before it, wrote
     * last. A Tool with a finalizer is marked for deletion.
     *
     * @param cached the Tools of the server in the cache, of which only those without the label are
     *     needed: a user may have removed it
     * @return their number
     * @throws ApiException when a Tool has changed since it was read; those deleted until then stay
     *     deleted
     */
    static int writeAll(ResourceClient client, McpServer server, List<Tool> cached)
            throws InterruptedException {
        if (isOrphaning(server)) {
            return 0;
        }
        LabelSelector ofServer = LabelSelector.ofLabel(Tool.SERVER_LABEL, server.metadata().name());
        ListOptions stored =
                ListOptions.inNamespace(server.metadata().namespace()).withLabels(ofServer);
        int deleted = 0;
        String next = "";
        do {
            ResourceList<Tool> page =
                    client.list(Tool.KIND, stored.page(BatchedWrites.MAX_WRITES, next));
            deleted += write(client, server, page.items());
            next = page.continueToken();
        } while (!next.isEmpty());
        List<Tool> withoutLabel =
                cached.stream()
                        .filter(tool -> !ofServer.matches(tool.metadata().labels()))
                        .toList();
        return deleted + write(client, server, withoutLabel);
    }

    /** Returns the deletions. Each has the state of the Tool as a precondition. */
    private static List<Write<Tool>> of(McpServer server, List<Tool> tools) {
        List<Write<Tool>> deletions = new ArrayList<>();
        if (isOrphaning(server)) {
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

    private static boolean isOrphaning(McpServer server) {
        return server.metadata().finalizers().contains(Propagation.ORPHAN_FINALIZER);
    }

    private static boolean isOwned(Tool tool, McpServer server) {
        return tool.metadata()
                .controller()
                .filter(owner -> owner.uid().equals(server.metadata().uid()))
                .isPresent();
    }
}
