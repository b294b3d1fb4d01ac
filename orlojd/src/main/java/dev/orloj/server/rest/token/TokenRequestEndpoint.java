package dev.orloj.server.rest.token;

import dev.orloj.api.ApiException;
import dev.orloj.api.Kind;
import dev.orloj.api.Resource;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.codec.Json;
import dev.orloj.api.core.ServiceAccount;
import dev.orloj.server.discovery.ApiResource;
import dev.orloj.server.processing.Processing;
import dev.orloj.server.rest.http.Responses;
import dev.orloj.server.rest.request.ApiPath;
import dev.orloj.server.token.AccountTokens;
import dev.orloj.server.token.BoundObject;
import dev.orloj.server.token.TokenServices;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/** Issues tokens of ServiceAccounts ({@code kubectl create token}). */
@RestController
public class TokenRequestEndpoint {

    private static final String GROUP = "authentication.k8s.io";
    private static final String KIND = "TokenRequest";
    private static final int MAX_AUDIENCES = 32;
    private static final long USUAL_SECONDS = 3600;

    public static final ApiResource.Subresource SUBRESOURCE =
            new ApiResource.Subresource("token", GROUP, "v1", KIND, List.of("create"));

    private final Processing processing;
    private final Optional<TokenServices> services;
    private final InstantSource clock;

    TokenRequestEndpoint(
            Processing processing, Optional<TokenServices> services, InstantSource clock) {
        this.processing = processing;
        this.services = services;
        this.clock = clock;
    }

    @PostMapping("/api/v1/namespaces/{namespace}/serviceaccounts/{name}/token")
    void issue(HttpServletRequest request, HttpServletResponse response)
            throws IOException, InterruptedException {
        ApiPath path = ApiPath.of(request).orElseThrow();
        TokenQuestion question = TokenQuestion.read(request, processing, GROUP, KIND);
        TokenServices tokens = TokenQuestion.require(services);
        ServiceAccount account =
                tokens.accounts()
                        .find(new ResourceKey(path.namespace(), path.name()))
                        .orElseThrow(() -> ApiException.notFound(ServiceAccount.KIND, path.name()));
        List<String> audiences = question.texts("spec", "audiences", MAX_AUDIENCES);
        long wanted = question.seconds("expirationSeconds").orElse(USUAL_SECONDS);
        long seconds = Math.min(wanted, AccountTokens.MAX_LIFETIME.toSeconds());
        if (seconds < wanted) {
            Responses.warn(
                    response,
                    List.of(
                            "requested expiration of %d seconds shortened to %d seconds"
                                    .formatted(wanted, seconds)));
        }
        AccountTokens.Issued issued =
                tokens.accountTokens()
                        .issue(
                                new AccountTokens.Grant(
                                        account,
                                        audiences.isEmpty()
                                                ? List.of(AccountTokens.API_AUDIENCE)
                                                : audiences,
                                        Duration.ofSeconds(seconds),
                                        bound(question, tokens, path.namespace())));
        Responses.json(response, 201, answer(question.root(), path, seconds, issued));
    }

    /** Finds the object that the token is bound to, if the request names one. */
    private static Optional<BoundObject> bound(
            TokenQuestion question, TokenServices tokens, String namespace) {
        if (!question.root().at("/spec/boundObjectRef").isObject()) {
            return Optional.empty();
        }
        var reference = question.root().at("/spec/boundObjectRef");
        String apiVersion = reference.path("apiVersion").asString("");
        String kindName = reference.path("kind").asString("");
        String name = reference.path("name").asString("");
        Kind<? extends Resource> kind =
                BoundObject.kind(apiVersion, kindName)
                        .orElseThrow(
                                () ->
                                        ApiException.badRequest(
                                                "cannot bind token to object of type %s, Kind=%s"
                                                        .formatted(
                                                                apiVersion.contains("/")
                                                                        ? apiVersion
                                                                        : "/" + apiVersion,
                                                                kindName)));
        String uid =
                tokens.accounts()
                        .find(kind, new ResourceKey(namespace, name))
                        .orElseThrow(() -> ApiException.notFound(kind, name))
                        .metadata()
                        .uid();
        String expected = reference.path("uid").asString("");
        if (!expected.isEmpty() && !expected.equals(uid)) {
            throw ApiException.conflict(
                    kind,
                    name,
                    "the UID in the bound object reference (%s) does not match the UID in record. The object might have been deleted and then recreated"
                            .formatted(expected));
        }
        return Optional.of(new BoundObject(kindName, name, uid));
    }

    private ObjectNode answer(
            ObjectNode question, ApiPath path, long seconds, AccountTokens.Issued issued) {
        Instant now = clock.instant().truncatedTo(ChronoUnit.SECONDS);
        ObjectNode answer = Json.MAPPER.createObjectNode();
        answer.put("kind", KIND).put("apiVersion", GROUP + "/v1");
        answer.putObject("metadata")
                .put("name", path.name())
                .put("namespace", path.namespace())
                .put("creationTimestamp", now.toString());
        ObjectNode spec = answer.putObject("spec");
        if (question.path("spec") instanceof ObjectNode given) {
            spec.setAll(given);
        }
        if (!spec.path("audiences").isArray() || spec.path("audiences").isEmpty()) {
            spec.putArray("audiences").add(AccountTokens.API_AUDIENCE);
        }
        spec.put("expirationSeconds", seconds);
        answer.putObject("status")
                .put("token", issued.token())
                .put("expirationTimestamp", issued.expiry().toString());
        return answer;
    }
}
