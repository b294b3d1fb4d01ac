package dev.orloj.server.authorization;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.Kind;
import dev.orloj.api.Resource;
import dev.orloj.api.Status;
import dev.orloj.api.rbac.Binding;
import dev.orloj.api.rbac.ClusterRole;
import dev.orloj.api.rbac.ClusterRoleBinding;
import dev.orloj.api.rbac.PolicyRule;
import dev.orloj.api.rbac.Role;
import dev.orloj.api.rbac.RoleBinding;
import dev.orloj.api.rbac.RoleRef;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Prevents escalation: a user who may write roles and bindings grants only rights that the user
 * has, unless the verbs {@code escalate} and {@code bind} permit more. The rules are those of
 * Kubernetes.
 */
public final class GrantGuard {

    private static final List<PolicyRule> EVERYTHING =
            List.of(
                    new PolicyRule(List.of("*"), List.of("*"), List.of("*"), List.of(), List.of()),
                    new PolicyRule(List.of("*"), List.of(), List.of(), List.of(), List.of("*")));

    private final Supplier<Authorizer> authorizer;

    /**
     * @param authorizer asked at the first write, because it reads the store that it guards
     */
    public GrantGuard(Supplier<Authorizer> authorizer) {
        this.authorizer = authorizer;
    }

    /**
     * @throws ApiException (Forbidden) naming the rights that the user does not have, (NotFound)
     *     for a binding to a role that does not exist
     */
    public void check(
            UserInfo user, Kind<?> kind, Resource after, Optional<? extends Resource> before) {
        if (before.isEmpty()) {
            checkCreation(user, kind, after);
        }
        switch (after) {
            case Role role -> checkRole(user, Role.KIND, role, role.rules());
            case ClusterRole role ->
                    checkRole(
                            user,
                            ClusterRole.KIND,
                            role,
                            aggregates(role) || before.filter(GrantGuard::aggregates).isPresent()
                                    ? EVERYTHING
                                    : role.rules());
            case RoleBinding binding -> checkBinding(user, RoleBinding.KIND, binding);
            case ClusterRoleBinding binding -> checkBinding(user, ClusterRoleBinding.KIND, binding);
            default -> {}
        }
    }

    private static boolean aggregates(Resource role) {
        return role instanceof ClusterRole cluster && cluster.aggregationRule() != null;
    }

    /** An apply is a patch by its method, and a creation by what it does. */
    private void checkCreation(UserInfo user, Kind<?> kind, Resource created) {
        Attributes creation =
                new Attributes.OfResource(
                        "create",
                        kind.group(),
                        kind.plural(),
                        "",
                        created.metadata().namespace(),
                        created.metadata().name());
        Decision decision = authorizer.get().decide(user, creation);
        if (!decision.allowed()) {
            Status denial = Forbidden.status(user, creation, decision.reason());
            throw new ApiException(ErrorReason.FORBIDDEN, denial.message(), denial.details());
        }
    }

    private void checkRole(UserInfo user, Kind<?> kind, Resource role, List<PolicyRule> rules) {
        String namespace = role.metadata().namespace();
        String name = role.metadata().name();
        if (!may(user, "escalate", kind.plural(), namespace, name)) {
            requireHeld(user, kind, name, namespace, rules);
        }
    }

    private void checkBinding(UserInfo user, Kind<?> kind, Binding binding) {
        String namespace = binding.metadata().namespace();
        RoleRef role = binding.roleRef();
        Kind<?> roleKind = role.kind().equals("Role") ? Role.KIND : ClusterRole.KIND;
        if (!may(user, "bind", roleKind.plural(), namespace, role.name())) {
            List<PolicyRule> rules =
                    authorizer
                            .get()
                            .rules(role, namespace)
                            .orElseThrow(() -> ApiException.notFound(roleKind, role.name()));
            requireHeld(user, kind, binding.metadata().name(), namespace, rules);
        }
    }

    private boolean may(UserInfo user, String verb, String plural, String namespace, String name) {
        return authorizer
                .get()
                .decide(
                        user,
                        new Attributes.OfResource(verb, Role.GROUP, plural, "", namespace, name))
                .allowed();
    }

    private void requireHeld(
            UserInfo user, Kind<?> kind, String name, String namespace, List<PolicyRule> wanted) {
        List<PolicyRule> missing =
                RuleCoverage.uncovered(authorizer.get().rules(user, namespace), wanted);
        if (missing.isEmpty()) {
            return;
        }
        String groups =
                user.groups().stream()
                        .map(group -> '"' + group + '"')
                        .collect(Collectors.joining(" ", "[", "]"));
        throw new ApiException(
                ErrorReason.FORBIDDEN,
                "%s \"%s\" is forbidden: user \"%s\" (groups=%s) is attempting to grant RBAC permissions not currently held:\n%s"
                        .formatted(
                                kind.groupResource(),
                                name,
                                user.username(),
                                groups,
                                missing.stream()
                                        .map(RuleCoverage::text)
                                        .collect(Collectors.joining("\n"))),
                Status.Details.of(kind.group(), kind.plural(), name));
    }
}
