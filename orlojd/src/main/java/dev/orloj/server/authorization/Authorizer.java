package dev.orloj.server.authorization;

import dev.orloj.api.rbac.PolicyRule;
import dev.orloj.api.rbac.RoleRef;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Decides what users may do. Safe for many threads; a decision takes microseconds. */
public interface Authorizer {

    Decision decide(UserInfo user, Attributes request);

    /** Returns the rules of a user in a namespace, and those that hold everywhere. */
    List<PolicyRule> rules(UserInfo user, String namespace);

    /**
     * Returns the rules of a role; empty when it does not exist.
     *
     * @param namespace of the binding that refers to it; empty for a ClusterRoleBinding
     */
    Optional<List<PolicyRule>> rules(RoleRef role, String namespace);

    /**
     * Returns the resources of a kind on which a user has a verb: the same answer as that of {@link
     * #decide} for each name.
     */
    default GrantedNames names(
            UserInfo user, String verb, String group, String resource, String namespace) {
        Set<String> names = new HashSet<>();
        for (PolicyRule rule : rules(user, namespace)) {
            if (RuleMatch.matchesKind(rule, verb, group, resource)) {
                if (rule.resourceNames().isEmpty()) {
                    return GrantedNames.ALL;
                }
                names.addAll(rule.resourceNames());
            }
        }
        return new GrantedNames(false, names);
    }
}
