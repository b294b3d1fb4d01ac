package dev.orloj.benchmarks.call;

import dev.orloj.benchmarks.report.Table;
import dev.orloj.benchmarks.suite.Benchmark;
import dev.orloj.benchmarks.suite.Effort;
import dev.orloj.benchmarks.suite.Workplace;

import java.util.List;

/**
 * Calls of a warm tool through the REST endpoint, beside the least that such a call can cost, and
 * beside the transport alone.
 */
public final class ToolCallBenchmark implements Benchmark {

    private static final List<String> NOTES =
            List.of(
                    "closed loop: each caller sends its next call when the answer is there",
                    "orlojd and the floor run in JVMs of their own with the same flags, each with"
                            + " its own echo server; \"x\" compares with the floor",
                    "without HTTP, inside the JVM of the load driver: ToolCaller, which is all of a"
                            + " call; StdioTransport below it; and a bare pipe, the floor of those"
                            + " two");

    @Override
    public String name() {
        return "call";
    }

    @Override
    public String summary() {
        return "POST .../tools/{name}/call over a warm stdio echo server";
    }

    @Override
    public Table run(Effort effort, Workplace workplace) throws Exception {
        try (HttpContestant orlojd = HttpContestant.orlojd(workplace);
                HttpContestant floor = HttpContestant.floor(workplace);
                PipelineContestant pipeline = PipelineContestant.open();
                TransportContestant transport = TransportContestant.open();
                PipeContestant pipe = new PipeContestant()) {
            CallRounds rounds =
                    new CallRounds(effort, List.of(orlojd, floor, pipeline, transport, pipe)).run();
            return rounds.table(name(), summary(), rounds.goals(HttpContestant.ORLOJD), NOTES);
        }
    }
}
