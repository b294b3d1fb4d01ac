package dev.orloj.api.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.ByteSize;
import dev.orloj.api.CpuAmount;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CeilingRuleTest {

    @ParameterizedTest
    @CsvSource({
        "1g, 1024Mi, true",
        "1g, 1073741825, false",
        "512m, 0.5g, true",
        "9m, 10m, false",
        "900m, 1g, false"
    })
    void memoryIsComparedAsAQuantity(String ceiling, String wanted, boolean allowed) {
        CeilingRule rule = new CeilingRule(new ByteSize(ceiling), null, null, null, null);

        assertThat(rule.memoryBelow(new ByteSize(wanted).bytes()).isEmpty()).isEqualTo(allowed);
    }

    @ParameterizedTest
    @CsvSource({
        "0.5, 500m, true",
        "500m, 0.5, true",
        "500m, 0.501, false",
        "2, 10, false",
        "900m, 1, false"
    })
    void processorsAreComparedAsAQuantity(String ceiling, String wanted, boolean allowed) {
        CeilingRule rule = new CeilingRule(null, new CpuAmount(ceiling), null, null, null);

        assertThat(rule.cpusBelow(new CpuAmount(wanted).nanos()).isEmpty()).isEqualTo(allowed);
    }

    @Test
    void absentCeilingLimitsNothing() {
        CeilingRule rule = new CeilingRule(null, null, null, null, 3);

        assertThat(rule.memoryBelow(Long.MAX_VALUE)).isEmpty();
        assertThat(rule.tmpSizeBelow(Long.MAX_VALUE)).isEmpty();
        assertThat(rule.cpusBelow(Long.MAX_VALUE)).isEmpty();
        assertThat(rule.pidsBelow(Long.MAX_VALUE)).isEmpty();
        assertThat(rule.sessionsBelow(3)).isEmpty();
        assertThat(rule.sessionsBelow(4)).hasValue("3");
    }
}
