package dev.orloj.runtime.limit;

/**
 * The limits of the processes of all servers together, except those in containers.
 *
 * @param processes maximum number of servers with a process; 0 for no limit
 * @param memoryBytes no further process starts while the processes and their descendants use more
 *     than this; 0 for no limit
 */
public record ProcessLimits(int processes, long memoryBytes) {

    public static final ProcessLimits NONE = new ProcessLimits(0, 0);

    public ProcessLimits {
        if (processes < 0 || memoryBytes < 0) {
            throw new IllegalArgumentException(
                    "Ceilings must not be negative: %d processes, %d bytes"
                            .formatted(processes, memoryBytes));
        }
    }
}
