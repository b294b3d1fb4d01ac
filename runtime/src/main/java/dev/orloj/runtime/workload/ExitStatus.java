package dev.orloj.runtime.workload;

/**
 * How a program ended; {@code code} is what a shell would report, 128 plus the signal for a killed
 * one.
 */
public record ExitStatus(int code) {

    private static final int SIGNAL_BASE = 128;

    /** For messages: {@code "exit code 3"} or {@code "signal 9 (SIGKILL)"}. */
    @Override
    public String toString() {
        if (code <= SIGNAL_BASE || code > SIGNAL_BASE + 64) {
            return "exit code " + code;
        }
        int signal = code - SIGNAL_BASE;
        return "signal " + signal + name(signal);
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
