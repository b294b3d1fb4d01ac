package dev.orloj.benchmarks.micro;

import dev.orloj.benchmarks.report.Column;
import dev.orloj.benchmarks.report.Row;
import dev.orloj.benchmarks.report.Table;
import dev.orloj.benchmarks.suite.Benchmark;
import dev.orloj.benchmarks.suite.Effort;
import dev.orloj.benchmarks.suite.Workplace;

import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Runs the JMH benchmarks of this package; {@code xBaseline} is what {@code x} is compared with.
 */
public final class MicroBenchmark implements Benchmark {

    private static final String OURS = "Orloj";
    private static final String BASELINE = "baseline";
    private static final String BASELINE_SUFFIX = "Baseline";
    private static final String TIME = "time";
    private static final String ALLOCATED = "allocated";

    /** JMH itself uses what the JVM warns of. */
    private static final String UNSAFE_IS_KNOWN = "--sun-misc-unsafe-memory-access=allow";

    private static final int WARM_UP_ITERATIONS = 3;
    private static final int ITERATIONS = 4;

    @Override
    public String name() {
        return "micro";
    }

    @Override
    public String summary() {
        return "steps of the hot paths, by JMH";
    }

    @Override
    public Table run(Effort effort, Workplace workplace) throws Exception {
        TimeValue warmUp = TimeValue.milliseconds(effort.settle().toMillis());
        TimeValue iteration = TimeValue.milliseconds(effort.slice().toMillis() / ITERATIONS);
        Collection<RunResult> results =
                new Runner(
                                new OptionsBuilder()
                                        .jvmArgsAppend(UNSAFE_IS_KNOWN)
                                        .include(getClass().getPackageName() + "\\.[A-Z].*")
                                        .mode(Mode.AverageTime)
                                        .timeUnit(TimeUnit.NANOSECONDS)
                                        .forks(effort.forks())
                                        .warmupIterations(WARM_UP_ITERATIONS)
                                        .warmupTime(warmUp)
                                        .measurementIterations(ITERATIONS)
                                        .measurementTime(iteration)
                                        .addProfiler(GCProfiler.class)
                                        .verbosity(VerboseMode.SILENT)
                                        .shouldFailOnError(true)
                                        .build())
                        .run();
        return new Table(
                name(),
                summary(),
                "step",
                List.of(new Column(TIME, "ns", 1), new Column(ALLOCATED, "B allocated", 0)),
                List.of(TIME),
                BASELINE,
                rows(results),
                List.of(),
                List.of("the Javadoc of each class says what its baseline is"));
    }

    /** JMH sorts by name, so a step and its baseline stand one below the other. */
    private static List<Row> rows(Collection<RunResult> results) {
        List<Row> rows = new ArrayList<>();
        for (RunResult result : results) {
            String benchmark = result.getParams().getBenchmark();
            String step = benchmark.substring(MicroBenchmark.class.getPackageName().length() + 1);
            boolean baseline = step.endsWith(BASELINE_SUFFIX);
            rows.add(
                    Row.once(
                            baseline ? BASELINE : OURS,
                            baseline
                                    ? step.substring(0, step.length() - BASELINE_SUFFIX.length())
                                    : step,
                            values(result)));
        }
        return rows;
    }

    private static Map<String, Double> values(RunResult result) {
        Map<String, Double> values = new LinkedHashMap<>();
        values.put(TIME, result.getPrimaryResult().getScore());
        Result<?> allocated = result.getSecondaryResults().get("gc.alloc.rate.norm");
        if (allocated != null) {
            values.put(ALLOCATED, allocated.getScore());
        }
        return values;
    }
}
