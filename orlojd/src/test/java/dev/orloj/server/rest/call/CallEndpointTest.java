package dev.orloj.server.rest.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.codec.Json;
import dev.orloj.server.rest.HttpProbe;
import dev.orloj.server.rest.HttpProbe.Answer;
import dev.orloj.server.rest.RestServer;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

class CallEndpointTest {

    private static final String SECRET = "a very secret argument";

    private final RestServer server = RestServer.shared();
    private final HttpProbe http = server.probe();
    private String namespace = "";
    private String path = "";

    @BeforeEach
    void oneServerWithTwoTools() {
        namespace = server.freshNamespace();
        path = "/apis/orloj.dev/v1/namespaces/" + namespace;
        ResourceKey srv = new ResourceKey(namespace, "srv");
        server.catalog().putServer(RestServer.scripted(srv));
        for (String tool : List.of("echo", "add")) {
            server.offer(srv, tool, Json.MAPPER.readTree("{\"type\": \"object\"}"));
        }
        server.mcp().answerWith(params -> Json.MAPPER.createObjectNode().put("said", SECRET));
    }

    private String call(String tool) {
        Answer answer =
                http.post(
                        path + "/tools/" + tool + "/call",
                        "{\"arguments\": {\"text\": \"" + SECRET + "\"}}",
                        "Content-Type",
                        "application/json");
        return answer.header("Orloj-Call-Id");
    }

    @Test
    void callIsFoundByTheIdOfItsAnswer() {
        String id = call("srv--echo");

        Answer found = http.get(path + "/calls/" + id);

        assertThat(id).startsWith("here.");
        assertThat(found.code()).isEqualTo(200);
        assertThat(found.at("/kind")).isEqualTo("Call");
        assertThat(found.at("/metadata/name")).isEqualTo(id);
        assertThat(found.at("/tool")).isEqualTo("srv--echo");
        assertThat(found.at("/server")).isEqualTo("srv");
        assertThat(found.at("/outcome")).isEqualTo("Completed");
        assertThat(found.at("/session")).isEqualTo(namespace + "/srv#1");
        assertThat(found.at("/pid")).isEqualTo("4711");
        assertThat(found.json().path("steps").findValuesAsString("phase"))
                .containsExactly("check", "queue", "opening", "upstream", "result");
        assertThat(found.text()).doesNotContain(SECRET);
    }

    @Test
    void latestCallsAreListedFirstAndChosenAmong() {
        String first = call("srv--echo");
        String second = call("srv--add");
        String refused = call("absent--knows");

        assertThat(names("")).containsExactly(refused, second, first);
        assertThat(names("?tool=srv--echo")).containsExactly(first);
        assertThat(names("?server=srv&limit=1")).containsExactly(second);
        assertThat(http.get(path + "/calls/" + refused).at("/outcome")).isEqualTo("ToolNotFound");
    }

    /** k9s shows tables alone, and said that there is no CallList in its scheme. */
    @Test
    void callsAreShownAsTablesToThoseWhoAskForThem() {
        call("srv--echo");
        String accept = "application/json;as=Table;v=v1;g=meta.k8s.io,application/json";

        Answer table = http.get(path + "/calls", "Accept", accept);

        assertThat(table.at("/kind")).isEqualTo("Table");
        assertThat(table.json().path("columnDefinitions").findValuesAsString("name"))
                .containsExactly("Name", "Tool", "Server", "Outcome", "Millis", "Age");
        assertThat(table.at("/rows/0/cells/1")).isEqualTo("srv--echo");
        assertThat(table.at("/rows/0/cells/3")).isEqualTo("Completed");
    }

    @Test
    void callsCannotBeWatched() {
        Answer refused = http.get(path + "/calls?watch=true");

        assertThat(refused.code()).isEqualTo(405);
        assertThat(refused.at("/reason")).isEqualTo("MethodNotAllowed");
    }

    /** As {@code kubectl get calls --all-namespaces} asks. */
    @Test
    void callsOfAllNamespacesAreListedTogether() {
        String here = call("srv--echo");
        oneServerWithTwoTools();
        String elsewhere = call("srv--echo");

        assertThat(names("")).containsExactly(elsewhere);
        assertThat(http.get("/apis/orloj.dev/v1/calls").text()).contains(here, elsewhere);
    }

    private List<String> names(String query) {
        return http.get(path + "/calls" + query)
                .json()
                .path("items")
                .valueStream()
                .map(item -> item.at("/metadata/name").asString())
                .toList();
    }

    @Test
    void callOfAnotherReplicaIsToBeAskedForThere() {
        Answer answer = http.get(path + "/calls/box-2.k3");

        assertThat(answer.code()).isEqualTo(502);
        assertThat(answer.at("/message")).contains("replica \"box-2\"", "this is \"here\"");
    }

    @Test
    void callOfAnotherNamespaceIsNotFound() {
        String id = call("srv--echo");

        Answer answer = http.get("/apis/orloj.dev/v1/namespaces/default/calls/" + id);

        assertThat(answer.code()).isEqualTo(404);
        assertThat(answer.at("/reason")).isEqualTo("NotFound");
    }

    @Test
    void callsAreAResourceForReading() {
        assertThat(http.get("/apis/orloj.dev/v1").json().path("resources").valueStream())
                .filteredOn(resource -> resource.path("name").asString().equals("calls"))
                .singleElement()
                .satisfies(
                        resource ->
                                assertThat(resource.path("verbs"))
                                        .hasToString("[\"get\",\"list\"]"));
    }

    @Test
    void traceOfTheCallerReachesTheServer() {
        String parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

        assertThat(metaSeen("traceparent", parent, "tracestate", "vendor=1"))
                .isEqualTo(
                        "{\"traceparent\":\"%s\",\"tracestate\":\"vendor=1\"}".formatted(parent));
        assertThat(metaSeen("traceparent", parent))
                .isEqualTo("{\"traceparent\":\"%s\"}".formatted(parent));
        assertThat(metaSeen()).isEmpty();
        assertThat(metaSeen("tracestate", "vendor=1")).isEmpty();
        assertThat(metaSeen("traceparent", parent.replace("4bf9", "4BF9"))).isEmpty();
        assertThat(
                        metaSeen(
                                "traceparent",
                                parent.replaceAll("-[0-9a-f]{16}-", "-0000000000000000-")))
                .isEmpty();
    }

    /** What the server gets as {@code _meta}; empty when there is none. */
    private String metaSeen(String... headers) {
        AtomicReference<String> seen = new AtomicReference<>("");
        server.mcp()
                .answerWith(
                        params -> {
                            seen.set(params.has("_meta") ? params.path("_meta").toString() : "");
                            return Json.MAPPER.createObjectNode();
                        });
        assertThat(http.post(path + "/tools/srv--echo/call", "{}", headers).code()).isEqualTo(200);
        return seen.get();
    }
}
