package dev.orloj.runtime.transport.http;

import dev.orloj.runtime.reading.GrowingBuffer;
import dev.orloj.runtime.reading.Reading;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * Reads server-sent events (WHATWG HTML, 9.2.6) from a stream: LF, CR and CR LF end lines, comments
 * are ignored, and several data lines form one text. For one thread.
 */
final class EventReader {

    private static final int MAX_RETRY_DIGITS = 9;
    private static final int MAX_VALUE = 4 * 1024;
    private static final byte[] LINE_FEED = {'\n'};

    /** The position in a stream and its retry delay; carried over to the stream that resumes it. */
    static final class Cursor {

        private @Nullable String lastEventId;
        private @Nullable Duration retry;

        /**
         * Returns the value of {@code Last-Event-ID}; null when the server assigns no event ids.
         */
        @Nullable String lastEventId() {
            return lastEventId;
        }

        Duration retryOr(Duration otherwise) {
            return retry == null ? otherwise : retry;
        }
    }

    /**
     * One event. Its data is a view of the buffer, valid until the next event is read.
     *
     * @param name {@code message} when the server sets none
     */
    record Event(String name, byte[] buffer, int offset, int length) {

        static final String MESSAGE = "message";

        String text() {
            return new String(buffer, offset, length, StandardCharsets.UTF_8);
        }
    }

    /**
     * A view of one line: {@code name: value}. A line without a colon consists of the name only.
     */
    private record Field(String name, byte[] line, int valueStart, int end) {

        private static final int LONGEST_NAME = 16;

        static Field of(GrowingBuffer buffer) {
            byte[] line = buffer.bytes();
            int end = buffer.size();
            int colon = 0;
            while (colon < end && line[colon] != ':') {
                colon++;
            }
            int start = Math.min(colon + 1, end);
            boolean space = start < end && line[start] == ' ';
            return new Field(
                    new String(line, 0, Math.min(colon, LONGEST_NAME), StandardCharsets.UTF_8),
                    line,
                    space ? start + 1 : start,
                    end);
        }

        int length() {
            return end - valueStart;
        }

        /** Returns the value, truncated: no long value is meaningful in a field other than data. */
        String value() {
            return new String(
                    line, valueStart, Math.min(length(), MAX_VALUE), StandardCharsets.UTF_8);
        }
    }

    private final InputStream in;
    private final int maxEventBytes;
    private final Cursor cursor;
    private final byte[] buffer = new byte[8 * 1024];
    private int position = 0;
    private int filled = 0;
    private boolean skipLineFeed = false;
    private GrowingBuffer line;
    private GrowingBuffer data;
    private int dataStart = 0;

    /**
     * @param maxEventBytes maximum size of an event; a larger one is an error of the server
     * @param cursor advances with the events
     * @param reading accounts for the memory
     */
    EventReader(InputStream in, int maxEventBytes, Cursor cursor, Reading reading) {
        this.in = in;
        this.maxEventBytes = maxEventBytes;
        this.cursor = cursor;
        this.line = new GrowingBuffer(reading, maxEventBytes);
        this.data = new GrowingBuffer(reading, maxEventBytes);
    }

    /** Returns the next message that has data; null at the end of the stream. */
    @Nullable Event next() throws IOException {
        Event event = nextEvent();
        while (event != null && !event.name().equals(Event.MESSAGE)) {
            event = nextEvent();
        }
        return event;
    }

    /**
     * Returns the next event that has data; null at the end of the stream. Data at the end of the
     * stream counts as an event, because some servers omit the blank line after it. A truncated
     * event does not count as read, so a resumed stream starts with it.
     */
    @Nullable Event nextEvent() throws IOException {
        startData();
        String name = Event.MESSAGE;
        String id = cursor.lastEventId;
        boolean empty = true;
        while (readLine()) {
            if (line.size() == 0) {
                cursor.lastEventId = id;
                if (dataLength() > 0) {
                    return event(name);
                }
                startData();
                name = Event.MESSAGE;
                empty = true;
                continue;
            }
            Field field = Field.of(line);
            switch (field.name()) {
                case "data" -> {
                    take(field, empty);
                    empty = false;
                }
                case "event" -> name = field.value();
                case "id" -> id = field.value();
                case "retry" -> retry(field.value());
                default -> {}
            }
        }
        if (dataLength() == 0) {
            return null;
        }
        cursor.lastEventId = id;
        return event(name);
    }

    private Event event(String name) {
        return new Event(name, data.bytes(), dataStart, dataLength());
    }

    private int dataLength() {
        return data.size() - dataStart;
    }

    private void startData() {
        data.clear();
        dataStart = 0;
    }

    /**
     * Keeps the first line of data in place and swaps the buffers: few events have a second line.
     */
    private void take(Field field, boolean first) throws IOException {
        if (first) {
            GrowingBuffer other = data;
            data = line;
            line = other;
            dataStart = field.valueStart();
        } else {
            requireShort(
                    data.write(LINE_FEED, 0, 1)
                            && data.write(field.line(), field.valueStart(), field.length()));
        }
    }

    private void retry(String value) {
        if (!value.isEmpty()
                && value.length() <= MAX_RETRY_DIGITS
                && value.chars().allMatch(c -> c >= '0' && c <= '9')) {
            cursor.retry = Duration.ofMillis(Long.parseLong(value));
        }
    }

    /**
     * Reads the next line without its end; returns false when the stream has ended and no data is
     * left.
     */
    private boolean readLine() throws IOException {
        line.clear();
        while (true) {
            if (position == filled) {
                position = 0;
                filled = Math.max(0, in.read(buffer));
                if (filled == 0) {
                    return line.size() > 0;
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
            requireShort(line.write(buffer, start, position - start));
            if (position < filled) {
                skipLineFeed = buffer[position] == '\r';
                position++;
                return true;
            }
        }
    }

    private void requireShort(boolean isShort) throws IOException {
        if (!isShort) {
            throw new AnswerTooLongException(maxEventBytes);
        }
    }
}
