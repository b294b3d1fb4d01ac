package dev.orloj.runtime.transport.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orloj.runtime.reading.ReadBudget;
import dev.orloj.runtime.reading.Reading;
import dev.orloj.runtime.transport.stdio.LineReader;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

class StreamReadersTest {

    private static final int LIMIT = 1_000_000;

    private static final Reading READING = new ReadBudget(1 << 30, 1).open(() -> {});

    @Test
    void linesComeOutWholeHoweverTheyArrive() throws IOException {
        long seed = 42L;
        Random random = new Random(seed);
        for (int round = 0; round < 50; round++) {
            List<String> lines = new ArrayList<>();
            StringBuilder text = new StringBuilder();
            for (int i = random.nextInt(20); i >= 0; i--) {
                String line = "l".repeat(random.nextInt(random.nextBoolean() ? 20 : 150_000));
                lines.add(line);
                text.append(line).append(random.nextBoolean() ? "\n" : "\r\n");
            }
            text.append("unfinished");

            LineReader reader = new LineReader(inPieces(text.toString(), random), LIMIT, READING);

            List<String> read = new ArrayList<>();
            while (reader.next()) {
                read.add(
                        new String(
                                reader.buffer(),
                                reader.offset(),
                                reader.length(),
                                StandardCharsets.UTF_8));
            }
            assertThat(read).as("seed %d, round %d", seed, round).isEqualTo(lines);
        }
    }

    @Test
    void aLineBeyondTheLimitIsAnErrorAndOneAtItIsNot() throws IOException {
        LineReader reader = new LineReader(bytes("12345\n123456\n"), 5, READING);

        assertThat(reader.next()).isTrue();
        assertThatThrownBy(reader::next).isInstanceOf(LineReader.LineTooLongException.class);
        assertThatThrownBy(new LineReader(bytes("x".repeat(200_000)), 100_000, READING)::next)
                .isInstanceOf(LineReader.LineTooLongException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\n", "\r", "\r\n"})
    void eventsAreReadWithAnyLineEnd(String end) throws IOException {
        String text =
                String.join(
                        end,
                        ": comment",
                        "event: message",
                        "id: 7",
                        "data: one",
                        "data:two",
                        "data",
                        "",
                        "event: other",
                        "data: not for us",
                        "",
                        "retry: 250",
                        "id: 8",
                        "data:",
                        "",
                        "data: three",
                        "",
                        "data: four, without an end");
        EventReader.Cursor cursor = new EventReader.Cursor();

        assertThat(events(inPieces(text, new Random(1)), cursor))
                .containsExactly("one\ntwo\n", "three", "four, without an end");
        assertThat(cursor.lastEventId()).isEqualTo("8");
        assertThat(cursor.retryOr(Duration.ZERO)).isEqualTo(Duration.ofMillis(250));
    }

    @Test
    void anEventThatBreaksOffIsAskedForAgain() throws IOException {
        EventReader.Cursor cursor = new EventReader.Cursor();
        InputStream breaking =
                new SequenceInputStream(
                        bytes("id: 4\ndata: four\n\nid: 5\ndata: {\"half"), new BrokenStream());

        assertThatThrownBy(() -> events(breaking, cursor)).isInstanceOf(IOException.class);

        assertThat(cursor.lastEventId()).isEqualTo("4");
    }

    @Test
    void anEventThatOnlyHasAnIdMovesTheCursor() throws IOException {
        EventReader.Cursor cursor = new EventReader.Cursor();

        assertThat(events(bytes("id: 9\n\n"), cursor)).isEmpty();

        assertThat(cursor.lastEventId()).isEqualTo("9");
    }

    /** A connection that is lost. */
    private static final class BrokenStream extends InputStream {

        @Override
        public int read() throws IOException {
            throw new IOException("Connection reset");
        }
    }

    @Test
    void nonsenseInAnEventIsIgnored() throws IOException {
        EventReader.Cursor cursor = new EventReader.Cursor();

        assertThat(events(bytes("retry: soon\nretry: 99999999999\n::\nwhat\n\n\n\n"), cursor))
                .isEmpty();
        assertThat(cursor.retryOr(Duration.ZERO)).isEqualTo(Duration.ZERO);
    }

    @Test
    void anEventBeyondTheLimitIsAnError() {
        EventReader oneLine =
                new EventReader(
                        bytes("data: " + "x".repeat(100)), 50, new EventReader.Cursor(), READING);
        EventReader manyLines =
                new EventReader(
                        bytes("data: xxxxx\n".repeat(20)), 50, new EventReader.Cursor(), READING);

        assertThatThrownBy(oneLine::next).isInstanceOf(AnswerTooLongException.class);
        assertThatThrownBy(manyLines::next).isInstanceOf(AnswerTooLongException.class);
    }

    private static List<String> events(InputStream in, EventReader.Cursor cursor)
            throws IOException {
        EventReader reader = new EventReader(in, LIMIT, cursor, READING);
        List<String> events = new ArrayList<>();
        for (var event = reader.next(); event != null; event = reader.next()) {
            events.add(event.text());
        }
        return events;
    }

    private static InputStream bytes(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Hands out as much as it likes of what is asked for, as a pipe does. */
    private static InputStream inPieces(String text, Random random) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)) {
            @Override
            public synchronized int read(byte[] buffer, int offset, int length) {
                return super.read(buffer, offset, Math.min(length, 1 + random.nextInt(100_000)));
            }
        };
    }
}
