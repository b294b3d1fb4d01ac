package dev.orloj.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.server.certificate.TestCertificates;
import dev.orloj.server.postgres.TestPostgres;
import dev.orloj.server.testing.RunningOrlojd;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Who may do what through the HTTPS port. */
@Timeout(180)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AccessTest {

    private static final String RBAC = "/apis/rbac.authorization.k8s.io/v1/";
    private static final String TOOLS = "/apis/orloj.dev/v1/namespaces/default/tools";
    private static final InstantSource NOW = InstantSource.system();

    @TempDir static Path data;

    private RunningOrlojd orlojd;
    private String url = "";
    private TestCertificates certificates;
    private HttpsClient owner;
    private HttpsClient bob;

    @BeforeAll
    void start() throws Exception {
        orlojd =
                RunningOrlojd.start(
                        TestPostgres.freshDatabase(),
                        Map.of(
                                "orloj.data-dir",
                                data,
                                "orloj.https.port",
                                0,
                                "orloj.https.address",
                                "127.0.0.1"));
        Matcher server =
                Pattern.compile("server: (\\S+)")
                        .matcher(Files.readString(data.resolve("kubeconfig")));
        assertThat(server.find()).isTrue();
        url = server.group(1);
        certificates = new TestCertificates(data);
        owner = new HttpsClient(url, certificates.owner());
        bob = user("bob", "web");
    }

    @AfterAll
    void stop() {
        orlojd.close();
    }

    private HttpsClient user(String name, String... groups)
            throws IOException, GeneralSecurityException {
        return new HttpsClient(url, certificates.user(NOW, name, List.of(groups)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/api",
                "/apis",
                "/openapi/v3",
                "/metrics",
                "/mcp",
                "/error",
                "/internal/replicas/x",
                "/api/v1/namespaces",
                TOOLS,
                TOOLS + "/x/call",
                "/nothing"
            })
    void withoutACredentialThereIsNothingToSee(String path) throws Exception {
        HttpsClient anonymous = new HttpsClient(url, certificates.anonymous());
        HttpsClient stranger =
                new HttpsClient(
                        url, certificates.stranger("orloj-admin", List.of("orloj:administrators")));
        HttpsClient late =
                new HttpsClient(
                        url,
                        certificates.user(
                                InstantSource.fixed(Instant.now().minus(Duration.ofDays(400))),
                                "orloj-admin",
                                List.of("orloj:administrators")));

        assertThat(anonymous.get(path).code()).isEqualTo(401);
        assertThat(stranger.get(path).code()).isEqualTo(401);
        assertThat(late.get(path).code()).isEqualTo(401);
        assertThat(anonymous.get(path, "Authorization", "Bearer x").text())
                .isEqualTo(
                        "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},\"status\":\"Failure\",\"message\":\"Unauthorized\",\"reason\":\"Unauthorized\",\"code\":401}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/healthz", "/livez", "/readyz", "/version"})
    void probesNeedNoCredentialButNoWrongOneEither(String path) throws Exception {
        HttpsClient anonymous = new HttpsClient(url, certificates.anonymous());

        assertThat(anonymous.get(path).code()).isEqualTo(200);
        assertThat(anonymous.get(path, "Authorization", "Bearer x").code()).isEqualTo(401);
    }

    @Test
    void replicasComeWithTokensOfTheirOwn() throws Exception {
        HttpsClient anonymous = new HttpsClient(url, certificates.anonymous());

        HttpsClient.Answer answer =
                anonymous.post("/internal/replicas/x", "{}", "Authorization", "Orloj-Replica x");

        assertThat(answer.code()).isEqualTo(401);
        assertThat(answer.text()).doesNotContain("Status");
        assertThat(anonymous.post(TOOLS, "{}", "Authorization", "Orloj-Replica x").text())
                .contains("\"Unauthorized\"");
    }

    @Test
    void ownerHasEveryRightByCertificateAndByToken() throws Exception {
        String token = Files.readString(data.resolve("admin.token")).strip();
        HttpsClient anonymous = new HttpsClient(url, certificates.anonymous());

        assertThat(owner.get("/api/v1/namespaces").code()).isEqualTo(200);
        assertThat(anonymous.get("/metrics", "Authorization", "bearer " + token).code())
                .isEqualTo(200);
        assertThat(whoami(owner).at("/username").asString()).isEqualTo("orloj-admin");
        assertThat(whoami(owner).at("/groups").toString())
                .isEqualTo("[\"orloj:administrators\",\"system:authenticated\"]");
        assertThat(whoami(owner).path("extra").toString()).contains("X509SHA256=");
    }

    @Test
    void userWithoutARoleSeesWhatServerItIsAndNoMore() throws Exception {
        HttpsClient.Answer refused = bob.get(TOOLS);

        assertThat(bob.get("/apis").code()).isEqualTo(200);
        assertThat(whoami(bob).at("/username").asString()).isEqualTo("bob");
        assertThat(refused.code()).isEqualTo(403);
        assertThat(refused.message())
                .isEqualTo(
                        "tools.orloj.dev is forbidden: User \"bob\" cannot list resource \"tools\""
                                + " in API group \"orloj.dev\" in the namespace \"default\"");
        assertThat(bob.get(TOOLS + "/x").message())
                .startsWith("tools.orloj.dev \"x\" is forbidden");
        assertThat(bob.get("/metrics").message())
                .isEqualTo("forbidden: User \"bob\" cannot get path \"/metrics\"");
        assertThat(bob.send("DELETE", TOOLS, "").message()).contains("cannot deletecollection");
        assertThat(bob.get(TOOLS + "?watch=true").message()).contains("cannot watch");
    }

    @Test
    void boundRoleCountsAtOnceAndItsEndToo() throws Exception {
        HttpsClient ann = user("ann");
        bind("ann-views", "view", "User", "ann");

        await().until(() -> ann.get(TOOLS).code() == 200);
        assertThat(ann.get("/api/v1/namespaces/default/secrets").code()).isEqualTo(403);
        assertThat(ann.post(TOOLS, "{}").message()).contains("cannot create resource \"tools\"");
        assertThat(ann.post(TOOLS + "/x/call", "{}").message())
                .contains("\"x\" is forbidden: User \"ann\" cannot call resource \"tools\"");

        owner.send("DELETE", RBAC + "clusterrolebindings/ann-views", "");

        await().until(() -> ann.get(TOOLS).code() == 403);
    }

    /** A right that is taken away reaches open streams. */
    @Test
    void lostRoleEndsAnOpenWatch() throws Exception {
        HttpsClient eve = user("eve");
        bind("eve-views", "view", "User", "eve");
        await().until(() -> eve.get(TOOLS).code() == 200);
        try (InputStream watch = eve.open(TOOLS + "?watch=true", "Accept", "*/*")) {
            owner.send("DELETE", RBAC + "clusterrolebindings/eve-views", "");

            assertThat(isAtEnd(watch)).isTrue();
        }
        assertThat(eve.get(TOOLS).code()).isEqualTo(403);
    }

    /** Reads until the stream ends, in whatever way. */
    private static boolean isAtEnd(InputStream stream) {
        try {
            stream.readAllBytes();
            return true;
        } catch (IOException e) {
            return true;
        }
    }

    @Test
    void reviewsAnswerForTheUserAndForOthers() throws Exception {
        assertThat(mayI(bob, "delete", "tools")).isFalse();
        assertThat(mayI(owner, "delete", "tools")).isTrue();
        JsonNode review =
                owner.post(
                                "/apis/authorization.k8s.io/v1/subjectaccessreviews",
                                """
                                {"spec": {"user": "x", "groups": ["orloj:administrators"],
                                  "resourceAttributes": {"verb": "get", "resource": "pods"}}}\
                                """)
                        .json();

        assertThat(review.at("/status/reason").asString())
                .isEqualTo(
                        "RBAC: allowed by ClusterRoleBinding \"cluster-admin\" of ClusterRole"
                                + " \"cluster-admin\" to Group \"orloj:administrators\"");
        assertThat(bob.post("/apis/authorization.k8s.io/v1/subjectaccessreviews", "{}").message())
                .contains("cannot create resource \"subjectaccessreviews\"");
    }

    @Test
    void impersonationNeedsItsVerbAndIsLimitedToTheRightsOfTheOtherUser() throws Exception {
        assertThat(bob.get(TOOLS, "Impersonate-User", "ann").message())
                .isEqualTo(
                        "users \"ann\" is forbidden: User \"bob\" cannot impersonate resource"
                                + " \"users\" in API group \"\" at the cluster scope");
        assertThat(owner.get(TOOLS, "Impersonate-User", "carl").message())
                .contains("User \"carl\" cannot list");
        assertThat(
                        owner.get(
                                        TOOLS,
                                        "Impersonate-User",
                                        "carl",
                                        "Impersonate-Group",
                                        "orloj:administrators")
                                .code())
                .isEqualTo(200);
        assertThat(owner.get(TOOLS, "Impersonate-Group", "x").message())
                .isEqualTo("requested [group x] without impersonating a user");
    }

    @Test
    void nobodyGrantsWhatTheyDoNotHave() throws Exception {
        HttpsClient dora = user("dora");
        bind("dora-admin", "admin", "User", "dora", "default");
        await().until(() -> dora.get(TOOLS).code() == 200);
        String roles = RBAC + "namespaces/default/roles";

        HttpsClient.Answer own = dora.post(roles, role("mine", "get", "orloj.dev", "tools"));
        HttpsClient.Answer more = dora.post(roles, role("more", "impersonate", "", "users"));
        HttpsClient.Answer bound =
                dora.post(
                        RBAC + "namespaces/default/rolebindings",
                        binding(
                                "RoleBinding",
                                "up",
                                "ClusterRole",
                                "cluster-admin",
                                "User",
                                "dora"));
        HttpsClient.Answer patched =
                dora.send(
                        "PATCH",
                        roles + "/mine",
                        """
                        {"rules": [{"verbs": ["*"], "apiGroups": ["*"], "resources": ["*"]}]}\
                        """);

        assertThat(own.code()).isEqualTo(201);
        assertThat(more.code()).isEqualTo(403);
        assertThat(more.message())
                .isEqualTo(
                        "roles.rbac.authorization.k8s.io \"more\" is forbidden: user \"dora\""
                            + " (groups=[\"system:authenticated\"]) is attempting to grant RBAC"
                            + " permissions not currently held:\n"
                            + "{APIGroups:[\"\"], Resources:[\"users\"], Verbs:[\"impersonate\"]}");
        assertThat(bound.message()).contains("permissions not currently held");
        assertThat(patched.code()).isEqualTo(403);
    }

    /** What is authorized is what is served: a path with two readings is not served at all. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/apis/orloj.dev/v1/namespaces/default;x/tools",
                "/apis/orloj.dev/v1/namespaces//tools",
                "//apis/orloj.dev/v1/namespaces/default/tools",
                "/apis/orloj.dev/v1/namespaces/default/./tools",
                "/healthz/../apis/orloj.dev/v1/namespaces/default/tools",
                "/healthz/%2e%2e/apis/orloj.dev/v1/namespaces/default/tools",
                "/healthz;/apis/orloj.dev/v1/namespaces/default/tools",
                "/apis/orloj.dev/v1/namespaces/default%2Ftools",
                "/mcp/default;x",
                "/%61pis/orloj.dev/v1/namespaces/default/tools",
                "/mc%70"
            })
    void ambiguousPathIsRefused(String path) throws Exception {
        assertThat(bob.get(path).code()).isIn(400, 403, 404);
        assertThat(new HttpsClient(url, certificates.anonymous()).get(path).code()).isIn(400, 401);
    }

    @Test
    void applyThatCreatesNeedsTheRightToCreate() throws Exception {
        assertThat(
                        owner.post(
                                        RBAC + "clusterroles",
                                        """
                                        {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRole",
                                         "metadata": {"name": "patcher"}, "rules": [{"verbs": ["get", "patch"],
                                         "apiGroups": [""], "resources": ["configmaps"]}]}\
                                        """)
                                .code())
                .isEqualTo(201);
        HttpsClient pat = user("pat");
        bind("pat-patches", "patcher", "User", "pat");
        String path = "/api/v1/namespaces/default/configmaps/";
        await().until(() -> pat.get(path + "x").code() == 404);
        String map =
                "{\"apiVersion\": \"v1\", \"kind\": \"ConfigMap\", \"metadata\": {\"name\":"
                        + " \"x\"}}";

        HttpsClient.Answer created =
                pat.patch(path + "x?fieldManager=m", "application/apply-patch+yaml", map);

        assertThat(created.code()).isEqualTo(403);
        assertThat(created.message()).contains("cannot create resource \"configmaps\"");
    }

    /** Mistakes 12 and 13: only the credential says who it is, and only the port that it has to. */
    @Test
    void headersOfProxiesChangeNothing() throws Exception {
        HttpsClient anonymous = new HttpsClient(url, certificates.anonymous());

        assertThat(anonymous.get(TOOLS, "X-Forwarded-Proto", "http").code()).isEqualTo(401);
        assertThat(anonymous.get(TOOLS, "X-Remote-User", "orloj-admin").code()).isEqualTo(401);
        assertThat(
                        bob.get(
                                        TOOLS,
                                        "X-Remote-Group",
                                        "orloj:administrators",
                                        "X-Forwarded-User",
                                        "orloj-admin")
                                .code())
                .isEqualTo(403);
    }

    @Test
    void clientsOfMcpLearnThatTheyNeedAToken() throws Exception {
        HttpsClient anonymous = new HttpsClient(url, certificates.anonymous());

        assertThat(anonymous.post("/mcp", "{}").header("WWW-Authenticate")).isEqualTo("Bearer");
        assertThat(anonymous.get(TOOLS).header("WWW-Authenticate")).isEmpty();
    }

    @Test
    void kubeconfigIsForItsOwnerOnly() throws Exception {
        for (String file : List.of("kubeconfig", "admin.token")) {
            assertThat(
                            java.nio.file.attribute.PosixFilePermissions.toString(
                                    Files.getPosixFilePermissions(data.resolve(file))))
                    .isEqualTo("rw-------");
        }
        assertThat(URI.create(url).getScheme()).isEqualTo("https");
    }

    private JsonNode whoami(HttpsClient client) throws Exception {
        return client.post("/apis/authentication.k8s.io/v1/selfsubjectreviews", "{}")
                .json()
                .at("/status/userInfo");
    }

    private boolean mayI(HttpsClient client, String verb, String resource) throws Exception {
        return client.post(
                        "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
                        """
                        {"spec": {"resourceAttributes": {"verb": "%s", "group": "orloj.dev",
                          "resource": "%s", "namespace": "default"}}}\
                        """
                                .formatted(verb, resource))
                .json()
                .at("/status/allowed")
                .asBoolean();
    }

    private void bind(String name, String role, String kind, String subject) throws Exception {
        HttpsClient.Answer bound =
                owner.post(
                        RBAC + "clusterrolebindings",
                        binding("ClusterRoleBinding", name, "ClusterRole", role, kind, subject));
        assertThat(bound.code()).as(bound.text()).isEqualTo(201);
    }

    private void bind(String name, String role, String kind, String subject, String namespace)
            throws Exception {
        HttpsClient.Answer bound =
                owner.post(
                        RBAC + "namespaces/" + namespace + "/rolebindings",
                        binding("RoleBinding", name, "ClusterRole", role, kind, subject));
        assertThat(bound.code()).as(bound.text()).isEqualTo(201);
    }

    private static String binding(
            String type, String name, String roleKind, String role, String kind, String subject) {
        return """
        {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "%s", "metadata": {"name": "%s"},
         "roleRef": {"kind": "%s", "name": "%s"}, "subjects": [{"kind": "%s", "name": "%s"}]}\
        """
                .formatted(type, name, roleKind, role, kind, subject);
    }

    private static String role(String name, String verb, String group, String resource) {
        return """
        {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "Role", "metadata": {"name": "%s"},
         "rules": [{"verbs": ["%s"], "apiGroups": ["%s"], "resources": ["%s"]}]}\
        """
                .formatted(name, verb, group, resource);
    }
}
