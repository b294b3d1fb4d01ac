package dev.orloj.server.authorization;

import dev.orloj.api.rbac.Binding;
import dev.orloj.api.rbac.ClusterRole;
import dev.orloj.api.rbac.ClusterRoleBinding;
import dev.orloj.api.rbac.PolicyRule;
import dev.orloj.api.rbac.Role;
import dev.orloj.api.rbac.RoleBinding;
import dev.orloj.api.rbac.RoleRef;
import dev.orloj.api.rbac.Subject;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * All roles and bindings at one time, indexed by subject. A decision costs a few look-ups in maps
 * and the rules of the user. Immutable.
 */
public final class RbacPolicy {

    /** Grants nothing. */
    public static final RbacPolicy EMPTY = of(List.of(), List.of(), List.of(), List.of());

    /**
     * What one binding gives to one subject.
     *
     * @param allowed the decision on a request that one of the rules allows
     */
    private record Grant(Decision allowed, List<PolicyRule> rules, String error) {}

    /** The grants of one namespace, or of all of them, by the names of users and groups. */
    private record Grants(Map<String, List<Grant>> ofUsers, Map<String, List<Grant>> ofGroups) {

        Grants() {
            this(new HashMap<>(), new HashMap<>());
        }

        void add(Subject subject, String namespace, Grant grant) {
            boolean isGroup = subject.kind().equals(Subject.GROUP);
            (isGroup ? ofGroups : ofUsers)
                    .computeIfAbsent(userOrGroup(subject, namespace), _ -> new ArrayList<>())
                    .add(grant);
        }

        boolean anyMatch(UserInfo user, Predicate<Grant> visitor) {
            if (anyMatch(ofUsers, user.username(), visitor)) {
                return true;
            }
            for (String group : user.groups()) {
                if (anyMatch(ofGroups, group, visitor)) {
                    return true;
                }
            }
            return false;
        }

        private static boolean anyMatch(
                Map<String, List<Grant>> grants, String name, Predicate<Grant> visitor) {
            for (Grant grant : grants.getOrDefault(name, List.of())) {
                if (visitor.test(grant)) {
                    return true;
                }
            }
            return false;
        }
    }

    private final Grants everywhere = new Grants();
    private final Map<String, Grants> byNamespace = new HashMap<>();
    private final Map<String, List<PolicyRule>> roles = new HashMap<>();

    private RbacPolicy() {}

    /** Indexes the resources. */
    public static RbacPolicy of(
            Collection<Role> roles,
            Collection<ClusterRole> clusterRoles,
            Collection<RoleBinding> bindings,
            Collection<ClusterRoleBinding> clusterBindings) {
        RbacPolicy policy = new RbacPolicy();
        roles.forEach(
                role ->
                        policy.roles.put(
                                key(role.metadata().namespace(), role.metadata().name()),
                                role.rules()));
        new Aggregation(clusterRoles)
                .rules()
                .forEach((name, rules) -> policy.roles.put(key("", name), rules));
        clusterBindings.forEach(binding -> policy.add(binding, "", policy.everywhere));
        for (RoleBinding binding : bindings) {
            String namespace = binding.metadata().namespace();
            policy.add(
                    binding,
                    namespace,
                    policy.byNamespace.computeIfAbsent(namespace, _ -> new Grants()));
        }
        return policy;
    }

    private void add(Binding binding, String namespace, Grants grants) {
        RoleRef ref = binding.roleRef();
        String name = binding.metadata().name() + (namespace.isEmpty() ? "" : "/" + namespace);
        Optional<List<PolicyRule>> rules = rules(ref, namespace);
        String error =
                rules.isEmpty()
                        ? "%s.rbac.authorization.k8s.io \"%s\" not found"
                                .formatted(ref.kind().toLowerCase(Locale.ROOT), ref.name())
                        : "";
        for (Subject subject : binding.subjects()) {
            String shown =
                    subject.kind().equals(Subject.SERVICE_ACCOUNT)
                            ? subject.name() + "/" + namespaceOf(subject, namespace)
                            : subject.name();
            grants.add(
                    subject,
                    namespace,
                    new Grant(
                            new Decision(
                                    true,
                                    "RBAC: allowed by %s \"%s\" of %s \"%s\" to %s \"%s\""
                                            .formatted(
                                                    binding.kind(),
                                                    name,
                                                    ref.kind(),
                                                    ref.name(),
                                                    subject.kind(),
                                                    shown)),
                            rules.orElse(List.of()),
                            error));
        }
    }

    private static String namespaceOf(Subject subject, String namespace) {
        return subject.namespace().isEmpty() ? namespace : subject.namespace();
    }

    private static String userOrGroup(Subject subject, String namespace) {
        return subject.kind().equals(Subject.SERVICE_ACCOUNT)
                ? UserInfo.nameOfAccount(namespaceOf(subject, namespace), subject.name())
                : subject.name();
    }

    private static String key(String namespace, String role) {
        return namespace + "/" + role;
    }

    /** Returns the rules of a role; empty when it does not exist. */
    Optional<List<PolicyRule>> rules(RoleRef ref, String namespace) {
        return Optional.ofNullable(
                roles.get(key(ref.kind().equals("Role") ? namespace : "", ref.name())));
    }

    /** Decides on a request. Unknown roles are named in the reason when nothing else allows it. */
    public Decision decide(UserInfo user, Attributes request) {
        List<String> errors = new ArrayList<>();
        List<Decision> found = new ArrayList<>(1);
        visit(
                user,
                namespace(request),
                grant -> {
                    if (!grant.error().isEmpty()) {
                        errors.add(grant.error());
                    }
                    for (PolicyRule rule : grant.rules()) {
                        if (RuleMatch.matches(rule, request)) {
                            found.add(grant.allowed());
                            return true;
                        }
                    }
                    return false;
                });
        if (!found.isEmpty()) {
            return found.getFirst();
        }
        return new Decision(
                false, errors.isEmpty() ? "" : "RBAC: [" + String.join(", ", errors) + "]");
    }

    private static String namespace(Attributes request) {
        return request instanceof Attributes.OfResource resource ? resource.namespace() : "";
    }

    /** Returns the rules that a user has in a namespace; with an empty one, those everywhere. */
    public List<PolicyRule> rules(UserInfo user, String namespace) {
        List<PolicyRule> rules = new ArrayList<>();
        visit(
                user,
                namespace,
                grant -> {
                    rules.addAll(grant.rules());
                    return false;
                });
        return rules;
    }

    /** Passes the grants of a user until one is accepted. */
    private void visit(UserInfo user, String namespace, Predicate<Grant> visitor) {
        if (everywhere.anyMatch(user, visitor)) {
            return;
        }
        Grants local = byNamespace.get(namespace);
        if (local != null) {
            local.anyMatch(user, visitor);
        }
    }
}
