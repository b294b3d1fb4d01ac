package dev.orloj.api.policy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;

class VariableRuleTest {

    @ParameterizedTest
    @CsvSource({
        "API_*, API_KEY, true",
        "API_*, API_, true",
        "API_*, api_key, false",
        "API_*, XAPI_KEY, false",
        "TOKEN, TOKEN, true",
        "TOKEN, TOKENS, false",
        "TOKEN, ' TOKEN', false"
    })
    void allowedNamesAreExact(String pattern, String name, boolean allowed) {
        assertThat(new VariableRule(List.of(pattern), null).objection(name).isEmpty())
                .isEqualTo(allowed);
    }

    @ParameterizedTest
    @CsvSource({
        "*_PROXY, http_proxy, false",
        "*_proxy, HTTPS_PROXY, false",
        "*SECRET*, a/SECRET, false",
        "*_PROXY, PROXY, true",
        "AWS_*, AWS, true"
    })
    void deniedNamesAreComparedWithoutCaseAndSlashesHideNothing(
            String pattern, String name, boolean allowed) {
        assertThat(new VariableRule(null, List.of(pattern)).objection(name).isEmpty())
                .isEqualTo(allowed);
    }

    @Test
    void denialIsStrongerThanPermission() {
        VariableRule rule = new VariableRule(List.of("API_*"), List.of("api_root"));

        assertThat(rule.objection("API_KEY")).isEmpty();
        assertThat(rule.objection("API_ROOT"))
                .hasValue("variables \"api_root\" are denied: remove it");
        assertThat(rule.objection("OTHER")).hasValue("allowed variables: API_*; remove it");
    }
}
