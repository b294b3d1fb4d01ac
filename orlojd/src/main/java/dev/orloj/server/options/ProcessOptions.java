package dev.orloj.server.options;

import dev.orloj.api.ByteSize;
import dev.orloj.api.GoDuration;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

import java.time.Duration;
import java.util.Map;

/** The options of orlojd for the processes of all servers together. */
final class ProcessOptions {

    @Spec(Spec.Target.MIXEE)
    private @Nullable CommandSpec mixee;

    @Option(
            names = "--max-processes",
            paramLabel = "N",
            description =
                    "How many processes of servers may run at a time; idle ones make room."
                            + " Default: any number.")
    private @Nullable Integer maxProcesses;

    @Option(
            names = "--max-process-memory",
            paramLabel = "SIZE",
            description =
                    "Start no process of a server while all take more than this, such as 2g; idle"
                            + " ones make room. Default: any amount.")
    private @Nullable String maxProcessMemory;

    @Option(
            names = "--shutdown-call-grace",
            paramLabel = "DURATION",
            description = "How long calls may go on when orlojd stops; 0 for none. Default: 4s.")
    private @Nullable String shutdownCallGrace;

    /** Adds the given options. */
    void addTo(Map<String, Object> properties) {
        if (maxProcesses != null) {
            if (maxProcesses < 0) {
                throw error("--max-processes %d: give 0 or more".formatted(maxProcesses));
            }
            properties.put("orloj.processes.max", maxProcesses.toString());
        }
        if (maxProcessMemory != null) {
            try {
                properties.put("orloj.processes.max-memory", new ByteSize(maxProcessMemory).text());
            } catch (IllegalArgumentException e) {
                throw error(
                        "--max-process-memory \"%s\": %s"
                                .formatted(maxProcessMemory, e.getMessage()));
            }
        }
        if (shutdownCallGrace != null) {
            properties.put("orloj.shutdown.call-grace", callGrace(shutdownCallGrace).toString());
        }
    }

    private Duration callGrace(String text) {
        try {
            return new GoDuration(text).toDuration();
        } catch (IllegalArgumentException e) {
            throw error("--shutdown-call-grace \"%s\": %s".formatted(text, e.getMessage()));
        }
    }

    private ParameterException error(String message) {
        if (mixee == null) {
            throw new IllegalStateException("not parsed by picocli");
        }
        return new ParameterException(mixee.commandLine(), message);
    }
}
