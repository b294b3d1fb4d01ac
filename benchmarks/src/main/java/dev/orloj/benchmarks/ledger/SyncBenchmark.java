package dev.orloj.benchmarks.ledger;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.codec.Json;
import dev.orloj.api.v1.Tool;
import dev.orloj.benchmarks.database.Database;
import dev.orloj.benchmarks.footprint.FakeMcpEndpoint;
import dev.orloj.benchmarks.load.HttpConnection;
import dev.orloj.benchmarks.report.Column;
import dev.orloj.benchmarks.report.Goal;
import dev.orloj.benchmarks.report.Row;
import dev.orloj.benchmarks.report.Rows;
import dev.orloj.benchmarks.report.Table;
import dev.orloj.benchmarks.suite.Benchmark;
import dev.orloj.benchmarks.suite.Effort;
import dev.orloj.benchmarks.suite.OrlojdProcess;
import dev.orloj.benchmarks.suite.Workplace;
import dev.orloj.server.store.Mutation;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

/**
 * The sync of a server with many tools, beside the writes of a sync to the store: of as many Tools
 * that belong to a ledger, and of as many that belong to none.
 */
public final class SyncBenchmark implements Benchmark {

    private static final String WITHOUT = "writes of Tools without a ledger";
    private static final String WITH = "writes of Tools with a ledger";
    private static final String SYNC = "sync by orlojd";
    private static final String NEW = "all new";
    private static final String FEW = "10 changed";
    private static final String ONE = "1 changed";
    private static final String MILLIS = "ms";
    private static final String CPU = "cpu";
    private static final String SERVERS = "/apis/orloj.dev/v1/namespaces/default/mcpservers";
    private static final String TOOLS = "/apis/orloj.dev/v1/namespaces/default/tools";
    private static final double MAX_RATIO = 1.2;
    private static final int WARM_UPS = 10;
    private static final int CHANGED = 10;

    /** As in a sync. */
    private static final int BATCH = 200;

    private static final long POLL_NANOS = 1_000_000;

    @Override
    public String name() {
        return "sync";
    }

    @Override
    public String summary() {
        return "sync of a server with many tools, and what the ledger adds";
    }

    @Override
    public Table run(Effort effort, Workplace workplace) throws Exception {
        int count = effort.objects();
        Rows rows = new Rows();
        try (Database database = Database.create(workplace.newFolder("sync"));
                FakeMcpEndpoint endpoint = FakeMcpEndpoint.start(ListedTools.list(count, 0, ""));
                OrlojdProcess orlojd =
                        OrlojdProcess.start(workplace, workplace.newFolder("orlojd"))) {
            Run run = new Run(database, endpoint, orlojd, count);
            for (int i = 0; i < WARM_UPS; i++) {
                run.round("warm" + i, new Rows());
            }
            for (int i = 0; i < effort.rounds(); i++) {
                run.round("round" + i, rows);
            }
        }
        return table(rows.list(), count);
    }

