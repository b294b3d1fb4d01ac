package dev.orloj.server.rest.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Duration;

class HumanDurationTest {

    @ParameterizedTest
    @CsvSource({
        "PT-5S, <invalid>",
        "PT-1S, 0s",
        "PT0S, 0s",
        "PT119S, 119s",
        "PT2M, 2m",
        "PT3M12S, 3m12s",
        "PT10M30S, 10m",
        "PT179M, 179m",
        "PT3H, 3h",
        "PT4H5M, 4h5m",
        "PT8H30M, 8h",
        "PT47H, 47h",
        "P2D, 2d",
        "P3DT4H, 3d4h",
        "P8DT4H, 8d",
        "P700D, 700d",
        "P730D, 2y",
        "P800D, 2y70d",
        "P4000D, 10y"
    })
    void agesAreWrittenAsKubectlDoes(Duration span, String expected) {
        assertThat(HumanDuration.of(span)).isEqualTo(expected);
    }
}
