package dev.orloj.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Map;

class FieldSelectorTest {

    private static final Map<String, String> FIELDS =
            Map.of("metadata.name", "x", "spec.type", "mcp");

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'' | true",
                "metadata.name=x | true",
                "metadata.name==x | true",
                "metadata.name!=x | false",
                "metadata.name=y | false",
                "metadata.name=x,spec.type!=http | true",
                "metadata.name=x,spec.type=http | false",
                "spec.absent= | true",
                "spec.absent!= | false",
                "' metadata.name = x ' | true",
            })
    void selects(String text, boolean expected) {
        assertThat(FieldSelector.parse(text).matches(FIELDS)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"metadata.name", "=x", "!=x", ",", "a=b,", "a=b,,c=d", "!"})
    void refuses(String garbage) {
        assertThatThrownBy(() -> FieldSelector.parse(garbage))
                .isInstanceOfSatisfying(
                        ApiException.class,
                        e -> assertThat(e.reason()).isEqualTo(ErrorReason.BAD_REQUEST))
                .hasMessageContaining(garbage);
    }
}