    /** What the rounds share. */
    private record Run(
            Database database, FakeMcpEndpoint endpoint, OrlojdProcess orlojd, int count) {

        void round(String name, Rows rows) throws Exception {
            for (String load : List.of(NEW, FEW, ONE)) {
                int changed =
                        load.equals(NEW) ? 0 : Math.min(load.equals(FEW) ? CHANGED : 1, count);
                ArrayNode listed = ListedTools.list(count, changed, " " + name + " " + load);
                int written = load.equals(NEW) ? count : changed;
                rows.add(WITHOUT, load, store("plain-" + name, false, listed, written));
                rows.add(WITH, load, store("ledger-" + name, true, listed, written));
                endpoint.list(listed);
                rows.add(SYNC, load, sync("sync-" + name, load.equals(NEW), listed));
            }
            orlojd.delete(SERVERS + "/sync-" + name);
            orlojd.await(TOOLS + "?labelSelector=orloj.dev/mcp-server=sync-" + name, this::isEmpty);
        }

        private boolean isEmpty(String list) {
            return Json.MAPPER.readTree(list).path("items").isEmpty();
        }

        private Map<String, Double> store(
                String server, boolean inLedger, ArrayNode listed, int written) {
            List<ObjectNode> tools = new ArrayList<>();
            for (JsonNode tool : listed) {
                if (tools.size() < written && tool instanceof ObjectNode definition) {
                    tools.add(definition);
                }
            }
            long start = System.nanoTime();
            for (int from = 0; from < tools.size(); from += BATCH) {
                SortedMap<ResourceKey, Mutation> batch = new TreeMap<>();
                for (ObjectNode tool : tools.subList(from, Math.min(from + BATCH, tools.size()))) {
                    ResourceKey key = ListedTools.key(server, tool);
                    ObjectNode document = ListedTools.document(key, server, inLedger, tool);
                    batch.put(key, _ -> new Mutation.Outcome.Put(document));
                }
                database.store().writeAll(Tool.DESCRIPTOR, batch);
            }
            double millis = (System.nanoTime() - start) / 1e6;
            return Map.of(MILLIS, millis);
        }

        /** Returns when the last of the changed Tools is as it was listed. */
        private Map<String, Double> sync(String server, boolean isNew, ArrayNode listed)
                throws Exception {
            double cpu = orlojd.process().cpu().toNanos() / 1e6;
            long start = System.nanoTime();
            if (isNew) {
                orlojd.create(SERVERS, manifest(server));
                await(
                        SERVERS + "/" + server,
                        text ->
                                text.contains("\"phase\":\"Ready\"")
                                        && text.contains("\"lastSyncedAt\""));
            } else {
                String last = listed.path(0).path("description").asString("");
                restart(server);
                await(TOOLS + "/" + server + "--lookup0", text -> text.contains(last));
            }
            double millis = (System.nanoTime() - start) / 1e6;
            double used = orlojd.process().cpu().toNanos() / 1e6 - cpu;
            return Map.of(MILLIS, millis, CPU, used);
        }

        private String manifest(String server) {
            ObjectNode manifest = Json.MAPPER.createObjectNode();
            manifest.put("apiVersion", "orloj.dev/v1").put("kind", "McpServer");
            manifest.putObject("metadata").put("name", server);
            manifest.putObject("spec")
                    .put("transport", "http")
                    .put("endpoint", endpoint.url().toString());
            return manifest.toString();
        }

        /** Replaces the session, and so has the tools listed. */
        private void restart(String server) throws IOException {
            String patch =
                    "{\"metadata\":{\"annotations\":{\"orloj.dev/restartedAt\":\"%d\"}}}"
                            .formatted(System.nanoTime());
            try (HttpConnection connection = new HttpConnection(orlojd.url())) {
                HttpConnection.Answer answer =
                        connection.exchange(
                                connection.request(
                                        "PATCH",
                                        SERVERS + "/" + server,
                                        "application/merge-patch+json",
                                        patch.getBytes(StandardCharsets.UTF_8)));
                if (answer.status() != 200) {
                    throw new IllegalStateException(answer.status() + " " + answer.text());
                }
            }
        }

        private void await(String path, Predicate<String> wanted) throws IOException {
            for (HttpConnection.Answer answer = orlojd.get(path);
                    answer.status() != 200 || !wanted.test(answer.text());
                    answer = orlojd.get(path)) {
                LockSupport.parkNanos(POLL_NANOS);
            }
        }
    }

    private Table table(List<Row> rows, int count) {
        return new Table(
                name(),
                summary(),
                "tools",
                List.of(new Column(MILLIS, "ms", 1), new Column(CPU, "CPU ms of orlojd", 0)),
                List.of(MILLIS),
                WITHOUT,
                rows,
                List.of(goal(rows, NEW), goal(rows, FEW), goal(rows, ONE)),
                List.of(
                        "%,d tools of 1 to 1.5 kB over HTTP; orlojd has a PostgreSQL of its own, both with fsync"
                                .formatted(count),
                        "a sync: from the creation of the server to Ready, or from a restart of"
                                + " its session until the changed Tools are read; in batches of %d"
                                        .formatted(BATCH),
                        "the goal is a sync beside itself less what the ledger adds to the"
                                + " writes"));
    }

    private static Goal goal(List<Row> rows, String load) {
        Row sync = Table.find(rows, SYNC, load).orElseThrow();
        Row with = Table.find(rows, WITH, load).orElseThrow();
        Row without = Table.find(rows, WITHOUT, load).orElseThrow();
        double whole = sync.value(MILLIS).orElseThrow();
        double added = with.differenceTo(without, MILLIS).orElseThrow();
        return new Goal(
                "ms of a sync with the ledger, relative to one without, " + load,
                whole / (whole - added),
                Goal.Bound.AT_MOST,
                MAX_RATIO);
    }
}
