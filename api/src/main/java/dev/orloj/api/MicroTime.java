package dev.orloj.api;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

import tools.jackson.databind.node.ObjectNode;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;

/**
 * A time with microseconds. It is always written with six digits, because typed clients fail
 * otherwise.
 */
public record MicroTime(Instant instant) {

    private static final DateTimeFormatter FORMAT =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSSX").withZone(ZoneOffset.UTC);

    public MicroTime {
        instant = instant.truncatedTo(ChronoUnit.MICROS);
    }

    /** Parses an RFC 3339 time with any number of digits. */
    @JsonCreator
    public static MicroTime parse(String text) {
        return new MicroTime(OffsetDateTime.parse(text).toInstant());
    }

    /** Rewrites the time in a field with six digits. Does not change a field that is not a time. */
    public static void normalize(ObjectNode object, String field) {
        if (object.path(field).isString()) {
            try {
                object.put(field, parse(object.path(field).asString()).toString());
            } catch (DateTimeException e) {
                // The schema rejects what is not a time.
            }
        }
    }

    @Override
    @JsonValue
    public String toString() {
        return FORMAT.format(instant);
    }
}
