package dev.orloj.cli.server;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Computes the CPU usage of sessions, in percent of one processor: since the previous sample, and
 * for the first sample since the session was opened. For one thread.
 */
final class CpuShare {

    private record Sample(Instant at, double seconds) {}

    private final Map<String, Sample> last = new HashMap<>();

    /** Returns the usage; empty when the server does not report it. */
    Optional<Double> percent(JsonNode session, Instant now) {
        if (!session.has("cpuSeconds")) {
            return Optional.empty();
        }
        Sample sample = new Sample(now, session.path("cpuSeconds").asDouble());
        Sample before = last.put(session.path("id").asString(""), sample);
        if (before == null || before.seconds() > sample.seconds()) {
            before = new Sample(Instant.parse(session.path("startedAt").asString("")), 0);
        }
        double span = Duration.between(before.at(), now).toMillis() / 1000.0;
        return span <= 0
                ? Optional.empty()
                : Optional.of(100 * (sample.seconds() - before.seconds()) / span);
    }
}
