package dev.orloj.runtime.container;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProcessStatusTest {

    private static final String NONE =
            """
            Name:\tpodman-init
            CapInh:\t0000000000000000
            CapPrm:\t0000000000000000
            CapEff:\t0000000000000000
            CapBnd:\t0000000000000000
            CapAmb:\t0000000000000000
            NoNewPrivs:\t1
            """;

    @Test
    void processWithEmptySetsHasNoCapabilities() {
        assertThat(ProcessStatus.parse(NONE).hasNoCapabilities()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"})
    void oneCapabilityInOneSetIsEnoughAndSoIsAnUnknownSet(String set) {
        String some = NONE.replace(set + ":\t0000000000000000", set + ":\t0000000000000400");

        assertThat(ProcessStatus.parse(some).hasNoCapabilities()).isFalse();
        assertThat(ProcessStatus.parse(NONE.replace(set, "Other")).hasNoCapabilities()).isFalse();
    }

    @Test
    void kernelReportsProcessesThatAreThere() {
        long own = ProcessHandle.current().pid();

        assertThat(ProcessStatus.of(own).orElseThrow().fields())
                .containsEntry("Pid", Long.toString(own));
        assertThat(ProcessStatus.of(Long.MAX_VALUE)).isEmpty();
    }
}
