package dev.orloj.controllers.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.orloj.api.ApiException;
import dev.orloj.api.Backoff;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.ObjectMeta;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.client.ListOptions;
import dev.orloj.api.codec.Json;
import dev.orloj.api.core.Event;
import dev.orloj.api.core.Namespace;
import dev.orloj.api.testing.FaultyClient;
import dev.orloj.api.testing.ManualClock;
import dev.orloj.api.testing.MemoryResourceClient;
import dev.orloj.api.v1.Tool;
import dev.orloj.controllers.control.Result;
import dev.orloj.controllers.workqueue.Workqueue;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;

class EventRecorderTest {

    private final ManualClock clock = new ManualClock();
    private final MemoryResourceClient store = new MemoryResourceClient(clock);
    private final FaultyClient client = new FaultyClient(store);
    private final EventRecorder recorder = new EventRecorder(client, clock, "test-controller");
    private final Tool tool = tool("log");

    private Tool tool(String name) {
        return store.create(
                Tool.KIND,
                Tool.of(
                        ObjectMeta.of("team-b", name),
                        Tool.Spec.of(
                                "git",
                                "git__log",
                                Json.MAPPER.createObjectNode().put("name", "log"))));
    }

    private List<Event> events() {
        return store.list(Event.KIND, ListOptions.everything()).items();
    }

    @Test
    void eventSaysWhatHappenedToWhom() {
        recorder.record(tool, Note.warning("Broken", "It broke"));

        Event event = events().getFirst();
        assertThat(event.metadata().namespace()).isEqualTo("team-b");
        assertThat(event.involvedObject().kind()).isEqualTo("Tool");
        assertThat(event.involvedObject().uid()).isEqualTo(tool.metadata().uid());
        assertThat(event.type()).isEqualTo("Warning");
        assertThat(event.reason()).isEqualTo("Broken");
        assertThat(event.message()).isEqualTo("It broke");
        assertThat(event.occurrences().count()).isEqualTo(1);
        assertThat(event.reporter().reportingComponent()).isEqualTo("test-controller");
    }

    @Test
    void repetitionIsCounted() {
        Instant first = clock.instant();
        recorder.record(tool, Note.warning("Broken", "It broke"));
        clock.advance(Duration.ofMinutes(1));

        recorder.record(tool, Note.warning("Broken", "It broke"));

        assertThat(events()).hasSize(1);
        assertThat(events().getFirst().occurrences().count()).isEqualTo(2);
        assertThat(events().getFirst().occurrences().firstTimestamp()).isEqualTo(first);
        assertThat(events().getFirst().occurrences().lastTimestamp()).isEqualTo(clock.instant());
    }

    @Test
    void otherWordsAndOtherObjectsAreOtherEvents() {
        recorder.record(tool, Note.warning("Broken", "It broke"));
        recorder.record(tool, Note.warning("Broken", "It broke again"));
        recorder.record(tool, Note.normal("Broken", "It broke"));
        recorder.record(tool("diff"), Note.warning("Broken", "It broke"));

        assertThat(events()).hasSize(4);
    }

    @Test
    void eventOfAClusterScopedObjectIsInTheDefaultNamespace() {
        recorder.record(
                store.create(Namespace.KIND, Namespace.of("team-c")),
                Note.normal("Made", "It was made"));

        assertThat(events().getFirst().metadata().namespace()).isEqualTo("default");
    }

    @Test
    void failureToRecordFailsNoCaller() {
        client.failBefore(
                request -> {
                    throw new ApiException(ErrorReason.SERVICE_UNAVAILABLE, "the store is away");
                });

        assertThatCode(() -> recorder.record(tool, Note.normal("Made", "It was made")))
                .doesNotThrowAnyException();
        assertThat(events()).isEmpty();
    }

    @Test
    void longMessagesAndNamesAreCut() {
        recorder.record(tool("n".repeat(253)), Note.normal("Made", "x".repeat(5_000)));

        assertThat(events().getFirst().message()).hasSize(1_024);
        assertThat(events().getFirst().metadata().name()).hasSize(253);
    }

    @Test
    void resourceWithTooManyEventsIsNotReportedForAWhile() {
        for (int i = 0; i < 100; i++) {
            recorder.record(tool, Note.normal("Changed", "Change " + i));
        }
        int burst = events().size();
        clock.advance(Duration.ofMinutes(5));
        recorder.record(tool, Note.normal("Changed", "Later"));

        assertThat(burst).isEqualTo(25);
        assertThat(events()).hasSize(26);
    }

    @Test
    void eventsAreDeletedSomeTimeAfterTheyLastHappened() {
        Workqueue<ResourceKey> queue =
                new Workqueue<>(
                        new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(1), 0),
                        clock,
                        new Random(1));
        EventExpiry expiry = new EventExpiry(store, clock, Duration.ofHours(1), queue);
        recorder.record(tool, Note.normal("Old", "It happened once"));
        recorder.record(tool, Note.normal("Again", "It happened twice"));
        clock.advance(Duration.ofMinutes(40));
        recorder.record(tool, Note.normal("Again", "It happened twice"));
        clock.advance(Duration.ofMinutes(40));

        Result result = expiry.reconcile(queue.poll().orElseThrow());

        assertThat(events()).extracting(Event::reason).containsExactly("Again");
        assertThat(result).isInstanceOf(Result.RequeueAfter.class);
    }
}
