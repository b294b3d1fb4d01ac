package dev.orloj.server.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.codec.Json;
import dev.orloj.server.fuzz.FuzzClient.Request;
import dev.orloj.server.testing.RunningOrlojd;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * All that the OpenAPI document describes is given wrong values, in an order that a seed makes:
 * each field of each body, each parameter, each place in a path. Again with another seed, and with
 * more: {@code -Dorloj.fuzz.seed=7 -Dorloj.fuzz.requests=100000}.
 */
@DisplayName("H-15: fuzz of every door from its OpenAPI")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OpenApiFuzzTest {

    private static final long SEED = Long.getLong("orloj.fuzz.seed", 20_261_122);
    private static final int MAX_REQUESTS = Integer.getInteger("orloj.fuzz.requests", 4_000);

    private static final String NAMESPACE = "fuzz";
    private static final String NAME = "fuzzed";

    /** What these describe is started, so what passes is not kept. */
    private static final List<String> STARTED = List.of("McpServer", "Sandbox");

    private RunningOrlojd orlojd;
    private FuzzClient client;
    private List<Operation> operations = List.of();

    @BeforeAll
    void start() {
        orlojd = RunningOrlojd.start();
        orlojd.createNamespace(NAMESPACE);
        client = new FuzzClient(orlojd.client().url());
        operations = Operation.all(orlojd.client());
        for (Operation operation : operations) {
            if (operation.method().equals("POST") && !operation.places().contains("name")) {
                String body =
                        operation.least(operation.schema("application/json"), NAME).toString();
                client.send(request(operation, Map.of(), "", "application/json", body), true);
            }
        }
    }

    @AfterAll
    void stop() {
        orlojd.close();
    }

    /**
     * @param places what stands for braces, in place of what is there
     */
    private static Request request(
            Operation operation,
            Map<String, String> places,
            String query,
            String contentType,
            String body) {
        String path =
                operation
                        .path()
                        .replace("{namespace}", places.getOrDefault("namespace", NAMESPACE))
                        .replace("{name}", places.getOrDefault("name", NAME));
        boolean isDry = STARTED.contains(operation.kind()) && !operation.method().equals("GET");
        String all = query + (isDry ? "&dryRun=All" : "") + apply(contentType);
        return new Request(
                operation.method(),
                path + (all.isEmpty() ? "" : "?" + all),
                body,
                contentType.isEmpty() ? List.of() : List.of("Content-Type", contentType));
    }

    private static String apply(String contentType) {
        return contentType.contains("apply-patch") ? "&fieldManager=fuzz&force=true" : "";
    }

    private List<Request> bodies() {
        List<Request> all = new ArrayList<>();
        for (Operation operation : operations) {
            for (String type : operation.contentTypes()) {
                boolean isPatch = type.contains("patch") && !type.contains("json-patch");
                JsonNode schema = isPatch ? operation.resource() : operation.schema(type);
                for (List<String> field : operation.fields(schema)) {
                    for (JsonNode value : WrongValues.ALL) {
                        String body = body(operation, schema, field, value);
                        all.add(request(operation, Map.of(), "", type, body));
                    }
                }
                for (JsonNode value : WrongValues.ALL) {
                    String body = WrongValues.text(value);
                    all.add(request(operation, Map.of(), "", type, body));
                }
            }
        }
        return all;
    }

    private static String body(
            Operation operation, JsonNode schema, List<String> field, JsonNode value) {
        if (field.getFirst().equals("0")) { // a list of operations of a patch
            ObjectNode wrapper = Json.MAPPER.createObjectNode();
            wrapper.putArray("list")
                    .addObject()
                    .put("op", "add")
                    .put("path", "/metadata/labels/a")
                    .put("value", "b");
            List<String> path = new ArrayList<>(List.of("list"));
            path.addAll(field);
            WrongValues.set(wrapper, path, value);
            return WrongValues.text(wrapper.path("list"));
        }
        ObjectNode document = operation.least(schema, NAME);
        WrongValues.set(document, field, value);
        return WrongValues.text(document);
    }

    private List<Request> parameters() {
        List<Request> all = new ArrayList<>();
        for (Operation operation : operations) {
            String type = operation.contentTypes().stream().findFirst().orElse("");
            String body =
                    type.isEmpty() ? "" : operation.least(operation.resource(), NAME).toString();
            for (String value : WrongValues.ENCODED) {
                for (String query : operation.queries()) {
                    all.add(request(operation, Map.of(), query + "=" + value, type, body));
                }
                for (String place : operation.places()) {
                    all.add(request(operation, Map.of(place, value), "", type, body));
                }
            }
            for (String wrongType : List.of("text/plain", "application/x-protobuf", "a", "*/*")) {
                all.add(request(operation, Map.of(), "", wrongType, body.isEmpty() ? "x" : body));
            }
        }
        return all;
    }

    private List<Request> chosen(List<Request> all) {
        Collections.shuffle(all, new Random(SEED));
        return all.subList(0, Math.min(MAX_REQUESTS / 2, all.size()));
    }

    private void assertNoFaults(List<Request> requests, int inAll) {
        System.out.printf("fuzz by OpenAPI: seed %d, %d of %d%n", SEED, requests.size(), inAll);
        List<String> faults = new ArrayList<>();
        for (Request request : requests) {
            FuzzClient.fault(request, client.send(request, false)).ifPresent(faults::add);
        }

        assertThat(faults).as("seed %d, %d of %d", SEED, requests.size(), inAll).isEmpty();
        assertThat(orlojd.client().get("/readyz").text()).isEqualTo("ok");
    }

    @Test
    void everyWriteDescribesItsBody() {
        TreeSet<String> without =
                operations.stream()
                        .filter(operation -> !operation.method().equals("GET"))
                        .filter(operation -> !operation.path().endsWith("/restart"))
                        .filter(operation -> operation.contentTypes().isEmpty())
                        .map(Operation::toString)
                        .collect(Collectors.toCollection(TreeSet::new));

        assertThat(without).isEmpty();
        assertThat(operations).hasSizeGreaterThan(80);
    }

    @Test
    void noWrongValueOfAnyFieldMakesTheServerFail() {
        List<Request> all = bodies();

        assertThat(all).hasSizeGreaterThan(10_000);
        assertNoFaults(chosen(all), all.size());
    }

    @Test
    void noWrongParameterMakesTheServerFail() {
        List<Request> all = parameters();

        assertThat(all).hasSizeGreaterThan(2_000);
        assertNoFaults(chosen(all), all.size());
    }
}
