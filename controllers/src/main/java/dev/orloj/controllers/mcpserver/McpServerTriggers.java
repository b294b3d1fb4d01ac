package dev.orloj.controllers.mcpserver;

import dev.orloj.api.ObjectMeta;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.approval.ToolPolicy;
import dev.orloj.api.core.ConfigMap;
import dev.orloj.api.policy.McpServerPolicy;
import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.Sandbox;
import dev.orloj.api.v1.Tool;
import dev.orloj.controllers.informer.EventHandler;
import dev.orloj.controllers.workqueue.Workqueue;
import dev.orloj.controllers.workqueue.Workqueue.Priority;

import java.util.List;
import java.util.function.Function;

/** Enqueues the servers that a change affects. */
final class McpServerTriggers {

    private final McpServerCaches caches;
    private final Workqueue<ResourceKey> queue;
    private final SessionJournal journal;

    private McpServerTriggers(
            McpServerCaches caches, Workqueue<ResourceKey> queue, SessionJournal journal) {
        this.caches = caches;
        this.queue = queue;
        this.journal = journal;
    }

    /** Adds the event handlers. The informers of the caches must not be started yet. */
    static void install(
            McpServerCaches caches, Workqueue<ResourceKey> queue, SessionJournal journal) {
        McpServerTriggers triggers = new McpServerTriggers(caches, queue, journal);
        caches.servers().addHandler(triggers.new Servers());
        caches.tools().addHandler(triggers.new Tools());
        caches.secrets()
                .addHandler(triggers.new References<>(s -> s.spec().data(), caches::usersOf));
        caches.configMaps().addHandler(triggers.new References<>(ConfigMap::data, caches::usersOf));
        caches.sandboxes()
                .addHandler(
                        triggers.new References<>(McpServerTriggers::incarnation, caches::usersOf));
        caches.toolPolicies()
                .addHandler(triggers.new References<>(ToolPolicy::spec, caches::usersOf));
        caches.serverPolicies()
                .addHandler(triggers.new References<>(McpServerPolicy::spec, caches::usersOf));
        caches.namespaces()
                .addHandler(triggers.new References<>(n -> n.metadata().labels(), caches::usersOf));
        journal.onChange(queue::addAfter);
    }

    /** Returns the parts of a Sandbox that affect its servers. */
    private static Object incarnation(Sandbox sandbox) {
        ObjectMeta metadata = sandbox.metadata();
        return List.of(metadata.uid(), metadata.generation(), metadata.isDeleting());
    }

    private final class Servers implements EventHandler<McpServer> {

        @Override
        public void added(McpServer server, boolean initial) {
            queue.add(server.key(), initial ? Priority.BACKGROUND : Priority.FRESH);
        }

        /**
         * Another client may have changed the status. One that the reconciler has written itself
         * costs one more look, which writes nothing.
         */
        @Override
        public void updated(McpServer before, McpServer after) {
            ObjectMeta was = before.metadata();
            ObjectMeta is = after.metadata();
            boolean moved =
                    was.generation() != is.generation()
                            || was.isDeleting() != is.isDeleting()
                            || !before.restartedAt().equals(after.restartedAt())
                            || !before.toolsReviewedAt().equals(after.toolsReviewedAt());
            boolean rewritten = !after.status().equals(before.status());
            if (moved || rewritten || !was.finalizers().equals(is.finalizers())) {
                queue.add(after.key());
            }
        }

        @Override
        public void deleted(McpServer last) {
            queue.add(last.key());
        }
    }

    /**
     * Ignores new Tools, because the reconciler creates them. Other clients may have changed or
     * deleted a Tool.
     */
    private final class Tools implements EventHandler<Tool> {

        @Override
        public void updated(Tool before, Tool after) {
            ObjectMeta was = before.metadata();
            ObjectMeta is = after.metadata();
            if (was.generation() != is.generation()
                    || !was.labels().equals(is.labels())
                    || !was.ownerReferences().equals(is.ownerReferences())) {
                touch(before);
                touch(after);
            }
        }

        @Override
        public void deleted(Tool last) {
            touch(last);
        }

        private void touch(Tool tool) {
            McpServerCaches.controllerOf(tool)
                    .filter(server -> caches.find(server).isPresent())
                    .ifPresent(
                            server -> {
                                journal.toolsTouched(server);
                                queue.add(server);
                            });
        }
    }

    /**
     * Handles Secrets, ConfigMaps, or Sandboxes, whose servers get the new values with a new
     * session, policies, and the labels of Namespaces that policies select by.
     */
    private final class References<R> implements EventHandler<R> {

        private final Function<R, Object> values;
        private final Function<R, List<McpServer>> users;

        References(Function<R, Object> values, Function<R, List<McpServer>> users) {
            this.values = values;
            this.users = users;
        }

        @Override
        public void added(R resource, boolean initial) {
            if (!initial) {
                enqueueUsers(resource);
            }
        }

        @Override
        public void updated(R before, R after) {
            if (!values.apply(before).equals(values.apply(after))) {
                enqueueUsers(before);
                enqueueUsers(after);
            }
        }

        @Override
        public void deleted(R last) {
            enqueueUsers(last);
        }

        private void enqueueUsers(R resource) {
            users.apply(resource).forEach(server -> queue.add(server.key()));
        }
    }
}
