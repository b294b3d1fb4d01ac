package dev.orloj.controllers.policy;

import dev.orloj.api.ByteSize;
import dev.orloj.api.CpuAmount;
import dev.orloj.api.FieldPath;
import dev.orloj.api.policy.CeilingRule;
import dev.orloj.api.policy.McpServerPolicy;
import dev.orloj.api.policy.MountRule;
import dev.orloj.api.policy.NetworkRule;
import dev.orloj.api.v1.ContainerNetwork;
import dev.orloj.api.v1.ContainerResources;
import dev.orloj.api.v1.McpServerSpec;
import dev.orloj.api.v1.Sandbox;
import dev.orloj.runtime.container.spec.ContainerLimits;
import dev.orloj.runtime.container.spec.NetworkAccess;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Decides by the rules of one policy what the container of a server or Sandbox may have. */
final class ContainerDecision {

    /** Receives what is refused. */
    interface Refusing {

        void refuse(FieldPath field, String value, String why);
    }

    private static final long MIB = 1024 * 1024;
    private static final long NANOS_OF_MILLI = 1_000_000;
    private static final FieldPath SPEC = FieldPath.of("spec");

    private final McpServerPolicy.Spec rules;
    private final Refusing refusing;

    ContainerDecision(McpServerPolicy.Spec rules, Refusing refusing) {
        this.rules = rules;
        this.refusing = refusing;
    }

    /**
     * @param access what the container gets
     * @param given what the manifest says
     */
    void network(NetworkAccess access, @Nullable ContainerNetwork given) {
        NetworkRule rule = rules.network();
        if (rule == null) {
            return;
        }
        FieldPath path = SPEC.child("network");
        String mode = access.mode().name().toLowerCase(Locale.ROOT);
        boolean isGiven = given != null && (given.mode() != null || !given.allowHosts().isEmpty());
        String origin = isGiven ? "" : ", which applies when the manifest sets none,";
        rule.modeObjection(mode)
                .ifPresent(
                        why ->
                                refusing.refuse(
                                        path.child("mode"),
                                        mode,
                                        "this mode%s is not allowed here; %s"
                                                .formatted(origin, why)));
        if (access.mode() != NetworkAccess.Mode.NONE && access.allowHosts().isEmpty()) {
            rule.openObjection()
                    .ifPresent(
                            why ->
                                    refusing.refuse(
                                            path.child("mode"),
                                            mode,
                                            "this mode%s reaches all hosts; set mode none, or allow_hosts; %s"
                                                    .formatted(origin, why)));
        }
        for (int i = 0; i < access.allowHosts().size(); i++) {
            String host = access.allowHosts().get(i);
            FieldPath place = path.child("allow_hosts").index(i);
            rule.hostObjection(host).ifPresent(why -> refusing.refuse(place, host, why));
        }
    }

    /**
     * @param limits what the container gets
     * @param given what the manifest says
     */
    void limits(ContainerLimits limits, @Nullable ContainerResources given) {
        CeilingRule rule = rules.ceilings();
        if (rule == null) {
            return;
        }
        ContainerResources set = given == null ? ContainerResources.NONE : given;
        exceeded(
                "memory",
                Optional.ofNullable(set.memory()).map(ByteSize::text),
                bytes(limits.memoryBytes()),
                rule.memoryBelow(limits.memoryBytes()));
        exceeded(
                "cpus",
                Optional.ofNullable(set.cpus()).map(CpuAmount::text),
                limits.nanoCpus() / NANOS_OF_MILLI + "m",
                rule.cpusBelow(limits.nanoCpus()));
        exceeded(
                "pids_limit",
                Optional.ofNullable(set.pidsLimit()).map(String::valueOf),
                Long.toString(limits.pids()),
                rule.pidsBelow(limits.pids()));
        exceeded(
                "tmp_size",
                Optional.ofNullable(set.tmpSize()).map(ByteSize::text),
                bytes(limits.tmpBytes()),
                rule.tmpSizeBelow(limits.tmpBytes()));
    }

    private static String bytes(long count) {
        return count % MIB == 0 ? "%dMi".formatted(count / MIB) : Long.toString(count);
    }

    /**
     * @param given as written; empty for a field that is absent
     * @param ceiling empty if it is not exceeded
     */
    private void exceeded(
            String field, Optional<String> given, String applied, Optional<String> ceiling) {
        String origin =
                given.isPresent()
                        ? "; set it to that or less"
                        : ", and %s applies when it is absent; set it to that or less"
                                .formatted(applied);
        ceiling.ifPresent(
                most ->
                        refusing.refuse(
                                SPEC.child("resources").child(field),
                                given.orElse(applied),
                                "at most %s is allowed%s".formatted(most, origin)));
    }

    /** Checks the sessions that a server may have at a time, on each replica. */
    void sessions(McpServerSpec server) {
        CeilingRule rule = rules.ceilings();
        if (rule == null) {
            return;
        }
        int sessions = server.mostSessions();
        String origin =
                server.sharing().maxSessions() == null
                        ? ", and %d applies when it is absent; set it to that or less, or set session_scope: shared"
                                .formatted(sessions)
                        : "; set it to that or less";
        rule.sessionsBelow(sessions)
                .ifPresent(
                        most ->
                                refusing.refuse(
                                        SPEC.child("max_sessions"),
                                        Integer.toString(sessions),
                                        "at most %s is allowed%s".formatted(most, origin)));
    }

    /**
     * @param mounts as written
     * @param folders their real paths, in the same order; as written where there is no real one
     */
    void mounts(List<Sandbox.Mount> mounts, List<String> folders) {
        MountRule rule = rules.mounts();
        for (int i = 0; rule != null && i < mounts.size(); i++) {
            FieldPath path = SPEC.child("mounts").index(i);
            String written = mounts.get(i).hostPath();
            String real = folders.get(i);
            String link = real.equals(written) ? "" : "it leads to \"%s\"; ".formatted(real);
            rule.objection(real)
                    .ifPresent(
                            why -> refusing.refuse(path.child("host_path"), written, link + why));
            if (rule.requiresReadOnly() && !mounts.get(i).isReadOnly()) {
                refusing.refuse(
                        path.child("read_only"),
                        "false",
                        "folder \"%s\" may be mounted for reading only: set read_only: true"
                                .formatted(written));
            }
        }
    }
}
