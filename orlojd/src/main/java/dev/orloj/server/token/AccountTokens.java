package dev.orloj.server.token;

import dev.orloj.api.ObjectMeta;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.codec.Json;
import dev.orloj.api.core.ServiceAccount;
import dev.orloj.server.authentication.InvalidCredentialException;
import dev.orloj.server.authorization.UserInfo;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** Tokens of ServiceAccounts, with the claims that those of Kubernetes have. Thread-safe. */
public final class AccountTokens implements TokenVerifier {

    public static final Duration MAX_LIFETIME = Duration.ofDays(365);

    private static final String ISSUER = API_AUDIENCE;
    private static final String PRIVATE_CLAIMS = "kubernetes.io";
    private static final Duration CLOCK_SKEW = Duration.ofSeconds(60);
    private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();
    private static final Base64.Decoder DECODER = Base64.getUrlDecoder();

    private final SigningKeys keys;
    private final ServiceAccounts accounts;
    private final InstantSource clock;

    public AccountTokens(SigningKeys keys, ServiceAccounts accounts, InstantSource clock) {
        this.keys = keys;
        this.accounts = accounts;
        this.clock = clock;
    }

    /** What a token is issued for. */
    public record Grant(
            ServiceAccount account,
            List<String> audiences,
            Duration lifetime,
            Optional<BoundObject> bound) {}

    /** A new token. */
    public record Issued(String token, Instant expiry) {

        @Override
        public String toString() {
            return "Issued[" + expiry + "]";
        }
    }

    public Issued issue(Grant grant) {
        SigningKey key = keys.current();
        Instant now = clock.instant();
        Instant expiry = now.plus(grant.lifetime());
        ObjectNode header = Json.MAPPER.createObjectNode();
        header.put("alg", SigningKey.ALGORITHM).put("kid", key.id());
        String content = encode(header) + "." + encode(claims(grant, now, expiry));
        return new Issued(
                content + "." + ENCODER.encodeToString(key.sign(content)),
                Instant.ofEpochSecond(expiry.getEpochSecond()));
    }

    private static ObjectNode claims(Grant grant, Instant now, Instant expiry) {
        ObjectMeta account = grant.account().metadata();
        ObjectNode claims = Json.MAPPER.createObjectNode();
        grant.audiences().forEach(claims.putArray("aud")::add);
        claims.put("exp", expiry.getEpochSecond())
                .put("iat", now.getEpochSecond())
                .put("iss", ISSUER)
                .put("jti", UUID.randomUUID().toString());
        ObjectNode own = claims.putObject(PRIVATE_CLAIMS);
        own.put("namespace", account.namespace());
        grant.bound().ifPresent(bound -> bound.write(own));
        own.putObject("serviceaccount").put("name", account.name()).put("uid", account.uid());
        return claims.put("nbf", now.getEpochSecond()).put("sub", username(account.key()));
    }

    private static String username(ResourceKey account) {
        return UserInfo.nameOfAccount(account.namespace(), account.name());
    }

    private static String encode(JsonNode node) {
        return ENCODER.encodeToString(Json.MAPPER.writeValueAsBytes(node));
    }

    @Override
    public Optional<VerifiedToken> verify(String token, List<String> audiences)
            throws InvalidCredentialException {
        String[] parts = token.length() > MAX_LENGTH ? new String[0] : token.split("\\.", -1);
        if (parts.length != 3) {
            return Optional.empty();
        }
        Optional<JsonNode> claims = decode(parts[1]);
        if (claims.isEmpty() || !claims.get().path("iss").asString("").equals(ISSUER)) {
            return Optional.empty();
        }
        checkSignature(parts);
        return Optional.of(verified(claims.get(), audiences));
    }

    private void checkSignature(String[] parts) throws InvalidCredentialException {
        JsonNode header = decode(parts[0]).orElseThrow(() -> invalid("its header cannot be read"));
        if (!header.path("alg").asString("").equals(SigningKey.ALGORITHM)) {
            throw invalid("its algorithm is not " + SigningKey.ALGORITHM);
        }
        SigningKey key =
                keys.find(header.path("kid").asString(""))
                        .orElseThrow(() -> invalid("its key is unknown"));
        if (!key.verifies(parts[0] + "." + parts[1], bytes(parts[2]))) {
            throw invalid("its signature is wrong");
        }
    }

    private VerifiedToken verified(JsonNode claims, List<String> audiences)
            throws InvalidCredentialException {
        Instant now = clock.instant();
        Instant expiry = Instant.ofEpochSecond(claims.path("exp").asLong(0));
        if (!now.isBefore(expiry)) {
            throw invalid("it expired at " + expiry);
        }
        if (now.plus(CLOCK_SKEW).getEpochSecond() < claims.path("nbf").asLong(0)) {
            throw invalid("it is not valid yet");
        }
        List<String> common =
                claims.path("aud")
                        .valueStream()
                        .map(audience -> audience.asString(""))
                        .filter(audiences::contains)
                        .toList();
        if (common.isEmpty()) {
            throw invalid("it is for another audience, " + claims.path("aud"));
        }
        JsonNode own = claims.path(PRIVATE_CLAIMS);
        ResourceKey key =
                new ResourceKey(
                        own.path("namespace").asString(""),
                        own.at("/serviceaccount/name").asString(""));
        String uid = own.at("/serviceaccount/uid").asString("");
        if (uid.isEmpty() || !claims.path("sub").asString("").equals(username(key))) {
            throw invalid("its subject is not that of its account");
        }
        if (!accounts.exists(key, uid)) {
            throw invalid("the ServiceAccount %s was deleted".formatted(key));
        }
        Optional<BoundObject> bound = BoundObject.read(own);
        if (bound.isPresent() && !accounts.exists(bound.get(), key.namespace())) {
            throw invalid("its %s was deleted".formatted(bound.get().kind()));
        }
        return new VerifiedToken(user(claims, key, uid, bound), "", expiry, common);
    }

    private static UserInfo user(
            JsonNode claims, ResourceKey account, String uid, Optional<BoundObject> bound) {
        Map<String, List<String>> extra = new LinkedHashMap<>();
        extra.put(VerifiedToken.CREDENTIAL_ID, List.of("JTI=" + claims.path("jti").asString("")));
        bound.ifPresent(object -> extra.putAll(object.extra()));
        return new UserInfo(
                        username(account),
                        uid,
                        UserInfo.groupsOfAccounts(account.namespace()),
                        extra)
                .authenticated();
    }

    private static Optional<JsonNode> decode(String part) {
        try {
            return Optional.of(
                    Json.MAPPER.readTree(new String(bytes(part), StandardCharsets.UTF_8)));
        } catch (JacksonException e) {
            return Optional.empty();
        }
    }

    private static byte[] bytes(String part) {
        try {
            return DECODER.decode(part);
        } catch (IllegalArgumentException e) { // no Base64
            return new byte[0];
        }
    }

    private static InvalidCredentialException invalid(String why) {
        return new InvalidCredentialException("token of a ServiceAccount: " + why);
    }
}
