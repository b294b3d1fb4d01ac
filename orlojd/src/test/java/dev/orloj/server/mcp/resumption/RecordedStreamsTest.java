package dev.orloj.server.mcp.resumption;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.runtime.testkit.ManualScheduler;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

@DisplayName("H-24")
class RecordedStreamsTest {

    private static final RecordingLimits LIMITS =
            new RecordingLimits(10, 100, 250, Duration.ofMinutes(5));

    private final ManualScheduler clock = new ManualScheduler();
    private final RecordedStreams streams = new RecordedStreams(clock, LIMITS);
    private final AtomicInteger abandoned = new AtomicInteger();

    private RecordedStream open(String session) {
        return streams.open(session, StreamKind.POST, this, abandoned::incrementAndGet);
    }

    private static byte[] text(int length) {
        return "x".repeat(length).getBytes(StandardCharsets.UTF_8);
    }

    /** The numbers of the events that come after one; empty when it cannot be resumed. */
    private List<Long> after(RecordedStream stream, long number) throws InterruptedException {
        EventId last = new EventId(StreamKind.POST, stream.beginning().stream(), number);
        List<Long> numbers = new ArrayList<>();
        var resumed = streams.resume(stream.session(), last, this);
        if (resumed.isPresent()) {
            resumed.get()
                    .after(number, this, Duration.ZERO)
                    .ifPresent(all -> all.forEach(event -> numbers.add(event.id().number())));
        }
        return numbers;
    }

    @Test
    void idOfAnEventIsReadAsItWasWritten() {
        EventId id = new EventId(StreamKind.GET, "1f3k9", 42);

        assertThat(EventId.parse(id.toString())).contains(id);
        for (String wrong :
                List.of("", "7", "g-1f3k9", "x-1-1", "g-1-99999999999999999", "p-A-1")) {
            assertThat(EventId.parse(wrong)).as(wrong).isEmpty();
        }
    }

    @Test
    void whatAClientCanDoWithoutIsDroppedFirst() throws InterruptedException {
        RecordedStream stream = open("a");
        stream.append(text(1), false);
        for (int event = 0; event < 12; event++) {
            stream.append(text(1), true);
        }

        assertThat(after(stream, 0)).containsExactly(1L, 5L, 6L, 7L, 8L, 9L, 10L, 11L, 12L, 13L);
    }

    @Test
    void streamOfWhichSomethingIsMissingIsNotResumedBeforeIt() throws InterruptedException {
        RecordedStream stream = open("a");
        for (int event = 0; event < 12; event++) {
            stream.append(text(1), false);
        }

        assertThat(after(stream, 1)).isEmpty();
        assertThat(after(stream, 2)).hasSize(10).startsWith(3L);
        assertThat(after(stream, 13)).as("never sent").isEmpty();
    }

    @Test
    void bytesOfASessionAreBounded() throws InterruptedException {
        RecordedStream stream = open("a");
        for (int event = 0; event < 5; event++) {
            stream.append(text(40), false);
        }

        assertThat(streams.bytes()).isEqualTo(80);
        assertThat(after(stream, 3)).containsExactly(4L, 5L);

        stream.append(text(101), false);
        assertThat(streams.bytes()).as("too large to be kept").isEqualTo(80);
        assertThat(after(stream, 5)).isEmpty();
        assertThat(after(stream, 6)).isEmpty();
    }

    @Test
    void bytesOfAllAreBoundedAndTheLargestSessionGivesWay() throws InterruptedException {
        RecordedStream small = open("small");
        small.append(text(10), false);
        for (String session : List.of("a", "b", "c")) {
            RecordedStream stream = open(session);
            stream.append(text(50), false);
            stream.append(text(50), false);
        }

        assertThat(streams.bytes()).isEqualTo(210);
        assertThat(after(small, 0)).containsExactly(1L);
    }

    @Test
    void streamsOfASessionAreBounded() {
        for (int stream = 0; stream < 30; stream++) {
            open("a");
        }

        assertThat(abandoned).hasValue(20);
    }

    @Test
    void streamThatRunsIsKeptLongerThanThoseThatEnded() throws InterruptedException {
        RecordedStream running = open("a");
        for (int stream = 0; stream < 30; stream++) {
            open("a").end();
        }

        assertThat(abandoned).hasValue(0);
        running.append(text(1), false);
        assertThat(after(running, 0)).containsExactly(1L);
    }

    @Test
    void connectionEndsWhenItWouldMissWhatItNeeds() throws InterruptedException {
        RecordedStream stream = open("a");
        for (int event = 0; event < 12; event++) {
            stream.append(text(1), false);
        }

        assertThat(stream.after(1, this, Duration.ZERO)).as("2 is dropped").isEmpty();
        assertThat(stream.after(2, this, Duration.ZERO).orElseThrow()).hasSize(10);
    }

    @Test
    void eventsAndStreamsAreKeptForATime() throws InterruptedException {
        RecordedStream held = open("a");
        RecordedStream lost = open("a");
        RecordedStream over = open("a");
        held.append(text(1), true);
        lost.append(text(1), true);
        over.append(text(1), false);
        lost.release(this);
        over.end();
        clock.advance(Duration.ofMinutes(4));
        assertThat(streams.bytes()).isEqualTo(3);

        clock.advance(Duration.ofMinutes(2));

        assertThat(streams.bytes()).isZero();
        assertThat(after(over, 0)).isEmpty();
        assertThat(abandoned).as("the one that was lost").hasValue(1);
        held.append(text(1), false);
        assertThat(after(held, 1)).containsExactly(2L);
    }

    @Test
    void nothingRingsWhereNothingIsKept() {
        open("a").end();
        clock.advance(Duration.ofMinutes(6));

        assertThat(clock.delays()).isEmpty();
    }

    @Test
    void sameMessageWaitsOnce() throws InterruptedException {
        RecordedStream stream = open("a");
        stream.appendOnce(text(3), false);
        stream.appendOnce(text(3), false);
        assertThat(after(stream, 0)).containsExactly(1L);

        stream.after(1, this, Duration.ZERO);
        stream.appendOnce(text(3), false);
        assertThat(after(stream, 1)).containsExactly(2L);
    }
}
