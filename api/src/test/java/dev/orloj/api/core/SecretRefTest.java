package dev.orloj.api.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.FieldPath;
import dev.orloj.api.ObjectMeta;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Map;

class SecretRefTest {

    @ParameterizedTest
    @CsvSource({
        "mcp-api-key, mcp-api-key, ''",
        "gmail-creds/oauth_keys, gmail-creds, oauth_keys",
        "gmail-creds:oauth_keys, gmail-creds, oauth_keys",
        "a.b/c.d, a.b, c.d",
    })
    void reads(String text, String name, String key) {
        assertThat(SecretRef.parse(text)).isEqualTo(new SecretRef(name, key));
        assertThat(SecretRef.check(FieldPath.of("x"), text)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "", "/", "a/", ":b", "/b", "A", "a/b/c", "a:b:c", "a/b:c", "a b", "a/b c", "-a"
            })
    void refuses(String text) {
        assertThat(SecretRef.check(FieldPath.of("spec", "x"), text))
                .hasValueSatisfying(e -> assertThat(e.path()).hasToString("spec.x"));
    }

    @Test
    void withoutAKeyTheOnlyOneIsMeant() {
        assertThat(secret(Map.of("token", "eA==")).find(SecretRef.parse("s"))).contains("eA==");
    }

    @Test
    void withoutAKeyTheOneNamedValueIsMeantAmongSeveral() {
        Secret secret = secret(Map.of("value", "eA==", "other", "eQ=="));

        assertThat(secret.find(SecretRef.parse("s"))).contains("eA==");
        assertThat(secret.find(SecretRef.parse("s/other"))).contains("eQ==");
    }

    @Test
    void aKeyThatIsNotThereFindsNothing() {
        assertThat(secret(Map.of("token", "eA==")).find(SecretRef.parse("s/value"))).isEmpty();
        assertThat(secret(Map.of("a", "eA==", "b", "eQ==")).find(SecretRef.parse("s"))).isEmpty();
        assertThat(secret(Map.of()).find(SecretRef.parse("s"))).isEmpty();
    }

    @Test
    void textFormsOfASecretShowNoValue() {
        assertThat(secret(Map.of("token", "c2VjcmV0"))).asString().doesNotContain("c2VjcmV0");
    }

    private static Secret secret(Map<String, String> data) {
        return new Secret(
                "orloj.dev/v1",
                "Secret",
                ObjectMeta.of("default", "s"),
                new Secret.Spec("Opaque", data, false));
    }
}
