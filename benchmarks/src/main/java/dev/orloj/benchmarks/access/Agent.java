package dev.orloj.benchmarks.access;

import dev.orloj.api.codec.Json;
import dev.orloj.benchmarks.suite.OrlojdProcess;

import java.io.IOException;

/** A ServiceAccount that may call tools, and nothing else. */
final class Agent {

    private static final String ACCOUNTS = "/api/v1/namespaces/default/serviceaccounts";
    private static final String RBAC = "/apis/rbac.authorization.k8s.io/v1/namespaces/default/";

    private Agent() {}

    /** Creates it, and returns a token of it. */
    static String create(OrlojdProcess orlojd) throws IOException {
        orlojd.create(
                ACCOUNTS,
                """
                {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "agent"}}\
                """);
        orlojd.create(
                RBAC + "roles",
                """
                {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "Role",
                 "metadata": {"name": "agent"},
                 "rules": [{"apiGroups": ["orloj.dev"], "resources": ["tools"], "verbs": ["get", "list", "call"]}]}\
                """);
        orlojd.create(
                RBAC + "rolebindings",
                """
                {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "RoleBinding",
                 "metadata": {"name": "agent"},
                 "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "Role", "name": "agent"},
                 "subjects": [{"kind": "ServiceAccount", "name": "agent", "namespace": "default"}]}\
                """);
        String answer =
                orlojd.create(
                        ACCOUNTS + "/agent/token",
                        """
                        {"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest",
                         "spec": {"expirationSeconds": 86400}}\
                        """);
        return Json.MAPPER.readTree(answer).at("/status/token").asString();
    }
}
