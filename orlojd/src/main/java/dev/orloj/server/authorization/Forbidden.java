package dev.orloj.server.authorization;

import dev.orloj.api.ErrorReason;
import dev.orloj.api.Status;

import java.util.List;
import java.util.Optional;

/** Words a denial as kube-apiserver does. */
public final class Forbidden {

    private Forbidden() {}

    /** Returns the denial of the first part that a user has no right to; empty without one. */
    public static Optional<Status> denial(
            Authorizer authorizer, UserInfo user, List<Attributes> parts) {
        for (Attributes part : parts) {
            Decision decision = authorizer.decide(user, part);
            if (!decision.allowed()) {
                return Optional.of(status(user, part, decision.reason()));
            }
        }
        return Optional.empty();
    }

    public static Status status(UserInfo user, Attributes request, String reason) {
        return switch (request) {
            case Attributes.OfPath path ->
                    Status.failure(
                            ErrorReason.FORBIDDEN,
                            "forbidden: User \"%s\" cannot %s path \"%s\"%s"
                                    .formatted(
                                            clean(user.username()),
                                            path.verb(),
                                            clean(path.path()),
                                            because(reason)),
                            null);
            case Attributes.OfResource resource ->
                    Status.failure(
                            ErrorReason.FORBIDDEN,
                            "%s%s is forbidden: User \"%s\" cannot %s resource \"%s\" in API group \"%s\" %s%s"
                                    .formatted(
                                            groupResource(resource),
                                            resource.name().isEmpty()
                                                    ? ""
                                                    : " \"" + resource.name() + "\"",
                                            clean(user.username()),
                                            resource.verb(),
                                            resource.combined(),
                                            resource.group(),
                                            resource.namespace().isEmpty()
                                                    ? "at the cluster scope"
                                                    : "in the namespace \""
                                                            + resource.namespace()
                                                            + "\"",
                                            because(reason)),
                            Status.Details.of(
                                    resource.group(), resource.resource(), resource.name()));
        };
    }

    /** A browser may show the message as a page. */
    private static String clean(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }

    private static String groupResource(Attributes.OfResource resource) {
        return resource.group().isEmpty()
                ? resource.resource()
                : resource.resource() + "." + resource.group();
    }

    private static String because(String reason) {
        return reason.isEmpty() ? "" : ": " + reason;
    }
}
