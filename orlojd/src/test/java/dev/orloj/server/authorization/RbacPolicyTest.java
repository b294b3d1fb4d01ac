package dev.orloj.server.authorization;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.codec.Json;
import dev.orloj.api.codec.ResourceCodec;
import dev.orloj.api.rbac.ClusterRole;
import dev.orloj.api.rbac.ClusterRoleBinding;
import dev.orloj.api.rbac.Role;
import dev.orloj.api.rbac.RoleBinding;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What roles and bindings permit, row by row as kube-apiserver decides. */
class RbacPolicyTest {

    private static final UserInfo BOB =
            new UserInfo("bob", "", List.of("web", "system:authenticated"), Map.of());
    private static final UserInfo BUILDER =
            new UserInfo(
                    "system:serviceaccount:ci:builder",
                    "7",
                    List.of("system:serviceaccounts", "system:serviceaccounts:ci"),
                    Map.of());

    private final List<Role> roles = new ArrayList<>();
    private final List<ClusterRole> clusterRoles = new ArrayList<>();
    private final List<RoleBinding> bindings = new ArrayList<>();
    private final List<ClusterRoleBinding> clusterBindings = new ArrayList<>();

    @ParameterizedTest
    @CsvSource({
        // rule: verbs | groups | resources | names; request: verb group resource name; allowed
        "get|orloj.dev|tools|, get orloj.dev tools x, true",
        "get|orloj.dev|tools|, list orloj.dev tools -, false",
        "*|orloj.dev|tools|, call orloj.dev tools x, true",
        "get|*|tools|, get apps tools x, true",
        "get|orloj.dev|*|, get orloj.dev tools/status x, true",
        "get|orloj.dev|tools|, get orloj.dev tools/status x, false",
        "get|orloj.dev|tools/status|, get orloj.dev tools x, false",
        "get|orloj.dev|*/status|, get orloj.dev tools/status x, true",
        "get|orloj.dev|*/status|, get orloj.dev tools x, false",
        "get|orloj.dev|tools|x, get orloj.dev tools x, true",
        "get|orloj.dev|tools|x, get orloj.dev tools y, false",
        "create|orloj.dev|tools|x, create orloj.dev tools -, false",
        "list|orloj.dev|tools|x, list orloj.dev tools x, true",
        "deletecollection|orloj.dev|tools|x, deletecollection orloj.dev tools -, false",
    })
    void ruleMatchesAsInKubernetes(String rule, String request, boolean allowed) {
        String[] parts = rule.split("\\|", -1);
        clusterRoles.add(
                clusterRole(
                        "r",
                        "{'verbs': ['%s'], 'apiGroups': ['%s'], 'resources': ['%s'], 'resourceNames': [%s]}"
                                .formatted(
                                        parts[0],
                                        parts[1],
                                        parts[2],
                                        parts[3].isEmpty() ? "" : "'" + parts[3] + "'")));
        clusterBindings.add(clusterBinding("b", "r", "User", "bob"));

        assertThat(policy().decide(BOB, attributes(request, "default")).allowed())
                .isEqualTo(allowed);
    }

    @ParameterizedTest
    @CsvSource({
        "/metrics, /metrics, true",
        "/metrics, /metrics/x, false",
        "/openapi*, /openapi/v3, true",
        "*, /anything, true",
        "/healthz/*, /healthz, false",
    })
    void pathsMatchExactlyOrByPrefix(String pattern, String path, boolean allowed) {
        clusterRoles.add(
                clusterRole(
                        "r", "{'verbs': ['get'], 'nonResourceURLs': ['%s']}".formatted(pattern)));
        clusterBindings.add(clusterBinding("b", "r", "Group", "web"));

        assertThat(policy().decide(BOB, new Attributes.OfPath("get", path)).allowed())
                .isEqualTo(allowed);
    }

    @Test
    void roleBindingGrantsInItsOwnNamespaceOnly() {
        clusterRoles.add(clusterRole("view", everyTool()));
        bindings.add(binding("ns1", "b", "ClusterRole", "view", "User", "bob"));

        assertThat(decide(BOB, "get orloj.dev tools x", "ns1"))
                .isEqualTo(
                        new Decision(
                                true,
                                "RBAC: allowed by RoleBinding \"b/ns1\" of ClusterRole \"view\" to"
                                        + " User \"bob\""));
        assertThat(decide(BOB, "get orloj.dev tools x", "ns2").allowed()).isFalse();
        assertThat(decide(BOB, "list orloj.dev tools -", "").allowed()).isFalse();
    }

    @Test
    void roleBindingDoesNotGrantPathsOfItsClusterRole() {
        clusterRoles.add(clusterRole("m", "{'verbs': ['get'], 'nonResourceURLs': ['*']}"));
        bindings.add(binding("ns1", "b", "ClusterRole", "m", "User", "bob"));

        assertThat(policy().decide(BOB, new Attributes.OfPath("get", "/metrics")).allowed())
                .isFalse();
    }

