package dev.orloj.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;

class TableTest {

    private static final Row FLOOR =
            new Row("floor", "8", List.of(Map.of("p50", 100.0), Map.of("p50", 50.0)));
    private static final Row OURS =
            new Row("ours", "8", List.of(Map.of("p50", 150.0), Map.of("p50", 100.0)));

    @Test
    void medianIsTakenOfEachQuantity() {
        assertThat(OURS.value("p50")).hasValue(125);
        assertThat(OURS.value("p99")).isEmpty();
    }

    @Test
    void ratioIsTakenRoundByRound() {
        assertThat(OURS.ratioTo(FLOOR, "p50")).hasValue(1.75);
    }

    @Test
    void columnsAreAlignedAndRatiosStandBeside() {
        Table table =
                new Table(
                        "call",
                        "Calls",
                        "callers",
                        List.of(new Column("p50", "p50 us", 1)),
                        List.of("p50"),
                        "floor",
                        List.of(OURS, FLOOR),
                        List.of(new Goal("p50 beside the floor", 1.75, Goal.Bound.AT_MOST, 1.5)),
                        List.of("a note"));

        assertThat(table.text())
                .isEqualTo(
                        """
                        call: Calls

                        callers  subject  p50 us  p50 x
                              8  ours      125.0   1.75
                              8  floor      75.0

                        missed  p50 beside the floor: 1.75 (goal: at most 1.5)

                        * a note
                        """);
    }
}
