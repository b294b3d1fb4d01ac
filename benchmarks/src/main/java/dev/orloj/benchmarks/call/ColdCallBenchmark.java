package dev.orloj.benchmarks.call;

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

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/**
 * Calls of a tool whose server sleeps, so that its process has to be started for each of them,
 * beside the time that the same program takes from its start to its answer to {@code initialize}.
 */
public final class ColdCallBenchmark implements Benchmark {

    private static final String ORLOJD = "cold call";
    private static final String CHILD = "child alone";
    private static final String MILLIS = "ms";
    private static final String SERVER = "cold";
    private static final int CALLS_PER_ROUND = 5;
    private static final double MAX_ADDED_MILLIS = 30;
    private static final byte[] BODY =
            "{\"arguments\":{\"message\":\"hello\"}}".getBytes(StandardCharsets.UTF_8);
    private static final String INITIALIZE =
            """
            {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-11-25"}}
            """;

    @Override
    public String name() {
        return "cold";
    }

    @Override
    public String summary() {
        return "POST .../tools/{name}/call of a stdio server that sleeps";
    }

    @Override
    public Table run(Effort effort, Workplace workplace) throws Exception {
        Rows rows = new Rows();
        try (OrlojdProcess orlojd = OrlojdProcess.start(workplace, workplace.newFolder("cold"))) {
            orlojd.create(EchoManifest.SERVERS, EchoManifest.of(SERVER, "100ms"));
            orlojd.await(EchoManifest.toolPath(SERVER), tool -> true);
            call(orlojd);
            for (int i = 0; i < CALLS_PER_ROUND * effort.rounds(); i++) {
                rows.add(CHILD, "", Map.of(MILLIS, childAlone()));
                rows.add(ORLOJD, "", Map.of(MILLIS, call(orlojd)));
            }
        }
        return table(rows.list());
    }

    private Table table(List<Row> rows) {
        return new Table(
                name(),
                summary(),
                "",
                List.of(new Column(MILLIS, "ms", 1)),
                List.of(MILLIS),
                CHILD,
                rows,
                List.of(
                        new Goal(
                                "ms that a cold call takes beyond the start of its child",
                                millis(rows, ORLOJD) - millis(rows, CHILD),
                                Goal.Bound.AT_MOST,
                                MAX_ADDED_MILLIS)),
                List.of(
                        "the child alone: from its start to its answer to initialize",
                        "a cold call starts it confined, greets it, sends the call and waits for"
                                + " the answer"));
    }

    private static double millis(List<Row> rows, String subject) {
        return Table.find(rows, subject, "").orElseThrow().value(MILLIS).orElseThrow();
    }

    /** Waits until nothing is left of the session of before. */
    private static double call(OrlojdProcess orlojd) throws IOException {
        orlojd.await(EchoManifest.sessionsPath(SERVER), list -> EchoManifest.hasItems(list, 0));
        try (HttpConnection connection = new HttpConnection(orlojd.url())) {
            byte[] request =
                    connection.request(
                            "POST",
                            EchoManifest.toolPath(SERVER) + "/call",
                            "application/json",
                            BODY);
            long start = System.nanoTime();
            HttpConnection.Answer answer = connection.exchange(request);
            double millis = millisSince(start);
            if (answer.status() != 200) {
                throw new IOException(answer.status() + " " + answer.text());
            }
            return millis;
        }
    }

    private static double childAlone() throws IOException, InterruptedException {
        long start = System.nanoTime();
        Process process =
                new ProcessBuilder(EchoServer.command())
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
        process.getOutputStream().write(INITIALIZE.getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().flush();
        BufferedReader answers = process.inputReader(StandardCharsets.UTF_8);
        if (answers.readLine() == null) {
            throw new IOException("the echo server has no answer");
        }
        double millis = millisSince(start);
        process.getOutputStream().close();
        process.waitFor();
        return millis;
    }

    private static double millisSince(long start) {
        return (System.nanoTime() - start) / 1e6;
    }
}
