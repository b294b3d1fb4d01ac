package dev.orloj.benchmarks.history;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.util.List;

@DisplayName("18: a regression of more than 5 % is seen, and an accident is not taken for one")
class PairedRatiosTest {

    @Test
    void lossInEveryRoundIsARegression() {
        PairedRatios ratios = new PairedRatios(List.of(1.07, 1.09, 1.06, 1.12, 1.08));

        assertThat(ratios.median()).isEqualTo(1.08);
        assertThat(ratios.atLeast()).isEqualTo(1.06);
        assertThat(ratios.isRegression()).isTrue();
    }

    @Test
    void lossThatOneRoundContradictsIsNone() {
        assertThat(new PairedRatios(List.of(1.07, 0.97, 1.5, 1.6, 1.08)).isRegression()).isFalse();
    }

    @Test
    void manyRoundsMayContradictOnce() {
        assertThat(new PairedRatios(List.of(1.07, 0.97, 1.5, 1.6, 1.08, 1.09, 1.1)).isRegression())
                .isTrue();
    }

    @Test
    void smallLossIsNoRegression() {
        assertThat(new PairedRatios(List.of(1.04, 1.03, 1.04, 1.05, 1.04)).isRegression())
                .isFalse();
    }

    @Test
    void tooFewRoundsShowNothing() {
        PairedRatios ratios = new PairedRatios(List.of(2.0, 2.0, 2.0));

        assertThat(ratios.atLeast()).isNaN();
        assertThat(ratios.isRegression()).isFalse();
        assertThat(new PairedRatios(List.of(0.5, 0.5, 0.5)).isImprovement()).isFalse();
    }

    @Test
    void gainInEveryRoundIsAnImprovementAndOneThatARoundContradictsIsNone() {
        assertThat(new PairedRatios(List.of(0.9, 0.8, 0.95, 0.99, 0.7)).isImprovement()).isTrue();
        assertThat(new PairedRatios(List.of(0.9, 0.8, 1.01, 0.99, 0.7)).isImprovement()).isFalse();
    }
}
