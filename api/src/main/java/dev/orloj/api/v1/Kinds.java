package dev.orloj.api.v1;

import dev.orloj.api.approval.ToolPolicy;
import dev.orloj.api.codec.Scheme;
import dev.orloj.api.core.ConfigMap;
import dev.orloj.api.core.CoreSecret;
import dev.orloj.api.core.Event;
import dev.orloj.api.core.EventsV1Event;
import dev.orloj.api.core.Lease;
import dev.orloj.api.core.Namespace;
import dev.orloj.api.core.Pod;
import dev.orloj.api.core.Secret;
import dev.orloj.api.core.ServiceAccount;
import dev.orloj.api.policy.McpServerPolicy;
import dev.orloj.api.rbac.ClusterRole;
import dev.orloj.api.rbac.ClusterRoleBinding;
import dev.orloj.api.rbac.Role;
import dev.orloj.api.rbac.RoleBinding;

import java.util.List;

/** Registers all kinds that Orloj serves. */
public final class Kinds {

    /** Every kind. Core kinds are first, as clients expect. */
    public static final Scheme SCHEME =
            new Scheme(
                    List.of(
                            Namespace.DESCRIPTOR,
                            ConfigMap.DESCRIPTOR,
                            CoreSecret.DESCRIPTOR,
                            Event.DESCRIPTOR,
                            Pod.DESCRIPTOR,
                            ServiceAccount.DESCRIPTOR,
                            McpServer.DESCRIPTOR,
                            Tool.DESCRIPTOR,
                            Sandbox.DESCRIPTOR,
                            ToolPolicy.DESCRIPTOR,
                            McpServerPolicy.DESCRIPTOR,
                            Secret.DESCRIPTOR,
                            Lease.DESCRIPTOR,
                            EventsV1Event.DESCRIPTOR,
                            Role.DESCRIPTOR,
                            RoleBinding.DESCRIPTOR,
                            ClusterRole.DESCRIPTOR,
                            ClusterRoleBinding.DESCRIPTOR));

    private Kinds() {}
}
