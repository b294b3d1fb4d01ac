package dev.orloj.server.store.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.file.Path;

class Pkcs11UriTest {

    @Test
    void partsAreDecodedAndTheIdNamesTheKeyOnly() {
        Pkcs11Uri uri =
                Pkcs11Uri.parse(
                        "pkcs11:object=my%20key+1;token=a%3Bb;type=secret-key"
                                + "?pin-source=file:///run/pin&module-path=/usr/lib/m.so");

        assertThat(uri)
                .isEqualTo(
                        new Pkcs11Uri(
                                "a;b", "my key+1", Path.of("/usr/lib/m.so"), Path.of("/run/pin")));
        assertThat(uri.id()).isEqualTo("pkcs11:token=a%3Bb;object=my%20key%2B1");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    https://x                                                        | expected pkcs11:token=
                    pkcs11:token=t?module-path=/m&pin-source=/p                      | object is missing
                    pkcs11:object=o?module-path=/m&pin-source=/p                     | token is missing
                    pkcs11:token=t;object=o?pin-source=/p                            | module-path is missing
                    pkcs11:token=t;object=o?module-path=/m                           | pin-source is missing
                    pkcs11:token=t;object=o?module-path=m&pin-source=/p              | no absolute path
                    pkcs11:token=t;object=o;serial=1?module-path=/m&pin-source=/p    | attribute serial is not supported
                    pkcs11:token=t;object=o;type=private?module-path=/m&pin-source=/p| type=secret-key
                    pkcs11:token=t;token=u;object=o?module-path=/m&pin-source=/p     | token is there twice
                    pkcs11:token=%4;object=o?module-path=/m&pin-source=/p            | incomplete % escape
                    pkcs11:token;object=o?module-path=/m&pin-source=/p               | expected pkcs11:token=
                    """)
    void whatIsWrongIsNamed(String text, String message) {
        assertThatThrownBy(() -> Pkcs11Uri.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    @Test
    void pinIsRefusedAndNotRepeated() {
        assertThatThrownBy(
                        () ->
                                Pkcs11Uri.parse(
                                        "pkcs11:token=t;object=o?module-path=/m&pin-value=987654"))
                .hasMessageContaining("pin-source")
                .hasMessageNotContaining("987654");
    }
}
