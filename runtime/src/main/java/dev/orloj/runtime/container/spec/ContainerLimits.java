package dev.orloj.runtime.container.spec;

/**
 * The limits of the host's resources that a container may use.
 *
 * @param memoryBytes memory; the total, because there is no swap
 * @param nanoCpus billionths of a processor: 500,000,000 is half of one
 * @param pids maximum number of concurrent processes and threads
 * @param tmpBytes size of {@code /tmp}; its content counts as memory too
 */
public record ContainerLimits(long memoryBytes, long nanoCpus, long pids, long tmpBytes) {

    private static final long MIB = 1024 * 1024;

    /** 128 MiB, half a processor, 64 processes and threads, 64 MiB in {@code /tmp}. */
    public static final ContainerLimits DEFAULT =
            new ContainerLimits(128 * MIB, 500_000_000, 64, 64 * MIB);

    public ContainerLimits {
        requirePositive("memory", memoryBytes);
        requirePositive("cpus", nanoCpus);
        requirePositive("pids", pids);
        requirePositive("size of /tmp", tmpBytes);
    }

    private static void requirePositive(String what, long value) {
        if (value <= 0) {
            throw new IllegalArgumentException(
                    "Limit of a container must be positive: %s is %d".formatted(what, value));
        }
    }
}
