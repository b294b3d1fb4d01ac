package dev.orloj.controllers.policy;

import dev.orloj.api.FieldPath;
import dev.orloj.api.policy.McpServerPolicy;
import dev.orloj.api.policy.MountRule;
import dev.orloj.api.policy.NetworkRule;
import dev.orloj.api.v1.ContainerNetwork;
import dev.orloj.api.v1.Sandbox;
import dev.orloj.runtime.container.spec.NetworkAccess;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Locale;

/** Decides by the rules of one policy what the container of a server or Sandbox may have. */
final class ContainerDecision {

    /** Receives what is refused. */
    interface Refusing {

        void refuse(FieldPath field, String value, String why);
    }

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
