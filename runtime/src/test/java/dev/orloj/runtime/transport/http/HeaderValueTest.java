package dev.orloj.runtime.transport.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HeaderValueTest {

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            value = {
                "us-west1, us-west1",
                "`a\tb ~`, `a\tb ~`",
                "``, ``",
                "`Hello, 世界`, =?base64?SGVsbG8sIOS4lueVjA==?=",
                "` padded `, =?base64?IHBhZGRlZCA=?=",
                "`line1\nline2`, =?base64?bGluZTEKbGluZTI=?=",
                "=?base64?literal?=, =?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?=",
            })
    void textIsWhatItWasWhenItArrives(String text, String value) {
        assertThat(HeaderValue.encode(text)).isEqualTo(value);
        assertThat(HeaderValue.decode(value)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            value = {
                "世界, need encoding",
                "`a\nb`, need encoding",
                "=?base64?IHBhZGRlZCA?=, not padded",
                "=?base64?*===?=, `Illegal base64`",
                "=?base64?/w==?=, no UTF-8",
            })
    void whatIsNotEncodedIsRefused(String value, String why) {
        assertThatThrownBy(() -> HeaderValue.decode(value))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(why);
    }
}
