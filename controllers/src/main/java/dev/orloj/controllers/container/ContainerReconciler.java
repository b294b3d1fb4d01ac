package dev.orloj.controllers.container;

import dev.orloj.api.Condition;
import dev.orloj.api.Conditions;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.client.ResourceClient;
import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.McpServerStatus;
import dev.orloj.controllers.control.Reconciler;
import dev.orloj.controllers.control.Result;
import dev.orloj.controllers.events.EventRecorder;
import dev.orloj.controllers.events.Note;
import dev.orloj.controllers.informer.EventHandler;
import dev.orloj.controllers.informer.Informer;
import dev.orloj.controllers.workqueue.Workqueue;

import java.time.InstantSource;
import java.util.Optional;

/**
 * Writes what is known of the containers of servers into their status. Apart from the reconciler of
 * servers, which waits for a session as long as its image is on its way.
 */
public final class ContainerReconciler implements Reconciler {

    private final ResourceClient client;
    private final Informer<McpServer> servers;
    private final ContainerJournal journal;
    private final EventRecorder events;
    private final InstantSource clock;

    /**
     * @param journal to which the engine reports
     * @param queue from now on filled with servers that there is news of
     */
    public ContainerReconciler(
            ResourceClient client,
            Informer<McpServer> servers,
            ContainerJournal journal,
            InstantSource clock,
            Workqueue<ResourceKey> queue) {
        this.client = client;
        this.servers = servers;
        this.journal = journal;
        this.events = new EventRecorder(client, clock, "container-controller");
        this.clock = clock;
        journal.onNews(queue::add);
        servers.addHandler(new Changes(queue));
    }

    @Override
    public Result reconcile(ResourceKey key) {
        Optional<McpServer> found = servers.cache().find(key);
        if (found.isEmpty()) {
            journal.forget(key);
            return Result.DONE;
        }
        McpServer server = found.get();
        if (!server.metadata().isDeleting()) {
            write(server, status(server));
        }
        return Result.DONE;
    }

    private McpServerStatus status(McpServer server) {
        if (server.spec().image().isEmpty()) {
            return ContainerStatus.without(server.status());
        }
        return journal.find(server.key())
                .filter(entry -> entry.uid().equals(server.metadata().uid()))
                .map(entry -> ContainerStatus.with(server, entry, clock.instant()))
                .orElse(server.status());
    }

    private void write(McpServer server, McpServerStatus after) {
        McpServerStatus before = server.status();
        if (after.equals(before)) {
            return;
        }
        McpServer stored = client.updateStatus(McpServer.KIND, server.withStatus(after));
        Conditions.find(after.conditions(), McpServer.IMAGE_PULLED)
                .filter(condition -> !reason(before).equals(condition.reason()))
                .ifPresent(condition -> events.record(stored, note(condition)));
    }

    private static String reason(McpServerStatus status) {
        return Conditions.find(status.conditions(), McpServer.IMAGE_PULLED)
                .map(Condition::reason)
                .orElse("");
    }

    private static Note note(Condition condition) {
        return condition.reason().equals(ContainerStatus.PULL_FAILED)
                ? Note.warning(condition.reason(), condition.message())
                : Note.normal(condition.reason(), condition.message());
    }

    /** A server that leaves its container, or goes. */
    private record Changes(Workqueue<ResourceKey> queue) implements EventHandler<McpServer> {

        @Override
        public void added(McpServer server, boolean initial) {
            updated(server, server);
        }

        @Override
        public void updated(McpServer before, McpServer after) {
            if (after.spec().image().isEmpty() && after.status().sandbox() != null) {
                queue.add(after.key());
            }
        }

        @Override
        public void deleted(McpServer last) {
            queue.add(last.key());
        }
    }
}
