package dev.orloj.server.rest.token;

import dev.orloj.api.FieldError;
import dev.orloj.api.FieldPath;
import dev.orloj.api.codec.Json;
import dev.orloj.server.audit.AuditFilter;
import dev.orloj.server.authentication.AuthenticationGuard;
import dev.orloj.server.authentication.Credential;
import dev.orloj.server.discovery.ApiResource;
import dev.orloj.server.processing.Processing;
import dev.orloj.server.rest.http.MediaTypes;
import dev.orloj.server.rest.http.Responses;
import dev.orloj.server.store.token.UserToken;
import dev.orloj.server.token.TokenGrants;
import dev.orloj.server.token.TokenServices;
import dev.orloj.server.token.UserTokens;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;

/**
 * Creates, lists and revokes bearer tokens of users. Lists work without the HTTPS port too: clients
 * list each resource that discovery names.
 */
@RestController
public class UserTokenEndpoint {

    private static final String GROUP = "orloj.dev";
    private static final String API_VERSION = GROUP + "/v1";
    private static final String KIND = "UserToken";
    private static final String PATH = "/apis/orloj.dev/v1/usertokens";
    private static final String RESERVED = "system:";
    private static final int MAX_GROUPS = 32;
    private static final Duration MAX_LIFETIME = Duration.ofDays(365);
    private static final Pattern NAME = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");
    private static final FieldPath NAME_FIELD = FieldPath.of("metadata").child("name");
    private static final FieldPath SPEC = FieldPath.of("spec");

    public static final ApiResource RESOURCE =
            new ApiResource(
                    GROUP,
                    "v1",
                    KIND,
                    "usertokens",
                    false,
                    List.of("create", "delete", "get", "list"),
                    List.of(),
                    List.of(),
                    List.of());

    private final Processing processing;
    private final UserTokens userTokens;
    private final Optional<TokenServices> services;
    private final RandomGenerator random;

    UserTokenEndpoint(
            Processing processing,
            UserTokens userTokens,
            Optional<TokenServices> services,
            RandomGenerator random) {
        this.processing = processing;
        this.userTokens = userTokens;
        this.services = services;
        this.random = random;
    }

    @PostMapping(PATH)
    void create(HttpServletRequest request, HttpServletResponse response)
            throws IOException, InterruptedException {
        TokenQuestion question = TokenQuestion.read(request, processing, GROUP, KIND);
        TokenServices tokens = TokenQuestion.require(services);
        UserToken granted =
                tokens.grants()
                        .grant(
                                wanted(question),
                                AuthenticationGuard.user(request),
                                Credential.of(request));
        AuditFilter.noteName(request, granted.name());
        UserTokens.Created created = userTokens.create(granted);
        ObjectNode answer = document(created.stored());
        answer.withObject("/status").put("token", created.token());
        Responses.json(response, 201, answer);
    }

    private TokenGrants.Wanted wanted(TokenQuestion question) {
        String user = question.text("spec", "user");
        if (user.isEmpty()) {
            throw question.invalid(FieldError.required(SPEC.child("user"), "the name of the user"));
        }
        requireFree(question, SPEC.child("user"), user);
        List<String> groups = question.texts("spec", "groups", MAX_GROUPS);
        for (int i = 0; i < groups.size(); i++) {
            requireFree(question, SPEC.child("groups").index(i), groups.get(i));
        }
        String name = question.text("metadata", "name");
        if (!name.isEmpty() && !NAME.matcher(name).matches()) {
            throw question.invalid(
                    FieldError.invalid(
                            NAME_FIELD,
                            name,
                            "must be at most 63 lower-case letters, digits and hyphens, and begin"
                                    + " and end with a letter or digit"));
        }
        Optional<Duration> lifetime =
                question.seconds("expirationSeconds").map(Duration::ofSeconds);
        if (lifetime.isPresent() && lifetime.get().compareTo(MAX_LIFETIME) > 0) {
            throw question.invalid(
                    FieldError.invalid(
                            SPEC.child("expirationSeconds"),
                            lifetime.get().toSeconds(),
                            "may not be more than %d, which is %d days"
                                    .formatted(MAX_LIFETIME.toSeconds(), MAX_LIFETIME.toDays())));
        }
        return new TokenGrants.Wanted(
                name.isEmpty() ? generated(user) : name, user, groups, lifetime);
    }

    private static void requireFree(TokenQuestion question, FieldPath path, String name) {
        if (name.startsWith(RESERVED)) {
            throw question.invalid(
                    FieldError.invalid(path, name, "names that begin with system: are reserved"));
        }
    }

    private String generated(String user) {
        String readable =
                user.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-").replaceAll("^-", "");
        String start = readable.substring(0, Math.min(readable.length(), 40));
        return (start.isEmpty() ? "token" : start).replaceAll("-$", "")
                + "-"
                + Integer.toString(random.nextInt(1 << 30, Integer.MAX_VALUE), 36);
    }

    @GetMapping(PATH)
    void list(HttpServletRequest request, HttpServletResponse response) throws IOException {
        MediaTypes.requireJson(MediaTypes.accepted(request.getHeader("Accept")));
        ObjectNode list = Json.MAPPER.createObjectNode();
        list.put("apiVersion", API_VERSION).put("kind", KIND + "List");
        list.putObject("metadata");
        ArrayNode items = list.putArray("items");
        userTokens.list().forEach(token -> items.add(document(token)));
        Responses.json(response, 200, list);
    }

    @GetMapping(PATH + "/{name}")
    void get(@PathVariable String name, HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        MediaTypes.requireJson(MediaTypes.accepted(request.getHeader("Accept")));
        Responses.json(response, 200, document(userTokens.get(name)));
    }

    @DeleteMapping(PATH + "/{name}")
    void revoke(@PathVariable String name, HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        MediaTypes.requireJson(MediaTypes.accepted(request.getHeader("Accept")));
        TokenServices tokens = TokenQuestion.require(services);
        UserToken last = userTokens.get(name);
        tokens.tokens().revoke(name);
        Responses.json(response, 200, document(last));
    }

    private static ObjectNode document(UserToken token) {
        ObjectNode document = Json.MAPPER.createObjectNode();
        document.put("apiVersion", API_VERSION).put("kind", KIND);
        document.putObject("metadata")
                .put("name", token.name())
                .put("creationTimestamp", seconds(token.createdAt()));
        ObjectNode spec = document.putObject("spec").put("user", token.username());
        token.groups().forEach(spec.putArray("groups")::add);
        spec.put(
                "expirationSeconds",
                Duration.between(token.createdAt(), token.expiresAt()).toSeconds());
        ObjectNode status =
                document.putObject("status")
                        .put("expirationTimestamp", seconds(token.expiresAt()))
                        .put("createdBy", token.createdBy());
        token.lastUsedAt().ifPresent(last -> status.put("lastUsedTime", seconds(last)));
        return document;
    }

    private static String seconds(java.time.Instant time) {
        return time.truncatedTo(java.time.temporal.ChronoUnit.SECONDS).toString();
    }
}
