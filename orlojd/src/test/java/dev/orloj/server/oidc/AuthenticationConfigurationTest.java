package dev.orloj.server.oidc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

class AuthenticationConfigurationTest {

    private static final String WHOLE =
            """
            apiVersion: apiserver.config.k8s.io/v1
            kind: AuthenticationConfiguration
            jwt:
            - issuer:
                url: https://id.example.com/realms/corp/
                audiences: [orloj, other]
                audienceMatchPolicy: MatchAny
              claimValidationRules:
              - {claim: hd, requiredValue: example.com}
              claimMappings:
                username: {claim: email, prefix: "corp:"}
                groups: {claim: roles, prefix: ""}
                uid: {claim: sub}
            - issuer:
                url: https://other.example.com
                discoveryURL: https://mirror.example.com/.well-known/openid-configuration
                audiences: [orloj]
              claimMappings:
                username: {claim: sub, prefix: "other:"}
            """;

    @Test
    void readsWhatKubernetesReads() {
        List<IssuerSettings> issuers = read(WHOLE);

        assertThat(issuers)
                .containsExactly(
                        new IssuerSettings(
                                "https://id.example.com/realms/corp/",
                                "https://id.example.com/realms/corp/.well-known/openid-configuration",
                                "",
                                Set.of("orloj", "other"),
                                Map.of("hd", "example.com"),
                                new ClaimMapping("email", "corp:"),
                                new ClaimMapping("roles", ""),
                                "sub"),
                        new IssuerSettings(
                                "https://other.example.com",
                                "https://mirror.example.com/.well-known/openid-configuration",
                                "",
                                Set.of("orloj"),
                                Map.of(),
                                new ClaimMapping("sub", "other:"),
                                null,
                                ""));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    config.k8s.io/v1 | config.k8s.io/v2 | apiVersion: is "apiserver.config.k8s.io/v2"
                    kind: Auth | kind: Other | kind: is
                    https://other.example.com | http://other.example.com | expected an https URL
                    https://other.example.com | https://user@other.example.com | expected an https URL
                    https://other.example.com | https://other.example.com?x=1 | expected an https URL
                    https://other.example.com | https://id.example.com/realms/corp/ | is there twice
                    https://mirror.example.com/.well-known/openid-configuration | https://other.example.com | discoveryURL: is the url
                    audienceMatchPolicy: MatchAny | audienceMatchPolicy: "" | has to be MatchAny
                    audiences: [orloj, other] | audiences: [] | with at least one audience
                    audiences: [orloj, other] | audiences: [orloj, orloj] | the same audience twice
                    , prefix: "" | , prefix: "system:" | "system:" is reserved
                    , prefix: "" | , prefix: "orloj:x" | "orloj:x" is reserved
                    , prefix: "" |  | groups.prefix: is required
                    claim: email | expression: claims.email | username.expression: expressions (CEL) are not supported
                    requiredValue: example.com | expression: claims.hd | expressions (CEL) are not supported
                    uid: {claim: sub} | extra: [{key: a, valueExpression: b}] | extra: expressions (CEL)
                    claimMappings: | userValidationRules: [{expression: a}]\\n  claimMappings: | userValidationRules: expressions (CEL)
                    uid: {claim: sub} | uids: {claim: sub} | claimMappings.uids: unknown field
                    audienceMatchPolicy: MatchAny | audienceMatchPolicy: MatchAny\\n    egressSelectorType: cluster | egressSelectorType: is not supported
                    audienceMatchPolicy: MatchAny | certificateAuthority: x | certificateAuthority: it has no certificate
                    kind: Auth | anonymous: {enabled: true}\\nkind: Auth | anonymous: orlojd has fixed paths
                    kind: Auth | kind: A\\nkind: Auth | kind: the field is there twice
                    """)
    void whatCannotBeUsedIsNamed(String part, String replacement, String message) {
        String with = replacement == null ? "" : replacement.replace("\\n", "\n");
        String changed = WHOLE.replaceFirst(Pattern.quote(part), with);

        assertThat(changed).isNotEqualTo(WHOLE);
        assertThatThrownBy(() -> read(changed))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    private static List<IssuerSettings> read(String text) {
        return AuthenticationConfiguration.read(text.getBytes(StandardCharsets.UTF_8));
    }
}
