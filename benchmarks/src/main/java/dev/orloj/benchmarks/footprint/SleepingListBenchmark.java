package dev.orloj.benchmarks.footprint;

import dev.orloj.benchmarks.load.ClosedLoop;
import dev.orloj.benchmarks.load.HttpConnection;
import dev.orloj.benchmarks.load.LoadResult;
import dev.orloj.benchmarks.load.Operation;
import dev.orloj.benchmarks.report.Column;
import dev.orloj.benchmarks.report.Goal;
import dev.orloj.benchmarks.report.Rows;
import dev.orloj.benchmarks.report.Table;
import dev.orloj.benchmarks.suite.Benchmark;
import dev.orloj.benchmarks.suite.Effort;
import dev.orloj.benchmarks.suite.OrlojdProcess;
import dev.orloj.benchmarks.suite.Workplace;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * {@code tools/list} of a namespace full of servers that all sleep, beside that of one of them; and
 * whether any of them was asked for it.
 */
public final class SleepingListBenchmark implements Benchmark {

    private static final int MAX_SERVERS = 100;
    private static final List<Integer> CALLERS = List.of(1, 8);

    private static final String NAMESPACE = "/mcp/default";
    private static final String ONE_SERVER = NAMESPACE + "/mcpservers/" + SleepingServers.name(0);
    private static final String ALL = "all servers";
    private static final String ONE = "one of them";

    private static final String PER_SECOND = "lists/s";
    private static final String P50 = "p50";
    private static final String P99 = "p99";
    private static final String SIZE = "kB";
    private static final String RESIDENT = "resident";
    private static final String ERRORS = "errors";

    @Override
    public String name() {
        return "list";
    }

    @Override
    public String summary() {
        return "tools/list of up to %d sleeping servers with %d tools"
                .formatted(MAX_SERVERS, SleepingServers.TOOLS_OF_EACH);
    }

    @Override
    public Table run(Effort effort, Workplace workplace) throws Exception {
        int servers = Math.min(MAX_SERVERS, effort.objects());
        try (OrlojdProcess orlojd = OrlojdProcess.start(workplace, workplace.newFolder("list"));
                FakeMcpEndpoint endpoint = FakeMcpEndpoint.start(SleepingServers.TOOLS_OF_EACH)) {
            SleepingServers.create(orlojd, endpoint, servers);
            long before = endpoint.requests();
            Rows rows = new Rows();
            ClosedLoop.run(
                    8, () -> lister(orlojd.url(), NAMESPACE), effort.warmUp(), Duration.ZERO);
            for (int round = 0; round < effort.rounds(); round++) {
                for (int callers : CALLERS) {
                    rows.add(ALL, "" + callers, measure(orlojd, NAMESPACE, callers, effort));
                    rows.add(ONE, "" + callers, measure(orlojd, ONE_SERVER, callers, effort));
                }
            }
            return table(servers, rows, endpoint.requests() - before);
        }
    }

    private static Map<String, Double> measure(
            OrlojdProcess orlojd, String endpoint, int callers, Effort effort) throws Exception {
        LoadResult result =
                ClosedLoop.run(
                        callers,
                        () -> lister(orlojd.url(), endpoint),
                        effort.settle(),
                        effort.slice());
        return Map.of(
                PER_SECOND, result.perSecond(),
                P50, result.percentileMicros(50) / 1e3,
                P99, result.percentileMicros(99) / 1e3,
                SIZE, sizeOfList(orlojd.url(), endpoint) / 1e3,
                RESIDENT, orlojd.process().residentBytes() / 1024.0 / 1024,
                ERRORS, (double) result.errors());
    }

    private static int sizeOfList(URI url, String endpoint) throws IOException {
        try (HttpConnection connection = new HttpConnection(url)) {
            return connection.exchange(AgentRequests.listTools(connection, endpoint)).body().length;
        }
    }

    private static Operation lister(URI url, String endpoint) {
        HttpConnection connection = new HttpConnection(url);
        byte[] request = AgentRequests.listTools(connection, endpoint);
        return new Operation() {
            @Override
            public void perform() throws IOException {
                HttpConnection.Answer answer = connection.exchange(request);
                if (answer.status() != 200) {
                    throw new IOException(answer.status() + " " + answer.text());
                }
            }

            @Override
            public void close() {
                connection.close();
            }
        };
    }

    private Table table(int servers, Rows rows, long asked) {
        return new Table(
                name(),
                summary(),
                "callers",
                List.of(
                        new Column(PER_SECOND, "lists/s", 0),
                        new Column(P50, "p50 ms", 2),
                        new Column(P99, "p99 ms", 2),
                        new Column(SIZE, "list kB", 0),
                        new Column(RESIDENT, "resident MiB", 0),
                        new Column(ERRORS, "errors", 0)),
                List.of(P50, P99),
                ONE,
                rows.list(),
                List.of(new Goal("requests that reached a server", asked, Goal.Bound.AT_MOST, 0)),
                List.of(
                        "%d servers; each list comes whole, in one page".formatted(servers),
                        "resident: orlojd without PostgreSQL"));
    }
}
