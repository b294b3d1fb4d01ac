package dev.orloj.runtime.client;

import tools.jackson.databind.JsonNode;

import java.util.Locale;
import java.util.Optional;

/** How grave a log message of a server is, least first (2025-11-25, Logging, "Log Levels"). */
public enum LogLevel {
    DEBUG,
    INFO,
    NOTICE,
    WARNING,
    ERROR,
    CRITICAL,
    ALERT,
    EMERGENCY;

    /** As it stands in messages. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Empty for what is none of them; they are written in lower case. */
    public static Optional<LogLevel> of(String text) {
        for (LogLevel level : values()) {
            if (level.text().equals(text)) {
                return Optional.of(level);
            }
        }
        return Optional.empty();
    }

    /**
     * Whether somebody who wants this level wants a message. One without a level of its own may be
     * anything.
     *
     * @param params of {@code notifications/message}
     */
    public boolean admits(JsonNode params) {
        return of(params.path("level").asString(""))
                .map(level -> level.compareTo(this) >= 0)
                .orElse(true);
    }
}
