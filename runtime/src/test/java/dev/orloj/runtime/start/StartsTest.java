package dev.orloj.runtime.start;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.api.ResourceKey;
import dev.orloj.runtime.process.ProcessActivity;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicLong;

@Timeout(30)
@DisplayName("H-01")
class StartsTest {

    private static final ResourceKey ONE = new ResourceKey("default", "one");
    private static final ResourceKey TWO = new ResourceKey("default", "two");

    private final AtomicLong work = new AtomicLong();

    private static FutureTask<Starts.Start> begin(Starts starts) {
        FutureTask<Starts.Start> next =
                new FutureTask<>(() -> starts.begin(TWO, false, () -> Optional.of(2L)));
        Thread.startVirtualThread(next);
        return next;
    }

    @Test
    void serverThatAnswersMakesPlaceForTheNext() throws Exception {
        Starts starts = new Starts(1, pid -> OptionalLong.of(work.incrementAndGet()));
        Starts.Start first = starts.begin(ONE, false, () -> Optional.of(1L));
        FutureTask<Starts.Start> second = begin(starts);
        await().until(() -> work.get() > 20);
        assertThat(second).as("the first is busy").isNotDone();

        first.close();

        second.get().close();
    }

    @Test
    void serverThatDoesNothingHoldsNoPlace() throws Exception {
        Starts starts = new Starts(1, pid -> OptionalLong.of(7));
        starts.begin(ONE, false, () -> Optional.of(1L));

        begin(starts).get().close();
    }

    @Test
    void serverWithoutAProcessHereHoldsNoPlace() throws Exception {
        Starts starts = new Starts(1, pid -> OptionalLong.of(work.incrementAndGet()));
        starts.begin(ONE, false, Optional::empty);

        begin(starts).get().close();
    }

    @Test
    void serverThatIsBusyForEverHoldsItsPlaceForSecondsOnly() throws Exception {
        Starts starts = new Starts(1, pid -> OptionalLong.of(work.incrementAndGet()));
        starts.begin(ONE, false, () -> Optional.of(1L));

        begin(starts).get().close();
    }

    @Test
    void placeIsGivenBackOnce() throws Exception {
        Starts starts = new Starts(1, pid -> OptionalLong.of(7));
        Starts.Start first = starts.begin(ONE, false, () -> Optional.of(1L));
        Starts.Start second = begin(starts).get();
        first.close();
        first.close();
        FutureTask<Starts.Start> third = begin(starts);

        second.close();

        third.get().close();
    }

    @Test
    void workOfAProcessAndItsChildrenIsSeen() throws Exception {
        Process busy = new ProcessBuilder("sh", "-c", "sh -c 'while :; do :; done' & wait").start();
        try {
            OptionalLong before = ProcessActivity.ticks(busy.pid());
            assertThat(before).isPresent();
            await().until(
                            () ->
                                    ProcessActivity.ticks(busy.pid()).getAsLong()
                                            > before.getAsLong() + 5);
        } finally {
            busy.descendants().forEach(ProcessHandle::destroyForcibly);
            busy.destroyForcibly();
        }
        busy.waitFor();
        assertThat(ProcessActivity.ticks(busy.pid())).isEmpty();
    }
}
