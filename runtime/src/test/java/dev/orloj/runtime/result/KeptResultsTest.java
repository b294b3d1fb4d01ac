package dev.orloj.runtime.result;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.codec.Json;
import dev.orloj.runtime.testkit.ManualScheduler;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

class KeptResultsTest {

    private static final ResourceKey TOOL = new ResourceKey("default", "github--echo");
    private static final Duration HOUR = Duration.ofHours(1);

    private final ManualScheduler clock = new ManualScheduler();

    /** Mistake 10: a user reads only what its own calls have left. */
    @Test
    void resultIsForItsCaller() {
        KeptResults kept = new KeptResults(clock);
        String id = keep(kept, "abc");

        assertThat(kept.find(TOOL, id, "c")).isPresent();
        assertThat(kept.find(TOOL, id, "d")).isEmpty();
        assertThat(kept.findText(TOOL, id, "d", 0, 1)).isEmpty();
    }

    @Test
    void resultIsFoundByItsToolAndIdOnly() {
        KeptResults kept = new KeptResults(clock);
        String id = keep(kept, "a");

        assertThat(kept.find(TOOL, id, "")).isPresent();
        assertThat(kept.find(TOOL, "other", "")).isEmpty();
        assertThat(kept.find(new ResourceKey("other", TOOL.name()), id, "")).isEmpty();
    }

    @Test
    void resultGoesWhenItsTimeIsOver() {
        KeptResults kept = new KeptResults(clock, 10, 1_000, HOUR);
        String id = keep(kept, "a");

        clock.advance(HOUR.minusMillis(1));
        assertThat(kept.find(TOOL, id, "")).isPresent();
        clock.advance(Duration.ofMillis(1));

        assertThat(kept.find(TOOL, id, "")).isEmpty();
    }

    @Test
    void oldestGoFirstWhenThereAreTooMany() {
        KeptResults kept = new KeptResults(clock, 2, 1_000, HOUR);
        String first = keep(kept, "a");
        String second = keep(kept, "b");
        String third = keep(kept, "c");

        assertThat(kept.find(TOOL, first, "")).isEmpty();
        assertThat(kept.find(TOOL, second, "")).isPresent();
        assertThat(kept.find(TOOL, third, "")).isPresent();
    }

    @Test
    void oldestGoFirstWhenTheyAreTooLong() {
        KeptResults kept = new KeptResults(clock, 100, 100, HOUR);
        String first = keep(kept, "a".repeat(60));
        String second = keep(kept, "b".repeat(60));

        assertThat(kept.find(TOOL, first, "")).isEmpty();
        assertThat(kept.find(TOOL, second, "")).isPresent();
        assertThat(kept.keep(TOOL, "c", Json.MAPPER.getNodeFactory().stringNode("c".repeat(99))))
                .isEmpty();
        assertThat(kept.find(TOOL, second, "")).isPresent();
    }

    @Test
    void manyAtATimeLeaveNoMoreThanTheBound() throws Exception {
        KeptResults kept = new KeptResults(clock, 50, 1_000_000, HOUR);
        List<Future<String>> ids = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 2_000; i++) {
                String text = "result " + i;
                ids.add(threads.submit(() -> keep(kept, text)));
            }
        }

        int left = 0;
        for (Future<String> id : ids) {
            left += kept.find(TOOL, id.get(), "").isPresent() ? 1 : 0;
        }
        assertThat(left).isPositive().isLessThanOrEqualTo(50);
    }

    @Test
    void pageBeginsAndEndsAtACharacter() {
        KeptResults kept = new KeptResults(clock);
        String id =
                kept.keep(
                                TOOL,
                                "c",
                                Json.MAPPER.readTree(
                                        """
                                        {"content": [{"type": "text", "text": "a€b"},
                                                     {"type": "text", "text": "c"}]}
                                        """))
                        .orElseThrow();

        assertThat(kept.findText(TOOL, id, "", 0, 3))
                .contains(new TextPage(0, 7, OptionalLong.of(1), "a"));
        assertThat(kept.findText(TOOL, id, "", 2, 2))
                .contains(new TextPage(4, 7, OptionalLong.of(6), "b\n"));
        assertThat(kept.findText(TOOL, id, "", 1, 1))
                .contains(new TextPage(1, 7, OptionalLong.of(4), "€"));
        assertThat(kept.findText(TOOL, id, "", 99, 10))
                .contains(new TextPage(7, 7, OptionalLong.empty(), ""));
    }

    private static String keep(KeptResults kept, String text) {
        return kept.keep(TOOL, "c", Json.MAPPER.getNodeFactory().stringNode(text)).orElseThrow();
    }
}
