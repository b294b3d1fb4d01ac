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
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A healthy stdio server, from its creation to Ready and from its deletion to its end, alone and
 * beside many servers of which one half never answers and the other exits at once.
 */
public final class BrokenServersBenchmark implements Benchmark {

    private static final String ALONE = "alone";
    private static final String BESIDE = "beside broken servers";
    private static final String READY = "ready";
    private static final String GONE = "gone";
    private static final String SERVERS = "/apis/orloj.dev/v1/namespaces/default/mcpservers";
    private static final String SILENT = "cat >/dev/null";
    private static final String DYING = "exit 3";
    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final Duration POLL = Duration.ofMillis(2);
    private static final int WARM_UP = 10;

    @Override
    public String name() {
        return "broken";
    }

    @Override
    public String summary() {
        return "a healthy server beside servers that never answer or exit at once";
    }

    @Override
    public Table run(Effort effort, Workplace workplace) throws Exception {
        int broken = 2 * Math.max(1, effort.objects() / 2);
        Path folder = workplace.newFolder("broken");
        ShellServer server = new ShellServer(folder);
        List<Map<String, Double>> alone = new ArrayList<>();
        List<Map<String, Double>> beside = new ArrayList<>();
        try (OrlojdProcess orlojd = OrlojdProcess.start(workplace, folder.resolve("data"))) {
            for (int n = 0; n < Math.min(WARM_UP, effort.objects()); n++) {
                comeAndGo(orlojd, server, "warm-" + n);
            }
            for (int round = 0; round < effort.rounds(); round++) {
                alone.add(comeAndGo(orlojd, server, "alone-" + round));
            }
            Orlojctl.apply(orlojd, folder, broken(broken));
            for (int round = 0; round < effort.rounds(); round++) {
                beside.add(comeAndGo(orlojd, server, "beside-" + round));
            }
        }
        return table(List.of(new Row(ALONE, "", alone), new Row(BESIDE, "", beside)), broken);
    }

    private static String broken(int count) {
        return IntStream.range(0, count)
                .mapToObj(n -> ShellServer.manifest("broken-" + n, n % 2 == 0 ? SILENT : DYING))
                .collect(Collectors.joining());
    }

    private static Map<String, Double> comeAndGo(
            OrlojdProcess orlojd, ShellServer server, String name) throws IOException {
        String path = SERVERS + "/" + name;
        long start = System.nanoTime();
        orlojd.create(SERVERS, server.json(name));
        await(orlojd, path, 200, "\"phase\":\"Ready\"");
        long ready = System.nanoTime();
        orlojd.delete(path);
        await(orlojd, path, 404, "");
        return Map.of(
                READY, (ready - start) / 1e6, GONE, (System.nanoTime() - ready) / 1e6);
    }

    private static void await(OrlojdProcess orlojd, String path, int status, String text)
            throws IOException {
        long giveUp = System.nanoTime() + TIMEOUT.toNanos();
        var answer = orlojd.get(path);
        while (answer.status() != status || !answer.text().contains(text)) {
            if (System.nanoTime() - giveUp > 0) {
                throw new IllegalStateException(
                        "GET %s is not %d %s within %s: %d %s"
                                .formatted(
                                        path,
                                        status,
                                        text,
                                        TIMEOUT,
                                        answer.status(),
                                        answer.text()));
            }
            LockSupport.parkNanos(POLL.toNanos());
            answer = orlojd.get(path);
        }
    }

    private Table table(List<Row> rows, int broken) {
        Row alone = Table.find(rows, ALONE, "").orElseThrow();
        Row beside = Table.find(rows, BESIDE, "").orElseThrow();
        return new Table(
                name(),
                summary(),
                "",
                List.of(
                        new Column(READY, "ms until Ready", 1),
                        new Column(GONE, "ms until deleted", 1)),
                List.of(READY, GONE),
                ALONE,
                rows,
                List.of(goal(READY, alone, beside), goal(GONE, alone, beside)),
                List.of("%d broken servers, applied right before".formatted(broken)));
    }

    private static Goal goal(String column, Row alone, Row beside) {
        return new Goal(
                "%s beside broken servers, relative to alone".formatted(column),
                beside.ratioTo(alone, column).orElseThrow(),
                Goal.Bound.AT_MOST,
                1.5);
    }
}
