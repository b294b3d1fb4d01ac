package dev.orloj.server.rest.system;

import dev.orloj.api.rbac.PolicyRule;
import dev.orloj.server.authorization.Attributes;
import dev.orloj.server.authorization.Authorizer;
import dev.orloj.server.authorization.Decision;
import dev.orloj.server.authorization.UserInfo;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Answers reviews by the roles of the user. On the port that does not authenticate, every client
 * may do everything, and the answers say why.
 */
final class ReviewAnswers {

    private static final String WHY_ALLOWED =
            "orlojd does not authorize requests of this port: every client of it may do everything";

    private static final PolicyRule EVERYTHING =
            new PolicyRule(List.of("*"), List.of("*"), List.of("*"), List.of(), List.of());
    private static final PolicyRule EVERY_PATH =
            new PolicyRule(List.of("*"), List.of(), List.of(), List.of(), List.of("*"));

    private final Optional<Authorizer> authorizer;

    /**
     * @param authorizer absent when no port authenticates
     */
    ReviewAnswers(Optional<Authorizer> authorizer) {
        this.authorizer = authorizer;
    }

    /**
     * Adds the status to a review.
     *
     * @param client absent on the port that does not authenticate
     */
    void answer(ReviewKind review, ObjectNode question, Optional<UserInfo> client) {
        JsonNode spec = question.path("spec");
        ObjectNode status = question.putObject("status");
        switch (review) {
            case SELF_ACCESS -> decide(client, spec, status);
            case ACCESS, LOCAL_ACCESS -> decide(client.map(_ -> subject(spec)), spec, status);
            case SELF_RULES ->
                    list(
                            client.map(user -> rules(user, spec))
                                    .orElse(List.of(EVERYTHING, EVERY_PATH)),
                            status);
            case SELF -> describe(client.orElse(UserInfo.ANONYMOUS), status.putObject("userInfo"));
        }
    }

    private List<PolicyRule> rules(UserInfo user, JsonNode spec) {
        return authorizer.orElseThrow().rules(user, spec.path("namespace").asString(""));
    }

    private void decide(Optional<UserInfo> user, JsonNode spec, ObjectNode status) {
        Decision decision =
                user.map(u -> authorizer.orElseThrow().decide(u, attributes(spec)))
                        .orElse(new Decision(true, WHY_ALLOWED));
        status.put("allowed", decision.allowed());
        if (!decision.reason().isEmpty()) {
            status.put("reason", decision.reason());
        }
    }

    private static Attributes attributes(JsonNode spec) {
        JsonNode resource = spec.path("resourceAttributes");
        if (resource.isObject()) {
            return new Attributes.OfResource(
                    resource.path("verb").asString(""),
                    resource.path("group").asString(""),
                    resource.path("resource").asString(""),
                    resource.path("subresource").asString(""),
                    resource.path("namespace").asString(""),
                    resource.path("name").asString(""));
        }
        JsonNode path = spec.path("nonResourceAttributes");
        return new Attributes.OfPath(
                path.path("verb").asString(""), path.path("path").asString(""));
    }

    private static UserInfo subject(JsonNode spec) {
        return new UserInfo(
                spec.path("user").asString(""),
                spec.path("uid").asString(""),
                spec.path("groups").valueStream().map(group -> group.asString("")).toList(),
                Map.of());
    }

    private static void list(List<PolicyRule> rules, ObjectNode status) {
        ArrayNode resources = status.putArray("resourceRules");
        ArrayNode paths = status.putArray("nonResourceRules");
        for (PolicyRule rule : rules) {
            if (rule.nonResourceURLs().isEmpty()) {
                ObjectNode each = resources.addObject();
                put(each, "verbs", rule.verbs());
                put(each, "apiGroups", rule.apiGroups());
                put(each, "resources", rule.resources());
                if (!rule.resourceNames().isEmpty()) {
                    put(each, "resourceNames", rule.resourceNames());
                }
            } else {
                ObjectNode each = paths.addObject();
                put(each, "verbs", rule.verbs());
                put(each, "nonResourceURLs", rule.nonResourceURLs());
            }
        }
        status.put("incomplete", false);
    }

    private static void put(ObjectNode node, String field, List<String> values) {
        ArrayNode array = node.putArray(field);
        values.forEach(array::add);
    }

    private static void describe(UserInfo client, ObjectNode user) {
        user.put("username", client.username());
        if (!client.uid().isEmpty()) {
            user.put("uid", client.uid());
        }
        put(user, "groups", client.groups());
        if (!client.extra().isEmpty()) {
            ObjectNode extra = user.putObject("extra");
            client.extra().forEach((name, values) -> put(extra, name, values));
        }
    }
}
