package dev.orloj.server.access;

import static org.awaitility.Awaitility.await;

import dev.orloj.api.rbac.RoleRef;
import dev.orloj.server.authorization.RbacAuthorizer;
import dev.orloj.server.authorization.UserInfo;
import dev.orloj.server.certificate.TestCertificates;
import dev.orloj.server.postgres.TestPostgres;
import dev.orloj.server.testing.RunningOrlojd;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A server with an HTTPS port, and clients of it. */
final class HttpsOrlojd implements AutoCloseable {

    static final String RBAC = "/apis/rbac.authorization.k8s.io/v1/";

    private final RunningOrlojd orlojd;
    private final TestCertificates certificates;
    private final String url;

    private HttpsOrlojd(RunningOrlojd orlojd, Path data) throws IOException {
        this.orlojd = orlojd;
        this.certificates = new TestCertificates(data);
        this.url = url(data);
    }

    static HttpsOrlojd start(TestPostgres.Database database, Path data, Map<String, Object> more)
            throws IOException {
        Map<String, Object> properties = new HashMap<>();
        properties.put("orloj.data-dir", data);
        properties.put("orloj.https.port", 0);
        properties.put("orloj.https.address", "127.0.0.1");
        properties.putAll(more);
        return new HttpsOrlojd(RunningOrlojd.start(database, properties), data);
    }

    /** Returns the server of the kubeconfig. */
    static String url(Path data) throws IOException {
        Matcher server =
                Pattern.compile("server: (\\S+)")
                        .matcher(Files.readString(data.resolve("kubeconfig")));
        if (!server.find()) {
            throw new IllegalStateException("no server in the kubeconfig");
        }
        return server.group(1);
    }

    RunningOrlojd orlojd() {
        return orlojd;
    }

    String url() {
        return url;
    }

    TestCertificates certificates() {
        return certificates;
    }

    HttpsClient owner() throws IOException, GeneralSecurityException {
        return new HttpsClient(url, certificates.owner());
    }

    HttpsClient anonymous() throws IOException, GeneralSecurityException {
        return new HttpsClient(url, certificates.anonymous());
    }

    HttpsClient bearer(String token) throws IOException, GeneralSecurityException {
        return new HttpsClient(url, certificates.anonymous(), token);
    }

    HttpsClient user(String name, String... groups) throws IOException, GeneralSecurityException {
        return new HttpsClient(
                url, certificates.user(InstantSource.system(), name, List.of(groups)));
    }

    /** Binds a ClusterRole to a user everywhere, and returns when it counts. */
    void bind(String user, String role) throws Exception {
        expectCreated(
                owner().post(
                                RBAC + "clusterrolebindings",
                                binding("ClusterRoleBinding", user, role)));
        awaitRights(user, "", new RoleRef("", "ClusterRole", role));
    }

    /** Binds a ClusterRole to a user in one namespace, and returns when it counts. */
    void bind(String user, String role, String namespace) throws Exception {
        expectCreated(
                owner().post(
                                RBAC + "namespaces/" + namespace + "/rolebindings",
                                binding("RoleBinding", user, role)));
        awaitRights(user, namespace, new RoleRef("", "ClusterRole", role));
    }

    /** The server follows roles and bindings, each kind by itself: they count a moment later. */
    private void awaitRights(String user, String namespace, RoleRef role) {
        RbacAuthorizer authorizer = orlojd.part(RbacAuthorizer.class);
        UserInfo bound = new UserInfo(user, "", List.of(), Map.of());
        await().atMost(Duration.ofSeconds(60))
                .until(
                        () ->
                                authorizer
                                        .rules(role, namespace)
                                        .filter(authorizer.rules(bound, namespace)::containsAll)
                                        .isPresent());
    }

    /**
     * Gives a user a verb on some Tools or McpServers of the default namespace; none are all.
     * Returns when that counts.
     */
    void grant(String user, String verb, String resource, String... names) throws Exception {
        String quoted =
                Stream.of(names).map(name -> '"' + name + '"').collect(Collectors.joining(", "));
        expectCreated(
                owner().post(
                                RBAC + "namespaces/default/roles",
                                """
                                {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "Role",
                                 "metadata": {"name": "%s-%s"}, "rules": [{"apiGroups": ["orloj.dev"],
                                 "verbs": ["%2$s"], "resources": ["%s"], "resourceNames": [%s]}]}\
                                """
                                        .formatted(user, verb, resource, quoted)));
        expectCreated(
                owner().post(
                                RBAC + "namespaces/default/rolebindings",
                                binding("RoleBinding", user, user + "-" + verb)
                                        .replace("\"ClusterRole\"", "\"Role\"")));
        awaitRights(user, "default", new RoleRef("", "Role", user + "-" + verb));
    }

    /** Takes away what {@link #grant} gave. */
    void revoke(String user, String verb) throws Exception {
        HttpsClient.Answer answer =
                owner().send(
                                "DELETE",
                                RBAC
                                        + "namespaces/default/rolebindings/%s-%s-%s"
                                                .formatted(user, user, verb),
                                "");
        if (answer.code() != 200) {
            throw new IllegalStateException(answer.text());
        }
    }

    private static String binding(String kind, String user, String role) {
        return """
        {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "%s", "metadata": {"name": "%s-%s"},
         "roleRef": {"kind": "ClusterRole", "name": "%3$s"}, "subjects": [{"kind": "User", "name": "%2$s"}]}\
        """
                .formatted(kind, user, role);
    }

    private static void expectCreated(HttpsClient.Answer answer) {
        if (answer.code() != 201) {
            throw new IllegalStateException(answer.text());
        }
    }

    @Override
    public void close() {
        orlojd.close();
    }
}
