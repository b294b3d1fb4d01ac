package dev.orloj.runtime.oauth;

import org.apache.hc.client5.http.auth.AuthChallenge;
import org.apache.hc.client5.http.auth.ChallengeType;
import org.apache.hc.client5.http.impl.auth.AuthChallengeParser;
import org.apache.hc.core5.http.NameValuePair;
import org.apache.hc.core5.http.ParseException;
import org.apache.hc.core5.http.message.ParserCursor;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What a server asks for with the scheme {@code Bearer} (RFC 6750, RFC 9728).
 *
 * @param scopes that the request needs
 * @param resourceMetadata the URL of its metadata; empty when the server names none
 * @param error empty without one
 */
record BearerChallenge(List<String> scopes, String resourceMetadata, String error) {

    static final BearerChallenge NONE = new BearerChallenge(List.of(), "", "");

    private static final String SCHEME = "bearer";
    private static final int MAX_LENGTH = 8 * 1024;

    BearerChallenge {
        scopes = List.copyOf(scopes);
    }

    boolean isForScope() {
        return error.equals("insufficient_scope") && !scopes.isEmpty();
    }

    /**
     * @param headers the values of {@code WWW-Authenticate}
     */
    static BearerChallenge in(List<String> headers) {
        return headers.stream()
                .filter(header -> header.length() <= MAX_LENGTH)
                .flatMap(header -> parse(header).stream())
                .filter(each -> SCHEME.equals(each.getSchemeName().toLowerCase(Locale.ROOT)))
                .map(BearerChallenge::of)
                .findFirst()
                .orElse(NONE);
    }

    private static List<AuthChallenge> parse(String header) {
        try {
            return AuthChallengeParser.INSTANCE.parse(
                    ChallengeType.TARGET, header, new ParserCursor(0, header.length()));
        } catch (ParseException e) {
            return List.of();
        }
    }

    private static BearerChallenge of(AuthChallenge challenge) {
        return new BearerChallenge(
                Scopes.parse(find(challenge, "scope").orElse("")),
                find(challenge, "resource_metadata").orElse(""),
                find(challenge, "error").orElse(""));
    }

    private static Optional<String> find(AuthChallenge challenge, String name) {
        List<NameValuePair> parameters =
                challenge.getParams() == null ? List.of() : challenge.getParams();
        return parameters.stream()
                .filter(each -> each.getName().equalsIgnoreCase(name))
                .flatMap(each -> Optional.ofNullable(each.getValue()).stream())
                .findFirst();
    }
}
