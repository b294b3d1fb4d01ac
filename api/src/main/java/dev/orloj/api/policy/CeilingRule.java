package dev.orloj.api.policy;

import com.fasterxml.jackson.annotation.JsonInclude;

import dev.orloj.api.ByteSize;
import dev.orloj.api.CpuAmount;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import tools.jackson.databind.annotation.JsonNaming;

import java.util.Optional;

/**
 * The most that servers and Sandboxes may have. A field that is null limits nothing.
 *
 * @param memory of a container
 * @param cpus of a container
 * @param pidsLimit processes and threads of a container
 * @param tmpSize of the {@code /tmp} of a container
 * @param maxSessions of a server, on each replica
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonNaming(SnakeCaseStrategy.class)
public record CeilingRule(
        @Nullable ByteSize memory,
        @Nullable CpuAmount cpus,
        @Nullable Integer pidsLimit,
        @Nullable ByteSize tmpSize,
        @Nullable Integer maxSessions) {

    /** Returns the ceiling for memory as written, if it is below so many bytes. */
    public Optional<String> memoryBelow(long bytes) {
        return below(memory, bytes);
    }

    /** Returns the ceiling for {@code /tmp} as written, if it is below so many bytes. */
    public Optional<String> tmpSizeBelow(long bytes) {
        return below(tmpSize, bytes);
    }

    /** Returns the ceiling for processors as written, if it is below so many billionths. */
    public Optional<String> cpusBelow(long nanos) {
        return cpus != null && nanos > cpus.nanos() ? Optional.of(cpus.text()) : Optional.empty();
    }

    /** Returns the ceiling for processes and threads, if it is below so many. */
    public Optional<String> pidsBelow(long pids) {
        return below(pidsLimit, pids);
    }

    /** Returns the ceiling for sessions, if it is below so many. */
    public Optional<String> sessionsBelow(int sessions) {
        return below(maxSessions, sessions);
    }

    boolean isEmpty() {
        return memory == null
                && cpus == null
                && pidsLimit == null
                && tmpSize == null
                && maxSessions == null;
    }

    private static Optional<String> below(@Nullable ByteSize ceiling, long bytes) {
        return ceiling != null && bytes > ceiling.bytes()
                ? Optional.of(ceiling.text())
                : Optional.empty();
    }

    private static Optional<String> below(@Nullable Integer ceiling, long value) {
        return ceiling != null && value > ceiling
                ? Optional.of(ceiling.toString())
                : Optional.empty();
    }
}
