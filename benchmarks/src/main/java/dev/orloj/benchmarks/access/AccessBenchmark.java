package dev.orloj.benchmarks.access;

import dev.orloj.benchmarks.call.CallRounds;
import dev.orloj.benchmarks.call.HttpCall;
import dev.orloj.benchmarks.call.HttpContestant;
import dev.orloj.benchmarks.report.Goal;
import dev.orloj.benchmarks.report.Row;
import dev.orloj.benchmarks.report.Table;
import dev.orloj.benchmarks.suite.Benchmark;
import dev.orloj.benchmarks.suite.Effort;
import dev.orloj.benchmarks.suite.OrlojdProcess;
import dev.orloj.benchmarks.suite.Workplace;

import java.util.ArrayList;
import java.util.List;

/**
 * Calls of a warm tool with a token, a role and an entry in the audit log, beside the same calls at
 * an orlojd that asks for nothing and records nothing. Both use plain HTTP, so that encryption is
 * not part of it.
 */
public final class AccessBenchmark implements Benchmark {

    private static final String OPEN_REST = "open REST";
    private static final String OPEN_MCP = "open /mcp";
    private static final String SECURED_REST = "secured REST";
    private static final String SECURED_MCP = "secured /mcp";
    private static final double MAX_MICROS = 10;
    private static final double MIN_THROUGHPUT = 0.95;

    private static final List<String> NOTES =
            List.of(
                    "open: --insecure-allow-anonymous and --audit-level none",
                    "secured: the token of a ServiceAccount, a Role with the verb call on tools,"
                            + " and an event in the audit log for each call",
                    "each orlojd has an echo server of its own, and is idle while the other one is"
                            + " measured; \"x\" compares with open REST");

    @Override
    public String name() {
        return "access";
    }

    @Override
    public String summary() {
        return "what authentication, authorization and audit add to a call";
    }

    @Override
    public Table run(Effort effort, Workplace workplace) throws Exception {
        try (OrlojdProcess open = open(workplace);
                OrlojdProcess secured = secured(workplace)) {
            String token = Agent.create(secured);
            HttpCall mcp = HttpCall.stateless(HttpContestant.ENDPOINT);
            CallRounds rounds =
                    new CallRounds(
                                    effort,
                                    List.of(
                                            HttpContestant.of(
                                                    OPEN_REST, open, HttpContestant.rest()),
                                            HttpContestant.of(
                                                    SECURED_REST,
                                                    secured,
                                                    HttpContestant.rest().with(token)),
                                            HttpContestant.of(OPEN_MCP, open, mcp),
                                            HttpContestant.of(
                                                    SECURED_MCP, secured, mcp.with(token))))
                            .run();
            return rounds.table(name(), summary(), OPEN_REST, goals(rounds), NOTES);
        }
    }

    private static OrlojdProcess open(Workplace workplace) throws Exception {
        return HttpContestant.serve(
                OrlojdProcess.start(
                        workplace, workplace.newFolder("open"), "--audit-level", "none"));
    }

    private static OrlojdProcess secured(Workplace workplace) throws Exception {
        return HttpContestant.serve(
                OrlojdProcess.startSecured(workplace, workplace.newFolder("secured")));
    }

    private static List<Goal> goals(CallRounds rounds) {
        List<Goal> goals = new ArrayList<>();
        for (String callers : List.of("1", "8")) {
            goals.addAll(goals(rounds.rows(), SECURED_REST, OPEN_REST, callers));
            goals.addAll(goals(rounds.rows(), SECURED_MCP, OPEN_MCP, callers));
        }
        for (String subject : List.of(SECURED_REST, SECURED_MCP)) {
            goals.add(
                    new Goal(
                            "errors of " + subject, rounds.errors(subject), Goal.Bound.AT_MOST, 0));
        }
        return goals;
    }

    private static List<Goal> goals(List<Row> rows, String secured, String open, String callers) {
        List<Goal> goals =
                new ArrayList<>(
                        Table.ratioGoal(
                                rows,
                                secured,
                                open,
                                callers,
                                CallRounds.PER_SECOND,
                                Goal.Bound.AT_LEAST,
                                MIN_THROUGHPUT));
        Row with = Table.find(rows, secured, callers).orElseThrow();
        Row without = Table.find(rows, open, callers).orElseThrow();
        with.differenceTo(without, CallRounds.P50).stream()
                .mapToObj(
                        micros ->
                                new Goal(
                                        "us more at p50 of %s at %s".formatted(secured, callers),
                                        micros,
                                        Goal.Bound.AT_MOST,
                                        MAX_MICROS))
                .forEach(goals::add);
        return goals;
    }
}
