package dev.orloj.runtime.transport;

import org.jspecify.annotations.Nullable;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * Reads server-sent events (WHATWG HTML, 9.2.6) from a stream: LF, CR and CR LF end lines, comments
 * are ignored, several data lines make one text. For one thread.
 */
final class EventReader {

    private static final int MAX_RETRY_DIGITS = 9;

    /**
     * Where a stream was left, and when to come back; carried from one stream to the one that
     * resumes it.
     */
    static final class Cursor {

        private @Nullable String lastEventId;
        private @Nullable Duration retry;

        /** To be sent as {@code Last-Event-ID}; null when the server numbers no events. */
        @Nullable String lastEventId() {
            return lastEventId;
        }

        Duration retryOr(Duration otherwise) {
            return retry == null ? otherwise : retry;
        }
    }

    /**
     * @param name {@code message} when the server gives none
     */
    record Event(String name, byte[] data) {

        static final String MESSAGE = "message";
    }

    /** A view of one line: {@code name: value}. A line without a colon is all name. */
    private record Field(String name, byte[] line, int valueStart) {

        static Field of(byte[] line) {
            int colon = 0;
            while (colon < line.length && line[colon] != ':') {
                colon++;
            }
            int start = Math.min(colon + 1, line.length);
            boolean space = start < line.length && line[start] == ' ';
            return new Field(
                    new String(line, 0, colon, StandardCharsets.UTF_8),
                    line,
                    space ? start + 1 : start);
        }

        String value() {
            return new String(line, valueStart, line.length - valueStart, StandardCharsets.UTF_8);
        }

        void appendTo(ByteArrayOutputStream data) {
            data.write(line, valueStart, line.length - valueStart);
        }
    }

    private final InputStream in;
    private final int maxEventBytes;
    private final Cursor cursor;
    private final byte[] buffer = new byte[8 * 1024];
    private int position = 0;
    private int filled = 0;
    private boolean skipLineFeed = false;

    /**
     * @param maxEventBytes more in one event is an error of the server
     * @param cursor moves with the events read
     */
    EventReader(InputStream in, int maxEventBytes, Cursor cursor) {
        this.in = in;
        this.maxEventBytes = maxEventBytes;
        this.cursor = cursor;
    }

    /** The data of the next message that has some; null at the end of the stream. */
    byte @Nullable [] next() throws IOException {
        Event event = nextEvent();
        while (event != null && !event.name().equals(Event.MESSAGE)) {
            event = nextEvent();
        }
        return event == null ? null : event.data();
    }

    /**
     * The next event that has data; null at the end of the stream. Data that the stream ends with
     * counts, for some servers forget the blank line after it. An event that breaks off has not
     * been read, and a stream that is resumed begins with it.
     */
    @Nullable Event nextEvent() throws IOException {
        ByteArrayOutputStream data = new ByteArrayOutputStream();
        String name = Event.MESSAGE;
        String id = cursor.lastEventId;
        boolean empty = true;
        for (byte[] line = readLine(); line != null; line = readLine()) {
            if (line.length == 0) {
                cursor.lastEventId = id;
                if (data.size() > 0) {
                    return new Event(name, data.toByteArray());
                }
                data.reset();
                name = Event.MESSAGE;
                empty = true;
                continue;
            }
            Field field = Field.of(line);
            switch (field.name()) {
                case "data" -> {
                    if (!empty) {
                        data.write('\n');
                    }
                    empty = false;
                    field.appendTo(data);
                    requireShort(data);
                }
                case "event" -> name = field.value();
                case "id" -> id = field.value();
                case "retry" -> retry(field.value());
                default -> {}
            }
        }
        if (data.size() == 0) {
            return null;
        }
        cursor.lastEventId = id;
        return new Event(name, data.toByteArray());
    }

    private void retry(String value) {
        if (!value.isEmpty()
                && value.length() <= MAX_RETRY_DIGITS
                && value.chars().allMatch(c -> c >= '0' && c <= '9')) {
            cursor.retry = Duration.ofMillis(Long.parseLong(value));
        }
    }

    /** The next line without its end; null when the stream ends and nothing is left. */
    private byte @Nullable [] readLine() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        while (true) {
            if (position == filled) {
                position = 0;
                filled = Math.max(0, in.read(buffer));
                if (filled == 0) {
                    return line.size() == 0 ? null : line.toByteArray();
                }
            }
            if (skipLineFeed) {
                skipLineFeed = false;
                if (buffer[position] == '\n') {
                    position++;
                    continue;
                }
            }
            int start = position;
            while (position < filled && buffer[position] != '\n' && buffer[position] != '\r') {
                position++;
            }
            line.write(buffer, start, position - start);
            requireShort(line);
            if (position < filled) {
                skipLineFeed = buffer[position] == '\r';
                position++;
                return line.toByteArray();
            }
        }
    }

    private void requireShort(ByteArrayOutputStream bytes) throws IOException {
        if (bytes.size() > maxEventBytes) {
            throw new AnswerTooLongException(maxEventBytes);
        }
    }
}
