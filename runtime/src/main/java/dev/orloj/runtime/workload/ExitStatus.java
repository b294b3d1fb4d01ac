package dev.orloj.runtime.workload;

import java.util.Optional;

/**
 * How a program ended.
 *
 * @param code the code that a shell would report, 128 plus the signal for a killed program;
 *     negative when the end was not observed
 * @param outOfMemory whether the program had reached the memory limit of its container
 * @param cause what ended the program from outside, such as an eviction; empty if nothing did
 */
public record ExitStatus(int code, boolean outOfMemory, String cause) {

    /** The status of a program whose end was not observed. */
    public static final ExitStatus UNKNOWN = new ExitStatus(-1, false);

    public ExitStatus(int code, boolean outOfMemory) {
        this(code, outOfMemory, "");
    }

    private static final int SIGNAL_BASE = 128;

    public static ExitStatus of(int code) {
        return new ExitStatus(code, false);
    }

    /** Returns the number of the signal that killed the program, if one did. */
    public Optional<Integer> signal() {
        return code <= SIGNAL_BASE || code > SIGNAL_BASE + 64
                ? Optional.empty()
                : Optional.of(code - SIGNAL_BASE);
    }

    /**
     * Returns a description for messages: {@code "exit code 3"}, {@code "signal 9 (SIGKILL)"} or
     * {@code "signal 9 (SIGKILL), out of memory"}. The cause follows in parentheses.
     */
    @Override
    public String toString() {
        return cause.isEmpty() ? end() : "%s (%s)".formatted(end(), cause);
    }

    private String end() {
        if (code < 0) {
            return "unknown exit code";
        }
        String end =
                signal().map(signal -> "signal " + signal + name(signal))
                        .orElse("exit code " + code);
        return outOfMemory ? end + ", out of memory" : end;
    }

    private static String name(int signal) {
        return switch (signal) {
            case 1 -> " (SIGHUP)";
            case 2 -> " (SIGINT)";
            case 6 -> " (SIGABRT)";
            case 9 -> " (SIGKILL)";
            case 11 -> " (SIGSEGV)";
            case 13 -> " (SIGPIPE)";
            case 15 -> " (SIGTERM)";
            default -> "";
        };
    }
}
