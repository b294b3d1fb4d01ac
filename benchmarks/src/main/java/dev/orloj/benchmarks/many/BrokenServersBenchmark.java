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
 * right after many servers of which one half never answers and the other exits at once. Beside it,
 * the same program without orlojd: the starts of the broken ones take its processors too.
 */
public final class BrokenServersBenchmark implements Benchmark {

    private static final String ALONE = "alone";
    private static final String BESIDE = "beside broken servers";
    private static final String BARE_ALONE = "bare process, alone";
    private static final String BARE_BESIDE = "bare process, beside broken servers";
    private static final String READY = "ready";
    private static final String GONE = "gone";
    private static final String SERVERS = "/apis/orloj.dev/v1/namespaces/default/mcpservers";
    private static final String SILENT = "cat >/dev/null";
    private static final String DYING = "exit 3";
    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final Duration POLL = Duration.ofMillis(2);
    private static final int WARM_UP = 100;

    /** Healthy servers for each round, because the broken ones load the machine unevenly. */
    private static final int TRIALS = 4;

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
        Rows alone = new Rows(ALONE, BARE_ALONE);
        Rows beside = new Rows(BESIDE, BARE_BESIDE);
        try (OrlojdProcess orlojd = OrlojdProcess.start(workplace, folder.resolve("data"))) {
            for (int n = 0; n < Math.min(WARM_UP, effort.objects()); n++) {
                comeAndGo(orlojd, server, "warm-" + n);
            }
            alone.measure(orlojd, server, TRIALS * effort.rounds());
            Orlojctl.apply(orlojd, folder, broken(broken));
            beside.measure(orlojd, server, TRIALS * effort.rounds());
        }
        return table(alone, beside, broken);
    }

    /** The figures of orlojd and of the bare process in the same state of the machine. */
    private record Rows(
            String subject,
            String bareSubject,
            List<Map<String, Double>> figures,
            List<Map<String, Double>> bareFigures) {

        Rows(String subject, String bareSubject) {
            this(subject, bareSubject, new ArrayList<>(), new ArrayList<>());
        }

        void measure(OrlojdProcess orlojd, ShellServer server, int trials)
                throws IOException, InterruptedException {
            for (int n = 0; n < trials; n++) {
                figures.add(comeAndGo(orlojd, server, "%s-%d".formatted(name(), n)));
                long start = System.nanoTime();
                server.askAlone();
                bareFigures.add(Map.of(READY, (System.nanoTime() - start) / 1e6));
            }
        }

        private String name() {
            return subject.split(" ", 2)[0];
        }

        Row row() {
            return new Row(subject, "", figures);
        }

        Row bareRow() {
            return new Row(bareSubject, "", bareFigures);
        }
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
        return Map.of(READY, (ready - start) / 1e6, GONE, (System.nanoTime() - ready) / 1e6);
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

    private Table table(Rows alone, Rows beside, int broken) {
        return new Table(
                name(),
                summary(),
                "",
                List.of(
                        new Column(READY, "ms until Ready", 1),
                        new Column(GONE, "ms until deleted", 1)),
                List.of(READY, GONE),
                ALONE,
                List.of(alone.row(), beside.row(), alone.bareRow(), beside.bareRow()),
                List.of(
                        goal(READY, alone.row(), beside.row()),
                        goal(GONE, alone.row(), beside.row()),
                        goalBesideBare(alone, beside)),
                List.of(
                        "%d broken servers, applied right before".formatted(broken),
                        "a bare process answers initialize and tools/list and ends"));
    }

    private static Goal goal(String column, Row alone, Row beside) {
        return new Goal(
                "%s beside broken servers, relative to alone".formatted(column),
                beside.ratioTo(alone, column).orElseThrow(),
                Goal.Bound.AT_MOST,
                1.5);
    }

    /** What remains of the delay if the processors were as free as without the broken servers. */
    private static Goal goalBesideBare(Rows alone, Rows beside) {
        return new Goal(
                "ready beside broken servers, relative to alone and to the bare process",
                beside.row().ratioTo(alone.row(), READY).orElseThrow()
                        / beside.bareRow().ratioTo(alone.bareRow(), READY).orElseThrow(),
                Goal.Bound.AT_MOST,
                1.5);
    }
}
