package dev.orloj.benchmarks.footprint;

import dev.orloj.benchmarks.report.Column;
import dev.orloj.benchmarks.report.Goal;
import dev.orloj.benchmarks.report.Row;
import dev.orloj.benchmarks.report.Table;
import dev.orloj.benchmarks.suite.Benchmark;
import dev.orloj.benchmarks.suite.Effort;
import dev.orloj.benchmarks.suite.LiveHeap;
import dev.orloj.benchmarks.suite.OrlojdProcess;
import dev.orloj.benchmarks.suite.Workplace;

import java.util.List;
import java.util.Map;

/**
 * What a server costs whose session was closed because no calls came: heap that stays after a full
 * collection, beside the size of the JSON that describes the server and its tools.
 */
public final class SleepingServersBenchmark implements Benchmark {

    private static final int TOOLS = SleepingServers.TOOLS_OF_EACH;
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
            SleepingServers.create(orlojd, endpoint, servers);
            double heap = (LiveHeap.bytes(orlojd) - before) / 1e3 / servers;
            double json =
                    (orlojd.get(SleepingServers.SERVERS).body().length
                                    + orlojd.get(SleepingServers.TOOLS).body().length)
                            / 1e3
                            / servers;
            return table(servers, heap, json);
        }
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
