package dev.orloj.runtime.scale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import dev.orloj.api.codec.Json;
import dev.orloj.api.pod.ScaleTargetRef;
import dev.orloj.runtime.cluster.ClusterClient;
import dev.orloj.runtime.cluster.ClusterException;
import dev.orloj.runtime.testkit.ManualScheduler;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** The requests on the wire. */
class ClusterScaleApiTest {

    private static final ScaleTargetRef SEARCH =
            new ScaleTargetRef(ScaleTargetRef.Kind.DEPLOYMENT, "search");
    private static final String DEPLOYMENT = "/apis/apps/v1/namespaces/tools/deployments/search";
    private static final String LEASES = "/apis/coordination.k8s.io/v1/namespaces/tools/leases";
    private static final String LEASE = LEASES + "/orloj-scale-deployment-search";

    private record Request(String line, String authorization, String type, String body) {}

    private record Answer(int status, String body) {}

    private final List<Request> requests = new CopyOnWriteArrayList<>();
    private final Map<String, Answer> answers = new ConcurrentHashMap<>();
    private HttpServer server;
    private ClusterScaleApi api;

    @BeforeEach
    void start(@TempDir Path account) throws IOException {
        Files.writeString(account.resolve("token"), "t0ken\n");
        try (InputStream root =
                Objects.requireNonNull(
                        getClass().getResourceAsStream("/dev/orloj/api/testing/chains/root.pem"))) {
            Files.copy(root, account.resolve("ca.crt"));
        }
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
        URI url = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
        api =
                new ClusterScaleApi(
                        new ClusterClient(url, account),
                        "tools",
                        "orloj-servers",
                        "replica-1",
                        Duration.ofMinutes(1),
                        new ManualScheduler());
    }

    @AfterEach
    void stop() {
        api.close();
        server.stop(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        String line = exchange.getRequestMethod() + " " + exchange.getRequestURI();
        requests.add(
                new Request(
                        line,
                        exchange.getRequestHeaders().getFirst("Authorization"),
                        String.valueOf(exchange.getRequestHeaders().getFirst("Content-Type")),
                        new String(
                                exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8)));
        Answer answer = answers.getOrDefault(line, new Answer(404, status(404, "not found")));
        byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(answer.status(), body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private static String status(int code, String message) {
        return """
        {"kind": "Status", "code": %d, "message": "%s"}
        """
                .formatted(code, message);
    }

    private void on(String line, String body) {
        answers.put(line, new Answer(200, body));
    }

    private static JsonNode json(String text) {
        return Json.MAPPER.readTree(text);
    }

    @Test
    void readsADeployment() {
        on(
                "GET " + DEPLOYMENT,
                """
                {"metadata": {"resourceVersion": "42", "labels": {"orloj.dev/scale": "true"}},
                 "spec": {"replicas": 2}, "status": {"readyReplicas": 1}}
                """);

        assertThat(api.find(SEARCH)).contains(new ScaleApi.Workload(2, 1, true, "42"));
        assertThat(requests.getFirst().authorization()).isEqualTo("Bearer t0ken");
    }

    @Test
    void doesNotTakeAnotherValueOfTheLabelForAnAllowance() {
        on(
                "GET " + DEPLOYMENT,
                """
                {"metadata": {"resourceVersion": "42", "labels": {"orloj.dev/scale": "false"}},
                 "spec": {"replicas": 0}}
                """);

        assertThat(api.find(SEARCH)).contains(new ScaleApi.Workload(0, 0, false, "42"));
    }

    @Test
    void readsAStatefulSetThatDoesNotExist() {
        assertThat(api.find(new ScaleTargetRef(ScaleTargetRef.Kind.STATEFUL_SET, "render")))
                .isEmpty();
        assertThat(requests.getFirst().line())
                .isEqualTo("GET /apis/apps/v1/namespaces/tools/statefulsets/render");
    }

    @Test
    void writesTheScaleOfAVersion() {
        on("PATCH " + DEPLOYMENT + "/scale", "{}");

        api.scale(SEARCH, 0, "42");

        Request request = requests.getFirst();
        assertThat(request.type()).isEqualTo("application/merge-patch+json");
        assertThat(json(request.body()))
                .isEqualTo(
                        json(
                                """
                                {"metadata": {"resourceVersion": "42"}, "spec": {"replicas": 0}}
                                """));
    }

    @Test
    void namesTheRuleThatIsMissing() {
        answers.put(
                "PATCH " + DEPLOYMENT + "/scale", new Answer(403, status(403, "forbidden: no")));

        assertThatThrownBy(() -> api.scale(SEARCH, 1, "42"))
                .isInstanceOf(ClusterException.class)
                .hasMessageContaining("answered 403: forbidden: no; ")
                .hasMessageContaining("namespace \"tools\"")
                .hasMessageContaining(
                        "apiGroups [\"apps\"], resources [deployments/scale], verbs [patch]")
                .hasMessageContaining("pods.scale");
    }

    @Test
    void renewsALease() {
        on("PATCH " + LEASE, "{}");

        api.renewLease(SEARCH);

        assertThat(json(requests.getFirst().body()))
                .isEqualTo(
                        json(
                                """
                                {"spec": {"holderIdentity": "replica-1", "leaseDurationSeconds": 60,
                                  "renewTime": "2026-01-01T00:00:00.000000Z"}}
                                """));
    }

    @Test
    void createsALeaseThatTheReleaseOwns() {
        on(
                "GET /api/v1/namespaces/tools/configmaps/orloj-servers",
                """
                {"metadata": {"uid": "u1"}}
                """);
        on("POST " + LEASES, "{}");

        api.renewLease(SEARCH);

        assertThat(requests).extracting(Request::line).contains("PATCH " + LEASE);
        assertThat(json(requests.getLast().body()).path("metadata"))
                .isEqualTo(
                        json(
                                """
                                {"name": "orloj-scale-deployment-search",
                                 "labels": {"orloj.dev/managed": "true"},
                                 "ownerReferences": [{"apiVersion": "v1", "kind": "ConfigMap",
                                   "name": "orloj-servers", "uid": "u1"}]}
                                """));
    }

    @Test
    void takesALeaseThatAnotherReplicaCreatedForRenewed() {
        answers.put("POST " + LEASES, new Answer(409, status(409, "already exists")));

        api.renewLease(SEARCH);

        assertThat(requests.getLast().line()).isEqualTo("POST " + LEASES);
    }

    @Test
    void readsTheVersionOfALease() {
        assertThat(api.leaseVersion(SEARCH)).isEmpty();

        on(
                "GET " + LEASE,
                """
                {"metadata": {"resourceVersion": "7"}}
                """);
        assertThat(api.leaseVersion(SEARCH)).isEqualTo("7");
    }

    @Test
    void deletesALease() {
        api.deleteLease(SEARCH);

        assertThat(requests.getFirst().line()).isEqualTo("DELETE " + LEASE);
    }
}
