package dev.orloj.runtime.limit;

/**
 * What the processes of all servers together are held to, those in containers apart.
 *
 * @param processes how many servers may have a process at one time; 0 for any number
 * @param memoryBytes no further process is started while they take more than this, with all that
 *     they have started themselves; 0 for any amount
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
