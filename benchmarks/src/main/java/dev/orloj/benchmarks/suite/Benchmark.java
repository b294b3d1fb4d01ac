package dev.orloj.benchmarks.suite;

import dev.orloj.benchmarks.report.Table;

/** One measurement, complete with what it is compared with. */
public interface Benchmark {

    /** What the command line calls it. */
    String name();

    /** One line for the list of benchmarks. */
    String summary();

    /** Takes as long as the effort says, leaves nothing running. */
    Table run(Effort effort, Workplace workplace) throws Exception;
}
