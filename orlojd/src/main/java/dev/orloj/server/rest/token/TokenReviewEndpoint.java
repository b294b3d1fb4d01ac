package dev.orloj.server.rest.token;

import dev.orloj.api.ApiException;
import dev.orloj.server.authentication.InvalidCredentialException;
import dev.orloj.server.authorization.UserInfo;
import dev.orloj.server.discovery.ApiResource;
import dev.orloj.server.processing.Processing;
import dev.orloj.server.rest.http.Responses;
import dev.orloj.server.token.AccountTokens;
import dev.orloj.server.token.TokenServices;
import dev.orloj.server.token.VerifiedToken;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Returns to other services the user of a token that was issued here. */
@RestController
public class TokenReviewEndpoint {

    private static final String GROUP = "authentication.k8s.io";
    private static final String KIND = "TokenReview";
    private static final int MAX_AUDIENCES = 32;

    public static final ApiResource RESOURCE = ApiResource.question(GROUP, KIND, false);

    private final Processing processing;
    private final Optional<TokenServices> services;

    TokenReviewEndpoint(Processing processing, Optional<TokenServices> services) {
        this.processing = processing;
        this.services = services;
    }

    @PostMapping("/apis/authentication.k8s.io/v1/tokenreviews")
    void review(HttpServletRequest request, HttpServletResponse response)
            throws IOException, InterruptedException {
        TokenQuestion question = TokenQuestion.read(request, processing, GROUP, KIND);
        JsonNode token = question.root().at("/spec/token");
        if (!token.isString() || token.asString().isEmpty()) {
            throw ApiException.badRequest("token is required for TokenReview in authentication");
        }
        TokenServices tokens = TokenQuestion.require(services);
        List<String> audiences = question.texts("spec", "audiences", MAX_AUDIENCES);
        ObjectNode answer = question.root();
        answer.put("apiVersion", GROUP + "/v1").put("kind", KIND);
        answer.withObject("/metadata").putNull("creationTimestamp");
        answer.withObject("/spec").remove("token");
        ObjectNode status = answer.putObject("status");
        try {
            Optional<VerifiedToken> verified =
                    tokens.tokens()
                            .verify(
                                    token.asString(),
                                    audiences.isEmpty()
                                            ? List.of(AccountTokens.API_AUDIENCE)
                                            : audiences);
            if (verified.isPresent()) {
                describe(verified.get(), status);
            } else {
                status.put("authenticated", false).put("error", "invalid bearer token");
            }
        } catch (InvalidCredentialException e) {
            status.put("authenticated", false).put("error", e.getMessage());
        }
        Responses.json(response, 201, answer);
    }

    private static void describe(VerifiedToken token, ObjectNode status) {
        status.put("authenticated", true);
        UserInfo user = token.user();
        ObjectNode shown = status.putObject("user").put("username", user.username());
        if (!user.uid().isEmpty()) {
            shown.put("uid", user.uid());
        }
        user.groups().forEach(shown.putArray("groups")::add);
        ObjectNode extra = shown.putObject("extra");
        user.extra().forEach((key, values) -> values.forEach(extra.putArray(key)::add));
        token.audiences().forEach(status.putArray("audiences")::add);
    }
}
