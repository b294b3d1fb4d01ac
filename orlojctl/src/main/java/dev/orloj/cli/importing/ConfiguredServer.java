package dev.orloj.cli.importing;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A server that a client would run.
 *
 * @param name as written
 * @param isSuspended whether it is configured but switched off
 * @param include the only tools that are offered; empty for all
 * @param exclude tools that are not offered
 * @param notes what of the entry has no counterpart, or needs attention
 */
public record ConfiguredServer(
        String name,
        Launch launch,
        boolean isSuspended,
        List<String> include,
        List<String> exclude,
        Optional<Duration> timeout,
        Optional<Duration> startupTimeout,
        List<String> notes) {

    /** Returns a server without further settings. */
    public static ConfiguredServer of(String name, Launch launch) {
        return new ConfiguredServer(
                name,
                launch,
                false,
                List.of(),
                List.of(),
                Optional.empty(),
                Optional.empty(),
                List.of());
    }

    public ConfiguredServer noting(String note) {
        List<String> all = new ArrayList<>(notes);
        all.add(note);
        return new ConfiguredServer(
                name,
                launch,
                isSuspended,
                include,
                exclude,
                timeout,
                startupTimeout,
                List.copyOf(all));
    }
}
