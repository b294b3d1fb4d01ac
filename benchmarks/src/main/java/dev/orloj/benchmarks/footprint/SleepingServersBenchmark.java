package dev.orloj.benchmarks.footprint;

import dev.orloj.api.codec.Json;
import dev.orloj.benchmarks.report.Column;
import dev.orloj.benchmarks.report.Goal;
import dev.orloj.benchmarks.report.Row;
import dev.orloj.benchmarks.report.Table;
import dev.orloj.benchmarks.suite.Benchmark;
import dev.orloj.benchmarks.suite.Effort;
import dev.orloj.benchmarks.suite.LiveHeap;
import dev.orloj.benchmarks.suite.OrlojdProcess;
import dev.orloj.benchmarks.suite.Workplace;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.List;
import java.util.Map;

/**
 * What a server costs whose session was closed because nobody called it: heap that stays after a
 * full collection, beside the size of the JSON that describes the server and its tools.
 */
public final class SleepingServersBenchmark implements Benchmark {

    private static final int TOOLS = 10;
    private static final String SERVERS = "/apis/orloj.dev/v1/namespaces/default/mcpservers";
    private static final String ALL_TOOLS = "/apis/orloj.dev/v1/namespaces/default/tools";
    private static final String PER_SERVER = "kB";

    @Override
    public String name() {
        return "sleeping";
    }

    @Override
    public String summary() {
        return "memory per sleeping server with %d tools".formatted(TOOLS);
    }

    @Override
    public Table run(Effort effort, Workplace workplace) throws Exception {
        int servers = effort.objects();
        try (OrlojdProcess orlojd =
                        OrlojdProcess.start(workplace, workplace.newFolder("sleeping"));
                FakeMcpEndpoint endpoint = FakeMcpEndpoint.start(TOOLS)) {
            long before = LiveHeap.bytes(orlojd);
            for (int i = 0; i < servers; i++) {
                orlojd.create(SERVERS, manifest("sleeper-" + i, endpoint));
            }
            orlojd.await(ALL_TOOLS + "?limit=1", list -> total(list) == servers * TOOLS);
            orlojd.await(SERVERS, SleepingServersBenchmark::allReady);
            endpoint.awaitNoSessions();
            double heap = (LiveHeap.bytes(orlojd) - before) / 1e3 / servers;
            double json =
                    (orlojd.get(SERVERS).body().length + orlojd.get(ALL_TOOLS).body().length)
                            / 1e3
                            / servers;
            return table(servers, heap, json);
        }
    }

    private static String manifest(String name, FakeMcpEndpoint endpoint) {
        ObjectNode manifest = Json.MAPPER.createObjectNode();
        manifest.put("apiVersion", "orloj.dev/v1").put("kind", "McpServer");
        manifest.putObject("metadata").put("name", name);
        manifest.putObject("spec")
                .put("transport", "http")
                .put("endpoint", endpoint.url().toString())
                .put("idle_timeout", "1s");
        return manifest.toString();
    }

    private static long total(String list) {
        JsonNode tree = Json.MAPPER.readTree(list);
        return tree.path("items").size() + tree.at("/metadata/remainingItemCount").asLong(0);
    }

    private static boolean allReady(String list) {
        for (JsonNode server : Json.MAPPER.readTree(list).path("items")) {
            if (!server.at("/status/phase").asString("").equals("Ready")) {
                return false;
            }
        }
        return true;
    }

    private Table table(int servers, double heap, double json) {
        return new Table(
                name(),
                summary(),
                "servers",
                List.of(new Column(PER_SERVER, "kB per server", 1)),
                List.of(PER_SERVER),
                "JSON of its resources",
                List.of(
                        Row.once("heap of orlojd", "" + servers, Map.of(PER_SERVER, heap)),
                        Row.once("JSON of its resources", "" + servers, Map.of(PER_SERVER, json))),
                List.of(
                        new Goal(
                                "kB per sleeping server with %d tools".formatted(TOOLS),
                                heap,
                                Goal.Bound.AT_MOST,
                                50)),
                List.of(
                        "all live objects after a full collection, less those of an empty orlojd",
                        "the servers are reached over HTTP and were Ready once; their sessions are"
                                + " closed"));
    }
}
