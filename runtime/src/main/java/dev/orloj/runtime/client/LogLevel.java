package dev.orloj.runtime.client;

import tools.jackson.databind.JsonNode;

import java.util.Locale;
import java.util.Optional;

/** The severity of a log message of a server, lowest first (2025-11-25, Logging, "Log Levels"). */
public enum LogLevel {
    DEBUG,
    INFO,
    NOTICE,
    WARNING,
    ERROR,
    CRITICAL,
    ALERT,
    EMERGENCY;

    /** Returns the level as written in messages. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Parses a level in lower case; empty when it is unknown. */
    public static Optional<LogLevel> of(String text) {
        for (LogLevel level : values()) {
            if (level.text().equals(text)) {
                return Optional.of(level);
            }
        }
        return Optional.empty();
    }

    /**
     * Returns whether this minimum level admits a message. A message without a level is admitted.
     *
     * @param params of {@code notifications/message}
     */
    public boolean admits(JsonNode params) {
        return of(params.path("level").asString(""))
                .map(level -> level.compareTo(this) >= 0)
                .orElse(true);
    }
}
