package dev.orloj.server.oidc;

import com.nimbusds.jwt.JWTClaimsSet;

import dev.orloj.server.authentication.InvalidCredentialException;
import dev.orloj.server.authorization.UserInfo;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Date;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads the user of a token from claims whose signature is valid. Immutable. */
final class ClaimRules {

    private static final String CREDENTIAL_ID = "authentication.kubernetes.io/credential-id";

    /** Clocks of issuers may be ahead; as in kube-apiserver, no such allowance is made for exp. */
    private static final Duration SKEW = Duration.ofMinutes(5);

    private static final int MAX_NAME = 512;

    private final IssuerSettings settings;

    ClaimRules(IssuerSettings settings) {
        this.settings = settings;
    }

    /**
     * @throws InvalidCredentialException when a claim is missing, wrong or over
     */
    VerifiedJwt read(JWTClaimsSet claims, Instant now) throws InvalidCredentialException {
        if (!settings.url().equals(claims.getIssuer())) {
            throw invalid("iss is \"%s\"".formatted(TokenExcerpt.of(claims.getIssuer())));
        }
        Instant expiresAt = requireTime(claims, now);
        for (Map.Entry<String, String> required : settings.requiredClaims().entrySet()) {
            requireClaim(claims, required.getKey(), required.getValue());
        }
        Set<String> audiences = new HashSet<>(claims.getAudience());
        boolean isForEverything = audiences.stream().anyMatch(settings.audiences()::contains);
        return new VerifiedJwt(user(claims), audiences, isForEverything, scopes(claims), expiresAt);
    }

    private Instant requireTime(JWTClaimsSet claims, Instant now)
            throws InvalidCredentialException {
        Date expiry = claims.getExpirationTime();
        if (expiry == null) {
            throw invalid("claim \"exp\" is missing");
        }
        if (!now.isBefore(expiry.toInstant())) {
            throw invalid("expired at " + expiry.toInstant());
        }
        Date start = claims.getNotBeforeTime();
        if (start != null && now.plus(SKEW).isBefore(start.toInstant())) {
            throw invalid("not valid before " + start.toInstant());
        }
        return expiry.toInstant();
    }

    private void requireClaim(JWTClaimsSet claims, String name, String value)
            throws InvalidCredentialException {
        Object found = claims.getClaim(name);
        if (found == null) {
            throw invalid("claim \"%s\" is missing".formatted(name));
        }
        if (!value.equals(found)) {
            throw invalid("claim \"%s\" is not \"%s\"".formatted(name, value));
        }
    }

    private UserInfo user(JWTClaimsSet claims) throws InvalidCredentialException {
        String subject = text(claims, "sub");
        String name = name(settings.username().prefix(), username(claims));
        List<String> groups = new ArrayList<>();
        ClaimMapping mapping = settings.groups();
        if (mapping != null) {
            for (String group : texts(mapping.claim(), claims.getClaim(mapping.claim()))) {
                groups.add(name(mapping.prefix(), group));
            }
        }
        String uid = settings.uidClaim().isEmpty() ? "" : text(claims, settings.uidClaim());
        Map<String, List<String>> extra = new HashMap<>();
        extra.put(UserInfo.ISSUER, List.of(settings.url()));
        extra.put(UserInfo.SUBJECT, List.of(subject));
        if (claims.getJWTID() != null) {
            extra.put(CREDENTIAL_ID, List.of("JTI=" + TokenExcerpt.of(claims.getJWTID())));
        }
        return new UserInfo(name, uid, groups, extra).authenticated();
    }

    private String username(JWTClaimsSet claims) throws InvalidCredentialException {
        String claim = settings.username().claim();
        if (claim.equals("email")) {
            Object verified = claims.getClaim("email_verified");
            if (verified != null && !verified.equals(true)) {
                throw invalid("claim \"email_verified\" is not true");
            }
        }
        return text(claims, claim);
    }

    private String name(String prefix, String value) throws InvalidCredentialException {
        String name = prefix + value;
        if (ReservedNames.has(name)) {
            throw invalid(
                    "the name \"%s\" is reserved; give the claim a prefix in the configuration"
                            .formatted(TokenExcerpt.of(name)));
        }
        return name;
    }

    private String text(JWTClaimsSet claims, String claim) throws InvalidCredentialException {
        Object value = claims.getClaim(claim);
        if (value == null) {
            throw invalid("claim \"%s\" is missing".formatted(claim));
        }
        if (!(value instanceof String text) || text.isBlank() || text.length() > MAX_NAME) {
            throw invalid(
                    "claim \"%s\" is no string of 1 to %d characters".formatted(claim, MAX_NAME));
        }
        return text;
    }

    /** Reads a claim that may be one string or a list of them; missing is none. */
    private List<String> texts(String claim, @Nullable Object value)
            throws InvalidCredentialException {
        if (value == null) {
            return List.of();
        }
        Collection<?> items = value instanceof Collection<?> list ? list : List.of(value);
        List<String> texts = new ArrayList<>();
        for (Object item : items) {
            if (!(item instanceof String text)) {
                throw invalid("claim \"%s\" is no list of strings".formatted(claim));
            }
            texts.add(text);
        }
        return texts;
    }

    /** Some issuers write the scopes as one text, others as a list in a claim of another name. */
    private Set<String> scopes(JWTClaimsSet claims) throws InvalidCredentialException {
        Set<String> scopes = new HashSet<>();
        for (String claim : List.of("scope", "scp")) {
            for (String text : texts(claim, claims.getClaim(claim))) {
                scopes.addAll(List.of(text.split(" ")));
            }
        }
        return scopes;
    }

    private InvalidCredentialException invalid(String cause) {
        return new InvalidCredentialException(
                "token of issuer \"%s\": %s".formatted(settings.url(), cause));
    }
}
