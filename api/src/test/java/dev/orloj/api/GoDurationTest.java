package dev.orloj.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.orloj.api.codec.Json;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;

class GoDurationTest {

    @ParameterizedTest
    @CsvSource({
        "'', PT0S",
        "0, PT0S",
        "0s, PT0S",
        "300ms, PT0.3S",
        "1.5h, PT1H30M",
        ".5s, PT0.5S",
        "2h45m, PT2H45M",
        "1us, PT0.000001S",
        "1\u00b5s, PT0.000001S",
        "7ns, PT0.000000007S",
        "5m0s, PT5M",
        "2562047h47m16.854775807s, PT2562047H47M16.854775807S",
    })
    void reads(String text, Duration expected) {
        assertThat(new GoDuration(text).toDuration()).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "5",
                "-5m",
                "5 m",
                "5x",
                "m",
                "1d",
                "1e3s",
                "s5",
                "2562048h",
                " 1s",
                "\u0661s"
            })
    void refuses(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> new GoDuration(text));
    }

    @Test
    void refusesLongTextsBeforeMatchingThem() {
        assertThatIllegalArgumentException().isThrownBy(() -> new GoDuration("1s".repeat(100_000)));
    }

    @Test
    void keepsTheTextItWasReadFrom() {
        assertThat(Json.MAPPER.writeValueAsString(new GoDuration("60s"))).isEqualTo("\"60s\"");
        assertThat(Json.MAPPER.readValue("\"60s\"", GoDuration.class).text()).isEqualTo("60s");
    }

    @ParameterizedTest
    @CsvSource({
        "PT0S, 0s",
        "PT0.3S, 300ms",
        "PT0.000001S, 1000ns",
        "PT1S, 1s",
        "PT1.5S, 1.5s",
        "PT30S, 30s",
        "PT5M, 5m",
        "PT1H30M, 1h30m",
        "PT100H2.5S, 100h2.5s"
    })
    void durationsAreWrittenAsManifestsHaveThem(Duration duration, String text) {
        GoDuration written = GoDuration.of(duration);

        assertThat(written.text()).isEqualTo(text);
        assertThat(written.toDuration()).isEqualTo(duration);
    }
}