    @Test
    void serviceAccountIsNamedByItsNamespaceOrThatOfTheBinding() {
        roles.add(role("ci", "r", everyTool()));
        roles.add(role("other", "r", everyTool()));
        bindings.add(binding("ci", "b", "Role", "r", "ServiceAccount", "builder"));
        bindings.add(binding("other", "b", "Role", "r", "ServiceAccount", "builder"));

        assertThat(decide(BUILDER, "get orloj.dev tools x", "ci").reason())
                .isEqualTo(
                        "RBAC: allowed by RoleBinding \"b/ci\" of Role \"r\" to ServiceAccount"
                                + " \"builder/ci\"");
        assertThat(decide(BUILDER, "get orloj.dev tools x", "other").allowed()).isFalse();
    }

    @Test
    void roleThatIsMissingGrantsNothingAndIsNamedWhenNothingElseAllows() {
        bindings.add(binding("ns1", "a", "Role", "gone", "User", "bob"));
        Decision denied = decide(BOB, "get orloj.dev tools x", "ns1");
        clusterRoles.add(clusterRole("view", everyTool()));
        clusterBindings.add(clusterBinding("b", "view", "Group", "web"));

        assertThat(denied)
                .isEqualTo(
                        new Decision(
                                false,
                                "RBAC: [role.rbac.authorization.k8s.io \"gone\" not found]"));
        assertThat(decide(BOB, "get orloj.dev tools x", "ns1").allowed()).isTrue();
    }

    @Test
    void nobodyIsAUserByTheNameOfAGroup() {
        clusterRoles.add(clusterRole("view", everyTool()));
        clusterBindings.add(clusterBinding("b", "view", "Group", "bob"));
        clusterBindings.add(clusterBinding("c", "view", "User", "web"));

        assertThat(decide(BOB, "get orloj.dev tools x", "ns1").allowed()).isFalse();
    }

    @Test
    void rulesListAllThatAUserHasInANamespace() {
        clusterRoles.add(clusterRole("view", everyTool()));
        clusterBindings.add(clusterBinding("b", "view", "Group", "web"));
        roles.add(role("ns1", "r", "{'verbs': ['call'], 'apiGroups': [''], 'resources': ['x']}"));
        bindings.add(binding("ns1", "b", "Role", "r", "User", "bob"));

        assertThat(policy().rules(BOB, "ns1").stream().map(RuleCoverage::text))
                .containsExactly(
                        "{APIGroups:[\"orloj.dev\"], Resources:[\"tools\"], Verbs:[\"get\""
                                + " \"list\"]}",
                        "{APIGroups:[\"\"], Resources:[\"x\"], Verbs:[\"call\"]}");
    }

    private Decision decide(UserInfo user, String request, String namespace) {
        return policy().decide(user, attributes(request, namespace));
    }

    private RbacPolicy policy() {
        return RbacPolicy.of(roles, clusterRoles, bindings, clusterBindings);
    }

    private static Attributes attributes(String request, String namespace) {
        String[] words = request.split(" ");
        String[] resource = words[2].split("/", -1);
        return new Attributes.OfResource(
                words[0],
                words[1],
                resource[0],
                resource.length > 1 ? resource[1] : "",
                namespace,
                words[3].equals("-") ? "" : words[3]);
    }

    private static String everyTool() {
        return "{'verbs': ['get', 'list'], 'apiGroups': ['orloj.dev'], 'resources': ['tools']}";
    }

    private static Role role(String namespace, String name, String rule) {
        return ResourceCodec.fromDocument(
                Role.KIND, document("Role", namespace, name, "'rules': [%s]".formatted(rule)));
    }

    private static ClusterRole clusterRole(String name, String rule) {
        return ResourceCodec.fromDocument(
                ClusterRole.KIND,
                document("ClusterRole", "", name, "'rules': [%s]".formatted(rule)));
    }

    private static RoleBinding binding(
            String namespace,
            String name,
            String roleKind,
            String role,
            String subjectKind,
            String subject) {
        return ResourceCodec.fromDocument(
                RoleBinding.KIND,
                document(
                        "RoleBinding",
                        namespace,
                        name,
                        grants(roleKind, role, subjectKind, subject)));
    }

    private static ClusterRoleBinding clusterBinding(
            String name, String role, String subjectKind, String subject) {
        return ResourceCodec.fromDocument(
                ClusterRoleBinding.KIND,
                document(
                        "ClusterRoleBinding",
                        "",
                        name,
                        grants("ClusterRole", role, subjectKind, subject)));
    }

    private static String grants(String roleKind, String role, String subjectKind, String subject) {
        return """
        'roleRef': {'apiGroup': 'rbac.authorization.k8s.io', 'kind': '%s', 'name': '%s'},
        'subjects': [{'kind': '%s', 'name': '%s'}]\
        """
                .formatted(roleKind, role, subjectKind, subject);
    }

    private static ObjectNode document(String kind, String namespace, String name, String rest) {
        return (ObjectNode)
                Json.MAPPER.readTree(
                        """
                        {'apiVersion': 'rbac.authorization.k8s.io/v1', 'kind': '%s',
                         'metadata': {'name': '%s', 'namespace': '%s'}, %s}\
                        """
                                .formatted(kind, name, namespace, rest)
                                .replace('\'', '"'));
    }
}
