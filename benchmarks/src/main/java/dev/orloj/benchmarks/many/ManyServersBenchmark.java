package dev.orloj.benchmarks.many;

import dev.orloj.benchmarks.report.Column;
import dev.orloj.benchmarks.report.Goal;
import dev.orloj.benchmarks.report.Row;
import dev.orloj.benchmarks.report.Table;
import dev.orloj.benchmarks.suite.Benchmark;
import dev.orloj.benchmarks.suite.Effort;
import dev.orloj.benchmarks.suite.OrlojdProcess;
import dev.orloj.benchmarks.suite.Workplace;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Many stdio servers applied by one {@code orlojctl apply}, until all are Ready, beside as many
 * bare processes that answer the same requests.
 */
public final class ManyServersBenchmark implements Benchmark {

    private static final String ORLOJD = "orlojd, until all are Ready";
    private static final String BARE = "bare processes";
    private static final String MILLIS = "ms";
    private static final String CPU = "cpu";
    private static final String SERVERS = "/apis/orloj.dev/v1/namespaces/default/mcpservers";
    private static final int FEWER = 5;
    private static final int AT_ONCE = 4;

    @Override
    public String name() {
        return "many";
    }

    @Override
    public String summary() {
        return "many stdio servers applied at once";
    }

    @Override
    public Table run(Effort effort, Workplace workplace) throws Exception {
        int many = effort.objects();
        int few = Math.max(1, many / FEWER);
        Path folder = workplace.newFolder("many");
        ShellServer server = new ShellServer(folder);
        List<Row> rows = new ArrayList<>();
        try (OrlojdProcess orlojd = OrlojdProcess.start(workplace, folder.resolve("data"))) {
            apply(orlojd, folder, server, "warm", few);
            bare(server, few);
            for (int count : List.of(few, many)) {
                rows.add(Row.once(BARE, "" + count, Map.of(MILLIS, bare(server, count))));
                rows.add(
                        Row.once(
                                ORLOJD,
                                "" + count,
                                apply(orlojd, folder, server, "of-" + count, count)));
            }
        }
        return table(rows, few, many);
    }

    private static Map<String, Double> apply(
            OrlojdProcess orlojd, Path folder, ShellServer server, String prefix, int count)
            throws IOException, InterruptedException {
        String manifests =
                IntStream.range(0, count)
                        .mapToObj(n -> server.manifest(prefix + "-" + n))
                        .collect(Collectors.joining());
        Duration cpu = orlojd.process().cpu();
        long start = System.nanoTime();
        Orlojctl.apply(orlojd, folder, manifests);
        for (int n = count - 1; n >= 0; n--) {
            orlojd.await(
                    SERVERS + "/" + prefix + "-" + n, text -> text.contains("\"phase\":\"Ready\""));
        }
        double millis = (System.nanoTime() - start) / 1e6;
        double used = orlojd.process().cpu().minus(cpu).toNanos() / 1e6;
        return Map.of(MILLIS, millis / count, CPU, used / count);
    }

    private static double bare(ShellServer server, int count) throws Exception {
        long start = System.nanoTime();
        try (ExecutorService starters = Executors.newFixedThreadPool(AT_ONCE)) {
            List<Future<?>> asked = new ArrayList<>();
            for (int n = 0; n < count; n++) {
                asked.add(
                        starters.submit(
                                () -> {
                                    server.askAlone();
                                    return null;
                                }));
            }
            for (Future<?> each : asked) {
                each.get();
            }
        }
        return (System.nanoTime() - start) / 1e6 / count;
    }

    private Table table(List<Row> rows, int few, int many) {
        double perServer = millis(rows, many);
        return new Table(
                name(),
                summary(),
                "servers",
                List.of(
                        new Column(MILLIS, "ms per server", 1),
                        new Column(CPU, "CPU ms of orlojd per server", 1)),
                List.of(MILLIS),
                BARE,
                rows,
                List.of(
                        new Goal(
                                "ms per server of %d applied at once".formatted(many),
                                perServer,
                                Goal.Bound.AT_MOST,
                                12),
                        new Goal(
                                "ms per server of %d beside those of %d".formatted(many, few),
                                perServer / millis(rows, few),
                                Goal.Bound.AT_MOST,
                                1.1)),
                List.of(
                        "a server is a shell script with one tool; its process stays",
                        "a bare process answers initialize and tools/list and ends; %d at once"
                                .formatted(AT_ONCE),
                        "orlojctl counts too, with the start of its JVM; orlojd has warmed up with "
                                + few
                                + " servers"));
    }

    private static double millis(List<Row> rows, int servers) {
        return Table.find(rows, ORLOJD, "" + servers).orElseThrow().value(MILLIS).orElseThrow();
    }
}
