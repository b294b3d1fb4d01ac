package dev.orloj.server;

/**
 * How many platform threads carry the virtual ones. A virtual thread keeps its carrier while it
 * computes, so with as many carriers as processors two long messages that are parsed on a machine
 * with two processors delay each call and probe. With more carriers the operating system divides
 * the processors among them.
 */
final class Carriers {

    private static final String PARALLELISM = "jdk.virtualThreadScheduler.parallelism";
    private static final int MIN = 8;

    private Carriers() {}

    /** Has an effect only before the first virtual thread of the process starts. */
    static void set() {
        if (System.getProperty(PARALLELISM) == null) {
            int carriers = Math.max(MIN, Runtime.getRuntime().availableProcessors());
            System.setProperty(PARALLELISM, String.valueOf(carriers));
        }
    }
}
