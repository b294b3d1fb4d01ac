package dev.orloj.runtime.call;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UriTemplateTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "note://{id} | note://7 | true | true",
                "note://{id} | note:// | true | true",
                "note://{id} | note://a/b | false | true",
                "note://{+path} | note://a/b | true | true",
                "note://{path*} | note://a/b | true | true",
                "note://{id}/text | note://a/text | true | true",
                "note://{id}/text | note://a/b/text | false | true",
                "note://{id}/text | note://a/data | false | false",
                "note://{id} | file://7 | false | false",
                "note://{a}-{b} | note://x-y-z | true | true",
                "search{?q,limit} | search?q=a/b | true | true",
                "plain://a | plain://a | true | true",
                "plain://a | plain://ab | false | false",
                "broken://{a | broken://{a | true | true",
            })
    void matches(String template, String uri, boolean makes, boolean mayMake) {
        assertThat(new UriTemplate(template).makes(uri)).isEqualTo(makes);
        assertThat(new UriTemplate(template).mayMake(uri)).isEqualTo(mayMake);
    }

    @Test
    void manyExpressionsTakeNoLonger() {
        String template = "a" + "{x}a".repeat(400);

        assertThat(new UriTemplate(template).mayMake("a".repeat(8_000) + "b")).isFalse();
    }
}
