package dev.orloj.benchmarks.watch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;

class ArrivalsTest {

    @Test
    void everyChangeCountsOnceForEachWatcher() {
        Arrivals arrivals = new Arrivals(100, 2);
        Arrivals.Watcher watcher = arrivals.watcher();
        arrivals.made(100);
        arrivals.made(101);

        watcher.saw(101);

        assertThat(watcher.missing()).isEqualTo(1);
        assertThat(watcher.latencies().count()).isEqualTo(1);
        assertThat(arrivals.watcher().missing()).isEqualTo(2);
    }

    @Test
    void repeatedAndUnknownChangesAreStrays() {
        Arrivals arrivals = new Arrivals(100, 2);
        Arrivals.Watcher watcher = arrivals.watcher();
        arrivals.made(100);

        watcher.saw(100);
        watcher.saw(100);
        watcher.saw(101);
        watcher.saw(99);

        assertThat(arrivals.strays()).isEqualTo(3);
        assertThat(watcher.missing()).isEqualTo(1);
    }

    @Test
    void stampIsFoundInAnEvent() {
        String event = "{\"object\":{\"metadata\":{\"annotations\":{\"bench/stamp\":\"4711\"}}}}";

        assertThat(Stamp.find(event.getBytes(StandardCharsets.UTF_8))).isEqualTo(4711);
        assertThat(Stamp.find("{\"type\":\"BOOKMARK\"}".getBytes(StandardCharsets.UTF_8)))
                .isNegative();
    }
}
