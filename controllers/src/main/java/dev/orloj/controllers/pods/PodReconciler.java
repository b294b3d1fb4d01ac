package dev.orloj.controllers.pods;

import dev.orloj.api.LabelSelector;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.client.DeleteOptions;
import dev.orloj.api.client.ListOptions;
import dev.orloj.api.client.ResourceClient;
import dev.orloj.api.core.Pod;
import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.Tool;
import dev.orloj.controllers.control.Reconciler;
import dev.orloj.controllers.control.Result;
import dev.orloj.controllers.informer.Informer;
import dev.orloj.controllers.workqueue.Workqueue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Keeps one Pod for each process of this replica, named {@code SERVER-0} and up. Runs on every
 * replica, each for its own Pods, and outside the path of calls. A new process takes over the Pod
 * of a process that has ended. The Pod of the last process of a server stays, so that its log can
 * be read.
 */
public final class PodReconciler implements Reconciler {

    private final ResourceClient client;
    private final Informer<McpServer> servers;
    private final ProcessLedger ledger;

    /** Creates the reconciler and makes the ledger enqueue each server whose processes change. */
    public PodReconciler(
            ResourceClient client,
            Informer<McpServer> servers,
            ProcessLedger ledger,
            Workqueue<ResourceKey> queue) {
        this.client = client;
        this.servers = servers;
        this.ledger = ledger;
        ledger.onChange(queue::add);
    }

    @Override
    public Result reconcile(ResourceKey key) {
        List<ServerProcess> processes = ledger.of(key);
        Optional<McpServer> server = servers.cache().find(key);
        if (server.isEmpty()) {
            // The garbage collector deletes the Pods together with the server.
            ledger.forget(key);
            return Result.DONE;
        }
        if (server.get().metadata().isDeleting()) {
            processes = processes.stream().filter(ServerProcess::isLive).toList();
        }
        new Round(server.get()).bringAbout(processes);
        return Result.DONE;
    }

    /** One reconcile of the Pods of a server. */
    private final class Round {

        private final McpServer server;
        private final ProcessPods pods;
        private final List<Pod> spare = new ArrayList<>();
        private final Set<String> names = new HashSet<>();

        Round(McpServer server) {
            this.server = server;
            this.pods = new ProcessPods(server, ledger.replica());
        }

        void bringAbout(List<ServerProcess> processes) {
            Set<String> sessions =
                    processes.stream().map(ServerProcess::sessionId).collect(Collectors.toSet());
            List<Pod> kept = new ArrayList<>();
            for (Pod pod : present()) {
                names.add(pod.metadata().name());
                if (isOurs(pod)) {
                    (sessions.contains(session(pod)) ? kept : spare).add(pod);
                }
            }
            for (ServerProcess process : processes) {
                kept.stream()
                        .filter(pod -> session(pod).equals(process.sessionId()))
                        .findFirst()
                        .ifPresentOrElse(pod -> update(pod, process), () -> place(process));
            }
            spare.forEach(
                    pod ->
                            client.delete(
                                    Pod.KIND,
                                    pod.key(),
                                    DeleteOptions.ofIncarnation(pod.metadata())));
        }

        private List<Pod> present() {
            return client.list(
                            Pod.KIND,
                            ListOptions.inNamespace(server.metadata().namespace())
                                    .withLabels(
                                            LabelSelector.ofLabel(
                                                    Tool.SERVER_LABEL, server.metadata().name())))
                    .items();
        }

        private boolean isOurs(Pod pod) {
            return ledger.replica().id().equals(pod.metadata().labels().get(Pod.REPLICA_LABEL));
        }

        private static String session(Pod pod) {
            return pod.metadata().annotations().getOrDefault(Pod.SESSION_ANNOTATION, "");
        }

        private void update(Pod pod, ServerProcess process) {
            Pod after = pods.pod(pod.metadata(), process);
            if (!after.equals(pod)) {
                client.update(Pod.KIND, after);
            }
        }

        /**
         * Reuses the Pod of a process that has ended, or creates one with the lowest free number.
         */
        private void place(ServerProcess process) {
            if (!spare.isEmpty()) {
                update(spare.removeFirst(), process);
                return;
            }
            int ordinal = 0;
            while (!names.add(name(ordinal))) {
                ordinal++;
            }
            client.create(Pod.KIND, pods.pod(pods.named(name(ordinal)), process));
        }

        private String name(int ordinal) {
            return server.metadata().name() + "-" + ordinal;
        }
    }

    /** Deletes the Pods of a replica that has no running processes. */
    public static void sweep(ResourceClient client, String replicaId) {
        ListOptions options =
                ListOptions.everything()
                        .withLabels(LabelSelector.ofLabel(Pod.REPLICA_LABEL, replicaId));
        for (Pod pod : client.list(Pod.KIND, options).items()) {
            client.delete(Pod.KIND, pod.key(), DeleteOptions.ofIncarnation(pod.metadata()));
        }
    }
}
