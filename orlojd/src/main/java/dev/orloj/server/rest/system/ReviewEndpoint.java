package dev.orloj.server.rest.system;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.server.authentication.AuthenticationGuard;
import dev.orloj.server.authorization.Authorizer;
import dev.orloj.server.processing.Processing;
import dev.orloj.server.rest.http.MediaTypes;
import dev.orloj.server.rest.http.RequestBody;
import dev.orloj.server.rest.http.Responses;
import dev.orloj.server.rest.request.ApiPath;
import dev.orloj.server.rest.request.Target;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.util.Optional;

/** Answers who the client is and what it may do. */
@RestController
class ReviewEndpoint {

    private final Processing processing;
    private final ReviewAnswers answers;

    ReviewEndpoint(Processing processing, Optional<Authorizer> authorizer) {
        this.processing = processing;
        this.answers = new ReviewAnswers(authorizer);
    }

    @RequestMapping({"/apis/authorization.k8s.io/v1/**", "/apis/authentication.k8s.io/v1/**"})
    void review(HttpServletRequest request, HttpServletResponse response)
            throws IOException, InterruptedException {
        ApiPath path = ApiPath.of(request).orElseThrow(Target::unknown);
        ReviewKind review = ReviewKind.at(path).orElseThrow(Target::unknown);
        if (!request.getMethod().equals("POST")) {
            throw new ApiException(
                    ErrorReason.METHOD_NOT_ALLOWED,
                    "the server does not allow this method on the requested resource");
        }
        MediaTypes.requireJson(MediaTypes.accepted(request.getHeader("Accept")));
        RequestBody body = RequestBody.read(request);
        ObjectNode question = processing.run(request, body::document).root();
        check(review, question, path.namespace());
        question.put("apiVersion", review.apiVersion()).put("kind", review.kind());
        question.withObject("/metadata").putNull("creationTimestamp");
        question.remove("status");
        answers.answer(review, question, AuthenticationGuard.user(request));
        Responses.json(response, 201, question);
    }

    private static void check(ReviewKind review, ObjectNode question, String namespace) {
        requireText(question, "apiVersion", review.apiVersion());
        requireText(question, "kind", review.kind());
        if (!(question.path("metadata").isObject() || question.path("metadata").isMissingNode())) {
            throw ApiException.badRequest("metadata: must be an object");
        }
        boolean resource = question.at("/spec/resourceAttributes").isObject();
        boolean other = question.at("/spec/nonResourceAttributes").isObject();
        switch (review) {
            case SELF_ACCESS, ACCESS, LOCAL_ACCESS -> {
                if (resource == other) {
                    throw invalid(
                            review,
                            "spec",
                            "exactly one of resourceAttributes and nonResourceAttributes must be"
                                    + " given");
                }
            }
            case SELF_RULES -> {
                if (question.at("/spec/namespace").asString("").isEmpty()) {
                    throw ApiException.badRequest("spec.namespace: no namespace is given");
                }
            }
            case SELF -> {}
        }
        String asked = question.at("/spec/resourceAttributes/namespace").asString("");
        if (review == ReviewKind.LOCAL_ACCESS && !asked.equals(namespace)) {
            throw invalid(
                    review,
                    "spec.resourceAttributes.namespace",
                    "must be the namespace of the request, %s".formatted(namespace));
        }
    }

    private static void requireText(ObjectNode question, String field, String expected) {
        if (!question.path(field).asString(expected).equals(expected)) {
            throw ApiException.badRequest(
                    "%s: this path takes %s, found %s"
                            .formatted(field, expected, question.path(field)));
        }
    }

    private static ApiException invalid(ReviewKind review, String field, String why) {
        return new ApiException(
                ErrorReason.INVALID,
                "%s is invalid: %s: Invalid value: %s".formatted(review.kind(), field, why));
    }
}
