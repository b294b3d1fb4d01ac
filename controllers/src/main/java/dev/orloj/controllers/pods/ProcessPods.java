package dev.orloj.controllers.pods;

import dev.orloj.api.ObjectMeta;
import dev.orloj.api.OwnerReference;
import dev.orloj.api.core.Pod;
import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.McpServerSpec.Hosting;
import dev.orloj.api.v1.Tool;
import dev.orloj.controllers.replica.Replica;
import dev.orloj.runtime.workload.ExitStatus;
import dev.orloj.runtime.workload.ProcessUser;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Converts the processes of one server to Pods. Immutable. */
final class ProcessPods {

    /** The prefix that the kubelet uses for ids of an engine with the Docker API. */
    private static final String RUNTIME = "docker://";

    private final McpServer server;
    private final Replica replica;
    private final String program;

    ProcessPods(McpServer server, Replica replica) {
        this.server = server;
        this.replica = replica;
        this.program =
                switch (server.spec().hosting()) {
                    case Hosting.OwnContainer own -> own.image().name();
                    case Hosting.HostProcess process -> process.program().command();
                    case Hosting.ExistingContainer existing -> existing.program().command();
                    case Hosting.Remote _ -> "";
                };
    }

    /** Returns the metadata of a Pod that does not exist yet. */
    ObjectMeta named(String name) {
        return ObjectMeta.of(server.metadata().namespace(), name);
    }

    Pod pod(ObjectMeta metadata, ServerProcess process) {
        return Pod.of(
                metadata.withLabels(
                                Map.of(
                                        Tool.SERVER_LABEL,
                                        server.metadata().name(),
                                        Pod.REPLICA_LABEL,
                                        replica.id()))
                        .withAnnotations(annotations(process))
                        .withOwnerReferences(List.of(OwnerReference.controllerOf(server))),
                new Pod.Spec(
                        replica.host(),
                        List.of(new Pod.Container(Pod.CONTAINER, program)),
                        process.user()
                                .map(user -> new Pod.SecurityContext(uid(user)))
                                .orElse(Pod.SecurityContext.EMPTY)),
                status(process));
    }

    private static Map<String, String> annotations(ServerProcess process) {
        Map<String, String> annotations = new TreeMap<>();
        annotations.put(Pod.SESSION_ANNOTATION, process.sessionId());
        process.user().ifPresent(user -> annotations.put(Pod.USER_ANNOTATION, user.name()));
        return annotations;
    }

    private static long uid(ProcessUser user) {
        return Integer.toUnsignedLong(user.uid());
    }

    private Pod.Status status(ServerProcess process) {
        ServerProcess.End end = process.end();
        Instant startedAt = seconds(process.startedAt());
        return new Pod.Status(
                end == null ? Pod.RUNNING : end.failure() ? Pod.FAILED : Pod.SUCCEEDED,
                end == null ? "" : end.cause(),
                startedAt,
                List.of(
                        new Pod.Readiness(
                                "Ready",
                                end == null ? "True" : "False",
                                end == null ? startedAt : seconds(end.at()))),
                List.of(
                        new Pod.ContainerStatus(
                                Pod.CONTAINER,
                                program,
                                "",
                                end == null,
                                end == null,
                                process.restarts(),
                                state(process),
                                process.before() == null ? null : state(process.before()),
                                process.container()
                                        .map(container -> RUNTIME + container.id())
                                        .orElse(null))));
    }

    private static Pod.State state(ServerProcess process) {
        ServerProcess.End end = process.end();
        return end == null
                ? Pod.State.of(new Pod.Running(seconds(process.startedAt())))
                : Pod.State.of(terminated(process, end));
    }

    private static Pod.Terminated terminated(ServerProcess process, ServerProcess.End end) {
        int exitCode = end.exit().map(ExitStatus::code).orElse(0);
        return new Pod.Terminated(
                exitCode,
                end.exit().flatMap(ExitStatus::signal).orElse(null),
                end.failure() ? "Error" : "Completed",
                end.cause(),
                seconds(process.startedAt()),
                seconds(end.at()));
    }

    private static Instant seconds(Instant time) {
        return time.truncatedTo(ChronoUnit.SECONDS);
    }
}
