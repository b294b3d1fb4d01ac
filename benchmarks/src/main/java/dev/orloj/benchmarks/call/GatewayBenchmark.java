package dev.orloj.benchmarks.call;

import dev.orloj.benchmarks.report.Goal;
import dev.orloj.benchmarks.report.Row;
import dev.orloj.benchmarks.report.Table;
import dev.orloj.benchmarks.suite.Benchmark;
import dev.orloj.benchmarks.suite.Effort;
import dev.orloj.benchmarks.suite.OrlojdProcess;
import dev.orloj.benchmarks.suite.Workplace;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/**
 * Calls of a warm tool through the MCP endpoints, in both kinds of revisions, beside the call
 * without a gateway, the least that a gateway can cost, and gateways of others.
 */
public final class GatewayBenchmark implements Benchmark {

    private static final String SESSION = "orlojd /mcp 2025-11-25";
    private static final String STATELESS = "orlojd /mcp 2026-07-28";
    private static final String REST = "orlojd REST";
    private static final List<String> PEERS =
            List.of(NpmGateways.HUB, NpmGateways.PROXY, NpmGateways.SUPERGATEWAY);

    private static final List<String> NOTES =
            List.of(
                    "closed loop: each caller sends its next call when the answer is there, over"
                            + " its own connection; callers share a session where there are any",
                    "each gateway has an echo server of its own, over stdio; \"bare pipe\" is that"
                            + " server called without a gateway, by the load driver",
                    "mcp-hub is called over its REST API, which is the fastest it has");

    @Override
    public String name() {
        return "gateway";
    }

    @Override
    public String summary() {
        return "tools/call over MCP, beside gateways from npm";
    }

    @Override
    public Table run(Effort effort, Workplace workplace) throws Exception {
        NpmGateways others = NpmGateways.install(workplace);
        try (OrlojdProcess orlojd = HttpContestant.start(workplace);
                HttpContestant floor = HttpContestant.floor(workplace);
                PipeContestant pipe = new PipeContestant();
                HttpContestant hub = others.hub();
                HttpContestant proxy = others.proxy();
                HttpContestant supergateway = others.supergateway()) {
            HttpContestant session =
                    HttpContestant.of(
                            SESSION,
                            orlojd,
                            HttpCall.inSession(orlojd.url(), HttpContestant.ENDPOINT));
            HttpContestant stateless =
                    HttpContestant.of(
                            STATELESS, orlojd, HttpCall.stateless(HttpContestant.ENDPOINT));
            HttpContestant rest = HttpContestant.of(REST, orlojd, HttpContestant.rest());
            CallRounds rounds =
                    new CallRounds(
                                    effort,
                                    List.of(
                                            session,
                                            stateless,
                                            rest,
                                            floor,
                                            pipe,
                                            hub,
                                            proxy,
                                            supergateway))
                            .run();
            return rounds.table(name(), summary(), goals(rounds), NOTES);
        }
    }

    private static List<Goal> goals(CallRounds rounds) {
        List<Goal> goals = new ArrayList<>();
        for (String subject : List.of(SESSION, STATELESS, REST)) {
            goals.addAll(rounds.goals(subject));
            goals.add(
                    new Goal(
                            "times as fast as the best peer, p50 of %s at 1".formatted(subject),
                            peers(rounds, 1, CallRounds.P50).min().orElseThrow()
                                    / value(rounds, subject, 1, CallRounds.P50),
                            Goal.Bound.AT_LEAST,
                            5));
            goals.add(
                    new Goal(
                            "times the calls/s of the best peer, %s at 8".formatted(subject),
                            value(rounds, subject, 8, CallRounds.PER_SECOND)
                                    / peers(rounds, 8, CallRounds.PER_SECOND).max().orElseThrow(),
                            Goal.Bound.AT_LEAST,
                            8));
        }
        return goals;
    }

    private static DoubleStream peers(CallRounds rounds, int callers, String column) {
        return PEERS.stream().mapToDouble(peer -> value(rounds, peer, callers, column));
    }

    private static double value(CallRounds rounds, String subject, int callers, String column) {
        Stream<Row> rows = Table.find(rounds.rows(), subject, Integer.toString(callers)).stream();
        OptionalDouble value = rows.flatMapToDouble(row -> row.value(column).stream()).findFirst();
        return value.orElseThrow();
    }
}
