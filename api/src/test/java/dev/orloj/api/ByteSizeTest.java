package dev.orloj.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ByteSizeTest {

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "67108864, 67108864",
        "512b, 512",
        "1k, 1024",
        "512m, 536870912",
        "512M, 536870912",
        "1g, 1073741824",
        "1G, 1073741824",
        "1gb, 1073741824",
        "64Mi, 67108864",
        "1.5Gi, 1610612736",
        "2Ti, 2199023255552",
        "9223372036854775807, 9223372036854775807",
    })
    void readsWhatDockerAndKubernetesWrite(String text, long bytes) {
        assertThat(new ByteSize(text).bytes()).isEqualTo(bytes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "m", "-1m", "1x", "1 m", "1e3", "1mi2", "0x10", ".5g", "1."})
    void refusesWhatIsNoSize(String text) {
        assertThatThrownBy(() -> new ByteSize(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("must be a size such as 512m, 1g or 64Mi");
    }

    @ParameterizedTest
    @ValueSource(strings = {"9223372036854775808", "8388608Ti", "99999999999999t", "0.3b", "0.1k"})
    void refusesWhatIsNoWholeNumberOfBytesThatFits(String text) {
        assertThatThrownBy(() -> new ByteSize(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("must be a whole number of bytes, and less than 8192 Pi");
    }
}
