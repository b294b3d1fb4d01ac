package dev.orloj.api.policy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;

class NetworkRuleTest {

    @ParameterizedTest
    @CsvSource({
        "*.acme.com, api.acme.com, true",
        "*.acme.com, api.acme.com:8443, true",
        "*.acme.com, *.acme.com, true",
        "*.acme.com, *.sub.acme.com, true",
        "*.acme.com, *.com, false",
        "*.acme.com, acme.com, false",
        "*.acme.com, evilacme.com, false",
        "*.acme.com, api.acme.com.evil.com, false",
        "api.acme.com, *.acme.com, false",
        "api.acme.com, *.api.acme.com, false",
        "api.acme.com, api.acme.com, true",
        "API.acme.com, api.acme.com, true",
        "api.acme.com, acme.com, false"
    })
    void wildcardOfAManifestHasToBeWithinThatOfTheRule(
            String allowed, String host, boolean isAllowed) {
        assertThat(new NetworkRule(null, List.of(allowed)).hostObjection(host).isEmpty())
                .isEqualTo(isAllowed);
    }

    @Test
    void ruleWithoutModesAllowsAll() {
        assertThat(new NetworkRule(null, List.of("x")).modeObjection("bridge")).isEmpty();
        assertThat(new NetworkRule(List.of("none"), null).modeObjection("bridge"))
                .hasValue("allowed modes: none");
        assertThat(new NetworkRule(List.of("none"), null).modeObjection("none")).isEmpty();
    }
}
