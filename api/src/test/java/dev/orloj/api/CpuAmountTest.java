package dev.orloj.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CpuAmountTest {

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "0.50, 500000000",
        ".5, 500000000",
        "1, 1000000000",
        "1.0, 1000000000",
        "500m, 500000000",
        "0.5m, 500000",
        "0.000000001, 1",
    })
    void readsWhatDockerAndKubernetesWrite(String text, long nanos) {
        assertThat(new CpuAmount(text).nanos()).isEqualTo(nanos);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "m", "-1", "1g", "1 m", "1e3", "half", "0.0000000001", "9999999999"})
    void refusesWhatIsNoAmount(String text) {
        assertThatThrownBy(() -> new CpuAmount(text)).isInstanceOf(IllegalArgumentException.class);
    }
}
