package dev.orloj.server.token;

import dev.orloj.api.Kind;
import dev.orloj.api.Resource;
import dev.orloj.api.core.CoreSecret;
import dev.orloj.api.core.Pod;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * An object without which a token does not count.
 *
 * @param kind {@code Pod} or {@code Secret}
 */
public record BoundObject(String kind, String name, String uid) {

    private static final Map<String, Kind<? extends Resource>> KINDS =
            Map.of("Pod", Pod.KIND, "Secret", CoreSecret.KIND);

    /** Returns the kinds that a token can be bound to. */
    public static Optional<Kind<? extends Resource>> kind(String apiVersion, String name) {
        return apiVersion.equals("v1") ? Optional.ofNullable(KINDS.get(name)) : Optional.empty();
    }

    Kind<? extends Resource> resourceKind() {
        return kind("v1", kind).orElseThrow();
    }

    private String claim() {
        return kind.toLowerCase(Locale.ROOT);
    }

    void write(ObjectNode claims) {
        claims.putObject(claim()).put("name", name).put("uid", uid);
    }

    static Optional<BoundObject> read(JsonNode claims) {
        return KINDS.keySet().stream()
                .map(
                        kind -> {
                            JsonNode claim = claims.path(kind.toLowerCase(Locale.ROOT));
                            return new BoundObject(
                                    kind,
                                    claim.path("name").asString(""),
                                    claim.path("uid").asString(""));
                        })
                .filter(bound -> !bound.name().isEmpty())
                .findFirst();
    }

    Map<String, List<String>> extra() {
        return kind.equals("Pod")
                ? Map.of(
                        "authentication.kubernetes.io/pod-name", List.of(name),
                        "authentication.kubernetes.io/pod-uid", List.of(uid))
                : Map.of();
    }
}
