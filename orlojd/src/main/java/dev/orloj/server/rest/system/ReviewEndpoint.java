package dev.orloj.server.rest.system;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.server.processing.Processing;
import dev.orloj.server.rest.http.MediaTypes;
import dev.orloj.server.rest.http.RequestBody;
import dev.orloj.server.rest.http.Responses;
import dev.orloj.server.rest.request.ApiPath;
import dev.orloj.server.rest.request.Target;
import dev.orloj.server.security.Caller;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;

/**
 * Answers who the client is and what it may do. There is no authentication and no authorization
 * yet, so everyone may do everything, and the responses say why.
 */
@RestController
class ReviewEndpoint {

    private static final String WHY_ALLOWED =
            "orlojd does not authorize requests yet: whoever reaches it may do everything";

    private final Processing processing;

    ReviewEndpoint(Processing processing) {
        this.processing = processing;
    }

    @RequestMapping({"/apis/authorization.k8s.io/v1/**", "/apis/authentication.k8s.io/v1/**"})
    void review(HttpServletRequest request, HttpServletResponse response)
            throws IOException, InterruptedException {
        ApiPath path = ApiPath.parse(request.getRequestURI()).orElseThrow(Target::unknown);
        Review review = Review.at(path).orElseThrow(Target::unknown);
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
        answer(review, question.putObject("status"), Caller.ANONYMOUS);
        Responses.json(response, 201, question);
    }

    private static void check(Review review, ObjectNode question, String namespace) {
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
        if (review == Review.LOCAL_ACCESS && !asked.equals(namespace)) {
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

    private static ApiException invalid(Review review, String field, String why) {
        return new ApiException(
                ErrorReason.INVALID,
                "%s is invalid: %s: Invalid value: %s".formatted(review.kind(), field, why));
    }

    private static void answer(Review review, ObjectNode status, Caller caller) {
        switch (review) {
            case SELF_ACCESS, ACCESS, LOCAL_ACCESS ->
                    status.put("allowed", true).put("reason", WHY_ALLOWED);
            case SELF_RULES -> {
                ObjectNode resources = status.putArray("resourceRules").addObject();
                resources.putArray("verbs").add("*");
                resources.putArray("apiGroups").add("*");
                resources.putArray("resources").add("*");
                ObjectNode urls = status.putArray("nonResourceRules").addObject();
                urls.putArray("verbs").add("*");
                urls.putArray("nonResourceURLs").add("*");
                status.put("incomplete", false);
            }
            case SELF -> {
                ObjectNode user = status.putObject("userInfo");
                user.put("username", caller.username());
                if (!caller.uid().isEmpty()) {
                    user.put("uid", caller.uid());
                }
                ArrayNode groups = user.putArray("groups");
                caller.groups().forEach(groups::add);
            }
        }
    }
}
