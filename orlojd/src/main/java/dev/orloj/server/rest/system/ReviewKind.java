package dev.orloj.server.rest.system;

import dev.orloj.server.discovery.ApiResource;
import dev.orloj.server.rest.request.ApiPath;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The reviews by which clients ask who they are and what they may do. */
enum ReviewKind {
    SELF_ACCESS("authorization.k8s.io", "SelfSubjectAccessReview", false),
    SELF_RULES("authorization.k8s.io", "SelfSubjectRulesReview", false),
    ACCESS("authorization.k8s.io", "SubjectAccessReview", false),
    LOCAL_ACCESS("authorization.k8s.io", "LocalSubjectAccessReview", true),
    SELF("authentication.k8s.io", "SelfSubjectReview", false);

    static final List<ApiResource> RESOURCES =
            Arrays.stream(values()).map(review -> review.resource).toList();

    private final ApiResource resource;

    ReviewKind(String group, String kind, boolean namespaced) {
        this.resource = ApiResource.question(group, kind, namespaced);
    }

    String apiVersion() {
        return resource.group() + "/" + resource.version();
    }

    String kind() {
        return resource.kind();
    }

    /** The review that a path requests. */
    static Optional<ReviewKind> at(ApiPath path) {
        return Arrays.stream(values())
                .filter(review -> review.resource.group().equals(path.group()))
                .filter(review -> review.resource.plural().equals(path.plural()))
                .filter(review -> review.resource.namespaced() != path.namespace().isEmpty())
                .filter(_ -> path.name().isEmpty())
                .findFirst();
    }
}
