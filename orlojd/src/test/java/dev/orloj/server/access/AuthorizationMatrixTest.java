package dev.orloj.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.nimbusds.jwt.JWTClaimsSet;

import dev.orloj.api.Kind;
import dev.orloj.api.codec.KindDescriptor;
import dev.orloj.api.v1.Kinds;
import dev.orloj.server.oidc.IdentityProvider;
import dev.orloj.server.postgres.TestPostgres;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.RequestMappingInfoHandlerMapping;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Every route of the HTTPS port for every kind of user. The routes are those that the server has: a
 * new one without an entry in the tables here fails.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AuthorizationMatrixTest {

    /** In the order of the letters in the tables; O is the owner, who may do everything. */
    private static final Map<Character, String> ROLES =
            new LinkedHashMap<>(
                    Map.of('V', "view", 'E', "edit", 'A', "admin", 'C', "caller", 'M', "monitor"));

    /** Who may read and who may write a kind, beside the owner. */
    private static final Map<String, List<String>> KINDS =
            Map.ofEntries(
                    Map.entry("mcpservers.orloj.dev", List.of("VEA", "EA")),
                    Map.entry("tools.orloj.dev", List.of("VEAC", "EA")),
                    Map.entry("sandboxes.orloj.dev", List.of("VEA", "EA")),
                    Map.entry("toolpolicies.orloj.dev", List.of("VEA", "A")),
                    Map.entry("mcpserverpolicies.orloj.dev", List.of("", "")),
                    Map.entry("secrets.orloj.dev", List.of("EA", "EA")),
                    Map.entry("secrets", List.of("EA", "EA")),
                    Map.entry("configmaps", List.of("VEA", "EA")),
                    Map.entry("events", List.of("VEA", "EA")),
                    Map.entry("events.events.k8s.io", List.of("VEA", "")),
                    Map.entry("namespaces", List.of("VEA", "")),
                    Map.entry("pods", List.of("VEA", "EA")),
                    Map.entry("serviceaccounts", List.of("VEA", "EA")),
                    Map.entry("leases.coordination.k8s.io", List.of("EA", "EA")),
                    Map.entry("customresourcedefinitions.apiextensions.k8s.io", List.of("", "")),
                    Map.entry("roles.rbac.authorization.k8s.io", List.of("A", "A")),
                    Map.entry("rolebindings.rbac.authorization.k8s.io", List.of("A", "A")),
                    Map.entry("clusterroles.rbac.authorization.k8s.io", List.of("", "")),
                    Map.entry("clusterrolebindings.rbac.authorization.k8s.io", List.of("", "")));

    private static final String EVERY_USER = "VEACMN";
    private static final String ANYBODY = EVERY_USER + "?";

    /** A replica identifies itself in another way. */
    private static final String NOT_EVEN_THE_OWNER = "-";

    private static final String ORLOJ = "/apis/orloj.dev/v1";
    private static final String NAMESPACE = ORLOJ + "/namespaces/{namespace}";
    private static final String SERVER = NAMESPACE + "/mcpservers/{name}";
    private static final String TOOL = NAMESPACE + "/tools/{name}";
    private static final String POD = "/api/v1/namespaces/{namespace}/pods/{name}";

    private static final String METADATA = "/.well-known/oauth-protected-resource";

    /** Who may use a route, beside the owner; ? is a client without a credential, N no role. */
    private static final Map<String, String> ROUTES =
            Map.ofEntries(
                    Map.entry("GET /healthz", ANYBODY),
                    Map.entry("GET /livez", ANYBODY),
                    Map.entry("GET /readyz", ANYBODY),
                    Map.entry("GET " + METADATA + "/mcp", ANYBODY),
                    Map.entry("GET /healthz/ping", EVERY_USER),
                    Map.entry("GET /livez/ping", EVERY_USER),
                    Map.entry("GET /readyz/ping", EVERY_USER),
                    Map.entry("GET /version", ANYBODY),
                    Map.entry("GET /api", EVERY_USER),
                    Map.entry("GET /api/v1", EVERY_USER),
                    Map.entry("GET /apis", EVERY_USER),
                    Map.entry("GET /apis/{group}", EVERY_USER),
                    Map.entry("GET /apis/{group}/{version}", EVERY_USER),
                    Map.entry("GET /openapi/v2", EVERY_USER),
                    Map.entry("GET /openapi/v3", EVERY_USER),
                    Map.entry("GET /openapi/v3/**", EVERY_USER),
                    Map.entry("GET /metrics", "M"),
                    Map.entry("GET /error", ""),
                    Map.entry("GET " + SERVER + "/log", "VEA"),
                    Map.entry("GET " + SERVER + "/sessions", "VEA"),
                    Map.entry("GET " + SERVER + "/prompts", "VEA"),
                    Map.entry("GET " + SERVER + "/resources", "VEA"),
                    Map.entry("GET " + SERVER + "/resources/templates", "VEA"),
                    Map.entry("GET " + SERVER + "/resources/read", "EAC"),
                    Map.entry("GET " + SERVER + "/ledger", "VEA"),
                    Map.entry("GET " + SERVER + "/ledger/contents/{id}", "VEA"),
                    Map.entry("GET " + NAMESPACE + "/toolledgers/checkpoint", "VEA"),
                    Map.entry("GET " + ORLOJ + "/toolledgers/checkpoint", "VEA"),
                    Map.entry("GET " + SERVER + "/approval", "VEA"),
                    Map.entry("POST " + SERVER + "/approval", "A"),
                    Map.entry("GET " + SERVER + "/authorization", "VEA"),
                    Map.entry("POST " + SERVER + "/authorization", "EA"),
                    Map.entry("DELETE " + SERVER + "/authorization", "EA"),
                    Map.entry("GET " + SERVER + "/merged", "VEA"),
                    Map.entry("POST " + SERVER + "/merged", "EA"),
                    Map.entry("POST " + SERVER + "/restart", "EA"),
                    Map.entry("GET " + NAMESPACE + "/sandboxes/{name}/log", "VEA"),
                    Map.entry("GET " + NAMESPACE + "/sessions", "VEA"),
                    Map.entry("GET " + ORLOJ + "/sessions", "VEA"),
                    Map.entry("GET " + NAMESPACE + "/calls", "VEA"),
                    Map.entry("GET " + NAMESPACE + "/calls/{id}", "VEA"),
                    Map.entry("GET " + ORLOJ + "/calls", "VEA"),
                    Map.entry("POST " + TOOL + "/call", "EAC"),
                    Map.entry("GET " + TOOL + "/calls/{id}", "EAC"),
                    Map.entry("DELETE " + TOOL + "/calls/{id}", "EAC"),
                    Map.entry("GET " + TOOL + "/results/{id}", "EAC"),
                    Map.entry("GET " + POD + "/log", "VEA"),
                    Map.entry("GET " + POD + "/exec", ""),
                    Map.entry("GET " + POD + "/attach", ""),
                    Map.entry("GET " + POD + "/portforward", ""),
                    Map.entry("POST " + NAMESPACE + "/mcpserverreviews", "EA"),
                    Map.entry("GET " + NAMESPACE + "/mcpserverreviews", ""),
                    Map.entry(
                            "POST /api/v1/namespaces/{namespace}/serviceaccounts/{name}/token",
                            "EA"),
                    Map.entry("POST /apis/authentication.k8s.io/v1/tokenreviews", ""),
                    Map.entry("POST " + ORLOJ + "/usertokens", ""),
                    Map.entry("GET " + ORLOJ + "/usertokens", ""),
                    Map.entry("GET " + ORLOJ + "/usertokens/{name}", ""),
                    Map.entry("DELETE " + ORLOJ + "/usertokens/{name}", ""),
                    Map.entry("GET " + ORLOJ + "/encryptionkeys", ""),
                    Map.entry("POST " + ORLOJ + "/encryptionkeys", ""),
                    Map.entry("POST " + ORLOJ + "/backups", ""),
                    Map.entry("POST " + ORLOJ + "/restores", ""),
                    Map.entry("GET " + ORLOJ + "/auditevents", ""),
                    Map.entry("GET " + ORLOJ + "/auditevents/export", ""),
                    Map.entry("GET " + ORLOJ + "/auditevents/checkpoint", ""),
                    Map.entry("POST /mcp", EVERY_USER),
                    Map.entry("GET /mcp", EVERY_USER),
                    Map.entry("DELETE /mcp", EVERY_USER),
                    Map.entry("POST /mcp/default", EVERY_USER),
                    Map.entry("POST /mcp/default/mcpservers/absent", EVERY_USER),
                    Map.entry("GET /mcp/default/sse", EVERY_USER),
                    Map.entry("POST /mcp/default/messages", EVERY_USER),
                    Map.entry("POST /internal/replicas/x", NOT_EVEN_THE_OWNER),
                    Map.entry(
                            "POST /apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
                            EVERY_USER),
                    Map.entry(
                            "POST /apis/authorization.k8s.io/v1/selfsubjectrulesreviews",
                            EVERY_USER),
                    Map.entry("POST /apis/authentication.k8s.io/v1/selfsubjectreviews", EVERY_USER),
                    Map.entry("POST /apis/authorization.k8s.io/v1/subjectaccessreviews", ""),
                    Map.entry(
                            "POST /apis/authorization.k8s.io/v1/namespaces/default/localsubjectaccessreviews",
                            "A"));

    /** Routes that stand for several, with rows of their own above or in the table of kinds. */
    private static final Set<String> COVERED =
            Set.of(
                    "GET /api/v1/**",
                    "GET /apis/{group}/{version}/**",
                    "GET /apis/authorization.k8s.io/v1/**",
                    "GET /apis/authentication.k8s.io/v1/**",
                    "SERVLET /mcp/*",
                    "SERVLET /mcp",
                    "SERVLET /internal/replicas/*");

    @TempDir static Path data;
    @TempDir static Path folder;

    private IdentityProvider provider;
    private HttpsOrlojd orlojd;
    private final Map<Character, HttpsClient> users = new TreeMap<>();
    private HttpsClient stranger;

    /** Clients whose credential does not count, by what is wrong with it. */
    private final Map<String, HttpsClient> invalid = new TreeMap<>();

    @BeforeAll
    void start() throws Exception {
        provider = IdentityProvider.start(folder);
        Path issuers = folder.resolve("authentication.yaml");
        Files.writeString(issuers, provider.configuration());
        orlojd =
                HttpsOrlojd.start(
                        TestPostgres.freshDatabase(),
                        data,
                        Map.of("orloj.authentication.config-file", issuers));
        for (Map.Entry<Character, String> role : ROLES.entrySet()) {
            String name = role.getValue();
            orlojd.bind(name, name.equals("monitor") ? "system:monitoring" : name);
            users.put(role.getKey(), orlojd.user(name));
        }
        users.put('N', orlojd.user("without-a-role"));
        users.put('O', orlojd.owner());
        users.put('?', orlojd.anonymous());
        orlojd.orlojd().createNamespace("other");
        orlojd.bind("stranger", "admin", "other");
        stranger = orlojd.user("stranger");
        invalid.put("wrong issuer", token(provider.ann().issuer("https://other.example.com")));
        invalid.put("wrong audience", token(provider.ann().audience("another")));
        invalid.put("expired", token(provider.ann().expirationTime(new Date(0))));
        orlojd.bind("corp:ann", "cluster-admin");
        await().atMost(Duration.ofSeconds(60))
                .until(() -> token(provider.ann()).get("/metrics").code() == 200);
        await().until(
                        () ->
                                stranger.get("/api/v1/namespaces/other/secrets").code() == 200
                                        && users.get('M').get("/metrics").code() == 200
                                        && users.get('C')
                                                        .get(ORLOJ + "/namespaces/default/tools")
                                                        .code()
                                                == 200
                                        && users.get('V').get("/api/v1/namespaces").code() == 200
                                        && users.get('E').get("/api/v1/secrets").code() == 200
                                        && users.get('A').get(HttpsOrlojd.RBAC + "roles").code()
                                                == 200);
    }

    private HttpsClient token(JWTClaimsSet.Builder claims) throws Exception {
        return orlojd.bearer(provider.sign(claims));
    }

    @AfterAll
    void stop() {
        orlojd.close();
        provider.close();
    }

    @Test
    void everyRouteOfTheServerIsInTheTable() {
        Set<String> unknown = new LinkedHashSet<>(routes());
        unknown.removeAll(COVERED);
        unknown.removeAll(ROUTES.keySet());

        assertThat(unknown).isEmpty();
    }

    private Set<String> routes() {
        Set<String> routes = new LinkedHashSet<>();
        for (RequestMappingInfoHandlerMapping mapping :
                orlojd.orlojd().parts(RequestMappingInfoHandlerMapping.class)) {
            for (RequestMappingInfo info : mapping.getHandlerMethods().keySet()) {
                Set<RequestMethod> methods = info.getMethodsCondition().getMethods();
                for (String pattern : info.getPatternValues()) {
                    if (methods.isEmpty()) {
                        routes.add("GET " + pattern);
                    }
                    methods.forEach(method -> routes.add(method + " " + pattern));
                }
            }
        }
        orlojd.orlojd().parts(ServletRegistrationBean.class).stream()
                .flatMap(bean -> ((ServletRegistrationBean<?>) bean).getUrlMappings().stream())
                .filter(pattern -> !pattern.equals("/"))
                .forEach(pattern -> routes.add("SERVLET " + pattern));
        return routes;
    }

    /** Mistake 7: a credential with few rights has no more on any other route. */
    @Test
    void everyRouteAdmitsThoseOfTheTable() throws Exception {
        List<String> wrong = new ArrayList<>();
        for (Map.Entry<String, String> route : ROUTES.entrySet()) {
            String[] parts = route.getKey().split(" ", 2);
            String admitted = route.getValue();
            check(
                    parts[0],
                    path(parts[1]),
                    admitted.equals(NOT_EVEN_THE_OWNER) ? "" : admitted + "O",
                    wrong);
        }

        assertThat(wrong).isEmpty();
    }

    private static String path(String pattern) {
        return pattern.replace("{namespace}", "default")
                .replace("{name}", "absent")
                .replace("{id}", "x")
                .replace("{group}", "orloj.dev")
                .replace("{version}", "v1")
                .replace("/**", "/apis/orloj.dev/v1");
    }

    @Test
    void everyKindAdmitsThoseOfTheTable() throws Exception {
        List<String> wrong = new ArrayList<>();
        for (KindDescriptor<?> descriptor : Kinds.SCHEME.descriptors()) {
            Kind<?> kind = descriptor.kind();
            List<String> rights = KINDS.get(kind.groupResource());
            assertThat(rights).as(kind.groupResource()).isNotNull();
            String readers = rights.getFirst() + "O";
            String writers = rights.getLast() + "O";
            String collection =
                    (kind.group().isEmpty() ? "/api/v1" : "/apis/" + kind.apiVersion())
                            + (kind.namespaced() ? "/namespaces/default/" : "/")
                            + kind.plural();
            String one = collection + "/absent";
            check("GET", collection + "?limit=1", readers, wrong);
            check("GET", one, readers, wrong);
            check("GET", collection + "?watch=true&timeoutSeconds=0", readers, wrong);
            check("POST", collection + "?dryRun=All", writers, wrong);
            check("PUT", one + "?dryRun=All", writers, wrong);
            check("PATCH", one + "?dryRun=All", writers, wrong);
            check("DELETE", one + "?dryRun=All", writers, wrong);
            check("DELETE", collection + "?dryRun=All", writers, wrong);
        }

        assertThat(wrong).isEmpty();
    }

    /** I-19: the rights to a kind do not include what runs on the host. */
    @Test
    void onlyThoseWhoMayExecuteCreateAProgramOnTheHost() throws Exception {
        String program =
                """
                {"apiVersion": "orloj.dev/v1", "kind": "McpServer", "metadata": {"name": "p"},
                 "spec": {"transport": "stdio", "command": "true"}}\
                """;
        for (Map.Entry<Character, HttpsClient> user : users.entrySet()) {
            int code =
                    user.getValue()
                            .post(ORLOJ + "/namespaces/default/mcpservers?dryRun=All", program)
                            .code();
            int refused = user.getKey() == '?' ? 401 : 403;

            assertThat(code)
                    .as(String.valueOf(user.getKey()))
                    .isEqualTo("AO".indexOf(user.getKey()) >= 0 ? 201 : refused);
        }
    }

    /**
     * 401 on every path, also on those that are open to clients without a credential; but for the
     * metadata by which a client gets another token.
     */
    @Test
    void everyRouteRefusesTokensThatDoNotCount() throws Exception {
        Map<String, HttpsClient> refused = new LinkedHashMap<>();
        for (Map.Entry<String, String> token : new UselessTokens(orlojd).all().entrySet()) {
            refused.put(token.getKey(), orlojd.bearer(token.getValue()));
        }
        List<String> wrong = new ArrayList<>();
        for (String route : ROUTES.keySet()) {
            if (route.contains(" /.well-known/")) {
                continue;
            }
            String[] parts = route.split(" ", 2);
            for (Map.Entry<String, HttpsClient> client : refused.entrySet()) {
                int code = client.getValue().code(parts[0], path(parts[1]));
                if (code != 401) {
                    wrong.add("%s with a token %s: %d".formatted(route, client.getKey(), code));
                }
            }
        }

        assertThat(refused).hasSize(5);
        assertThat(wrong).isEmpty();
    }

    /** Notes the users that are admitted and should not be, and the other way round. */
    private void check(String method, String path, String admitted, List<String> wrong)
            throws Exception {
        for (Map.Entry<Character, HttpsClient> user : users.entrySet()) {
            int code = user.getValue().code(method, path);
            boolean isAdmitted = code != 401 && code != 403;
            if (isAdmitted != (admitted.indexOf(user.getKey()) >= 0)) {
                wrong.add("%s %s as %c: %d".formatted(method, path, user.getKey(), code));
            }
            if (user.getKey() == '?' && !isAdmitted && code != 401) {
                wrong.add("%s %s without a credential: %d".formatted(method, path, code));
            }
        }
        for (Map.Entry<String, HttpsClient> client : invalid.entrySet()) {
            int code = client.getValue().code(method, path);
            if (code != 401 && !path.startsWith(METADATA)) {
                wrong.add("%s %s with %s: %d".formatted(method, path, client.getKey(), code));
            }
        }
        boolean isOfNamespace = path.contains("/default") && !path.startsWith("/mcp");
        if (isOfNamespace && stranger.code(method, path) != 403) {
            wrong.add("%s %s from another namespace".formatted(method, path));
        }
    }
}
