package dev.orloj.benchmarks.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.withinPercentage;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Arrays;
import java.util.Random;

class HistogramTest {

    @ParameterizedTest
    @ValueSource(doubles = {1, 50, 90, 99, 99.9, 100})
    void percentilesAreThoseOfTheSortedValues(double percent) {
        long seed = 20_261_121;
        Random random = new Random(seed);
        long[] values = random.longs(10_000, 0, 10_000_000_000L).toArray();
        Histogram histogram = new Histogram();
        Arrays.stream(values).forEach(histogram::record);

        Arrays.sort(values);
        long exact = values[(int) Math.ceil(values.length * percent / 100) - 1];

        assertThat(histogram.percentile(percent))
                .as("seed %s", seed)
                .isCloseTo(exact, withinPercentage(0.8));
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 127, 128, 255, 256, 257, 65_535, 65_536, Long.MAX_VALUE})
    void valuesAtTheEdgesOfBucketsAreKept(long value) {
        Histogram histogram = new Histogram();

        histogram.record(value);

        assertThat(histogram.percentile(50)).isEqualTo(value);
    }

    @Test
    void sumsAreThoseOfAllThreads() {
        Histogram fast = new Histogram();
        Histogram slow = new Histogram();
        for (int i = 0; i < 99; i++) {
            fast.record(10);
        }
        slow.record(200);

        fast.add(slow);

        assertThat(fast.count()).isEqualTo(100);
        assertThat(fast.percentile(99)).isEqualTo(10);
        assertThat(fast.percentile(100)).isEqualTo(200);
    }

    @Test
    void nothingRecordedIsZero() {
        assertThat(new Histogram().percentile(99)).isZero();
    }

    @Test
    void percentilesOutsideOfTheirRangeAreRefused() {
        assertThatThrownBy(() -> new Histogram().percentile(0))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
