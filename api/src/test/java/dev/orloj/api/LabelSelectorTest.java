package dev.orloj.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Map;
import java.util.Random;

class LabelSelectorTest {

    private static final Map<String, String> LABELS =
            Map.of("app", "web", "tier", "", "orloj.dev/mcp-server", "everything", "n", "3");

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'' | true",
                "app=web | true",
                "app==web | true",
                "app = web | true",
                "app=db | false",
                "app!=db | true",
                "absent!=db | true",
                "app!=web | false",
                "app | true",
                "absent | false",
                "!app | false",
                "!absent | true",
                "'! absent' | true",
                "tier= | true",
                "app= | false",
                "app in (db,web) | true",
                "app in ( db , web ) | true",
                "app in (db) | false",
                "app notin (db) | true",
                "absent notin (db) | true",
                "absent in (db) | false",
                "app notin (db,web) | false",
                "orloj.dev/mcp-server=everything | true",
                "app=web,orloj.dev/mcp-server=everything,!absent | true",
                "'app=web , absent' | false",
                "in | false",
                "n>2 | true",
                "n > 3 | false",
                "n<4,app=web | true",
                "n<3 | false",
                "app>2 | false",
                "absent<2 | false",
                "' ' | true",
            })
    void selects(String text, boolean expected) {
        assertThat(LabelSelector.parse(text).matches(LABELS)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ",",
                "a,",
                "a,,b",
                "=x",
                "!",
                "!a=b",
                "a=b=c",
                "a b",
                "a in",
                "a in (",
                "a in (b",
                "a in b",
                "a in (b))",
                "a notin (b c)",
                "a=-",
                "a=b c",
                "-a",
                "a>x",
                "a=*",
                "\u0000",
                "a=\u00e9",
            })
    void refuses(String garbage) {
        assertThatThrownBy(() -> LabelSelector.parse(garbage))
                .isInstanceOfSatisfying(
                        ApiException.class,
                        e -> assertThat(e.reason()).isEqualTo(ErrorReason.BAD_REQUEST))
                .hasMessageContaining(garbage);
    }

    @Test
    void refusesAValueLongerThanALabelMayBe() {
        assertThatThrownBy(() -> LabelSelector.parse("a=" + "x".repeat(64)))
                .isInstanceOf(ApiException.class);
    }

    @Test
    void answersRandomGarbageWithBadRequest() {
        long seed = 8_041;
        Random random = new Random(seed);
        String alphabet = "ab=!,() innot./-_\u00e9";
        for (int round = 0; round < 20_000; round++) {
            StringBuilder text = new StringBuilder();
            for (int i = random.nextInt(30); i > 0; i--) {
                text.append(alphabet.charAt(random.nextInt(alphabet.length())));
            }
            try {
                LabelSelector.parse(text.toString()).matches(LABELS);
            } catch (ApiException e) {
                assertThat(e.reason())
                        .as("seed %d: %s", seed, text)
                        .isEqualTo(ErrorReason.BAD_REQUEST);
            }
        }
    }

    @Test
    void readsLongSelectorsWithoutExhaustingAnything() {
        String many = "a=b,".repeat(20_000) + "a=b";

        assertThat(LabelSelector.parse(many).requirements()).hasSize(20_001);
        assertThat(LabelSelector.parse("k" + ".".repeat(100_000) + "k").requirements()).hasSize(1);
    }
}
