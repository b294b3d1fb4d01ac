package dev.orloj.runtime.call;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.approval.DefinitionName;
import dev.orloj.api.approval.DefinitionName.Kind;
import dev.orloj.api.approval.HeldDefinition;
import dev.orloj.api.approval.OfferedDefinition;
import dev.orloj.api.approval.ServingDecision;
import dev.orloj.api.approval.ToolApproval;
import dev.orloj.api.codec.Json;
import dev.orloj.runtime.catalog.ServerEntry;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Keeps prompts, resource templates and resources that the policy of a server holds from clients.
 * It decides about each list that passes, so a definition is not served before a sync has seen it.
 * Costs nothing for a server without a policy. Thread-safe.
 */
final class FeatureGate {

    /** A longer URI is taken for one of each template that is held. */
    private static final int LONGEST_URI = 8 * 1024;

    private final FeatureDecisions decisions;

    FeatureGate(FeatureDecisions decisions) {
        this.decisions = decisions;
    }

    /** Returns why a request is not sent; empty if it is. */
    Optional<CallOutcome> refusal(ServerEntry entry, String method, ObjectNode params) {
        if (!entry.definition().hasToolPolicy()) {
            return Optional.empty();
        }
        ResourceKey server = entry.definition().server();
        Optional<String> held =
                switch (method) {
                    case "prompts/get" -> prompt(server, text(params, "name"));
                    case "resources/read", "resources/subscribe" ->
                            resource(server, text(params, "uri"));
                    case "completion/complete" -> completed(server, params.path("ref"));
                    default -> Optional.empty();
                };
        return held.map(what -> CallOutcome.DefinitionHeld.of(server, what));
    }

    private static String text(JsonNode params, String field) {
        return params.path(field).asString("");
    }

    private Optional<String> completed(ResourceKey server, JsonNode reference) {
        if (text(reference, "type").equals("ref/prompt")) {
            return prompt(server, text(reference, "name"));
        }
        String uri = text(reference, "uri");
        DefinitionName template = new DefinitionName(Kind.TEMPLATE, uri);
        FeatureDecisions.Known known = decisions.find(server, Set.of(template), Set.of());
        Optional<HeldDefinition> held = held(known, template);
        return held.isPresent()
                ? held.map(each -> "this resource template is held (" + each.reason() + ")")
                : resource(server, uri);
    }

    /** A prompt that was never listed is new. */
    private Optional<String> prompt(ResourceKey server, String prompt) {
        DefinitionName name = new DefinitionName(Kind.PROMPT, prompt);
        FeatureDecisions.Known known = decisions.find(server, Set.of(name), Set.of());
        Optional<HeldDefinition> held = held(known, name);
        if (held.isPresent()) {
            return held.map(each -> "this prompt is held (" + each.reason() + ")");
        }
        if (known.policy().isEmpty() || known.served().contains(name)) {
            return Optional.empty();
        }
        ObjectNode unlisted = Json.MAPPER.createObjectNode().put("name", prompt);
        return decide(known, name, unlisted, ToolApproval.NONE) instanceof ServingDecision.Hold hold
                ? Optional.of("this prompt is not listed, and is held (" + hold.reason() + ")")
                : Optional.empty();
    }

    /** A resource that is not listed, and that no template makes, has no definition to hold. */
    private Optional<String> resource(ResourceKey server, String uri) {
        DefinitionName name = new DefinitionName(Kind.RESOURCE, uri);
        FeatureDecisions.Known known = decisions.find(server, Set.of(name), Set.of(Kind.TEMPLATE));
        Optional<HeldDefinition> held = held(known, name);
        if (held.isPresent()) {
            return held.map(each -> "this resource is held (" + each.reason() + ")");
        }
        if (known.policy().isEmpty() || known.served().contains(name)) {
            return Optional.empty();
        }
        boolean isLong = uri.length() > LONGEST_URI;
        for (DefinitionName template : known.served()) {
            if (template.kind() == Kind.TEMPLATE
                    && !isLong
                    && held(known, template).isEmpty()
                    && new UriTemplate(template.name()).makes(uri)) {
                return Optional.empty();
            }
        }
        return known.known().values().stream()
                .flatMap(each -> each.held().stream())
                .filter(each -> each.name().kind() == Kind.TEMPLATE)
                .filter(each -> isLong || new UriTemplate(each.name().name()).mayMake(uri))
                .findFirst()
                .map(
                        each ->
                                "the resource template that makes this URI is held ("
                                        + each.reason()
                                        + ")");
    }

    private static Optional<HeldDefinition> held(
            FeatureDecisions.Known known, DefinitionName name) {
        return known.policy().isEmpty()
                ? Optional.empty()
                : known.known().getOrDefault(name, ToolApproval.NONE).held();
    }

    private static ServingDecision decide(
            FeatureDecisions.Known known,
            DefinitionName name,
            ObjectNode definition,
            ToolApproval approval) {
        return ServingDecision.of(known.policy(), known.first(), name, definition, approval);
    }

    /** Returns the result of a request for a list without the items that are held. */
    CallOutcome listed(ServerEntry entry, String method, CallOutcome outcome) {
        Optional<Listed> list = Listed.of(method);
        if (list.isEmpty()
                || !entry.definition().hasToolPolicy()
                || !(outcome instanceof CallOutcome.Completed(JsonNode result))
                || !(result instanceof ObjectNode answer)
                || !answer.path(list.get().items()).isArray()) {
            return outcome;
        }
        List<JsonNode> items = answer.path(list.get().items()).valueStream().toList();
        List<JsonNode> served = served(entry, list.get(), items);
        if (served.size() == items.size()) {
            return outcome;
        }
        ObjectNode filtered = Json.MAPPER.createObjectNode();
        filtered.setAll(answer);
        filtered.putArray(list.get().items()).addAll(served);
        return new CallOutcome.Completed(filtered);
    }

    /** Returns the items of a list that are not held. */
    List<JsonNode> served(ServerEntry entry, String method, List<? extends JsonNode> items) {
        return Listed.of(method)
                .filter(_ -> entry.definition().hasToolPolicy())
                .map(list -> served(entry, list, items))
                .orElseGet(() -> List.copyOf(items));
    }

    private List<JsonNode> served(ServerEntry entry, Listed list, List<? extends JsonNode> items) {
        FeatureDecisions.Known known =
                decisions.find(entry.definition().server(), Set.of(), Set.of(list.kind()));
        if (known.policy().isEmpty()) {
            return List.copyOf(items);
        }
        List<JsonNode> served = new ArrayList<>();
        for (JsonNode item : items) {
            OfferedDefinition.of(list.kind(), item)
                    .filter(offered -> isServed(known, offered))
                    .ifPresent(_ -> served.add(item));
        }
        return served;
    }

    private static boolean isServed(FeatureDecisions.Known known, OfferedDefinition offered) {
        ToolApproval approval = known.known().getOrDefault(offered.name(), ToolApproval.NONE);
        return decide(known, offered.name(), offered.definition(), approval)
                instanceof ServingDecision.Serve;
    }

    /** A list that can have held items. */
    private record Listed(Kind kind, String items) {

        static Optional<Listed> of(String method) {
            return switch (method) {
                case "prompts/list" -> Optional.of(new Listed(Kind.PROMPT, "prompts"));
                case "resources/list" -> Optional.of(new Listed(Kind.RESOURCE, "resources"));
                case "resources/templates/list" ->
                        Optional.of(new Listed(Kind.TEMPLATE, "resourceTemplates"));
                default -> Optional.empty();
            };
        }
    }
}
