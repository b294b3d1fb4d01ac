package dev.orloj.runtime.workload;

import java.util.Optional;

/**
 * How a program ended; {@code code} is what a shell would report, 128 plus the signal for a killed
 * one.
 */
public record ExitStatus(int code) {

    private static final int SIGNAL_BASE = 128;

    /** The number of the signal that killed it, if one did. */
    public Optional<Integer> signal() {
        return code <= SIGNAL_BASE || code > SIGNAL_BASE + 64
                ? Optional.empty()
                : Optional.of(code - SIGNAL_BASE);
    }

    /** For messages: {@code "exit code 3"} or {@code "signal 9 (SIGKILL)"}. */
    @Override
    public String toString() {
        return signal().map(signal -> "signal " + signal + name(signal))
                .orElse("exit code " + code);
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
