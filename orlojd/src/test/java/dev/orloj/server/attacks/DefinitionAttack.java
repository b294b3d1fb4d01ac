package dev.orloj.server.attacks;

import dev.orloj.api.approval.DefinitionName;
import dev.orloj.api.approval.OfferedDefinition;
import dev.orloj.api.codec.Json;
import dev.orloj.api.ledger.CanonicalJson;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A poisoned definition of the table, and the harmless one that its server offers before: the same
 * with the fields of {@code before}, where null removes one. Without {@code before}, all but the
 * name is another.
 */
record DefinitionAttack(JsonNode example) {

    private static final Map<String, DefinitionName.Kind> KINDS =
            Map.of(
                    "tool", DefinitionName.Kind.TOOL,
                    "prompt", DefinitionName.Kind.PROMPT,
                    "resource", DefinitionName.Kind.RESOURCE,
                    "template", DefinitionName.Kind.TEMPLATE);

    private static final Map<String, String> LISTS =
            Map.of(
                    "tool", "tools",
                    "prompt", "prompts",
                    "resource", "resources",
                    "template", "resourceTemplates");

    private static final String HARMLESS =
            """
            {"description": "Does one thing.", "title": null, "annotations": null, "icons": null,
             "outputSchema": null, "arguments": null}\
            """;

    private static final Pattern CLASS =
            Pattern.compile("\\(class `(\\w+)`\\)|on_change_of: \\{(\\w+): quarantine}");

    /** All of the table, the variants of a pattern one after the other. */
    static List<DefinitionAttack> all() {
        return AttackTable.examples("attacks").stream()
                .map(DefinitionAttack::new)
                .sorted(Comparator.comparing(DefinitionAttack::id))
                .toList();
    }

    String id() {
        return example.path("id").asString();
    }

    /** Whether it is the first example of its pattern. */
    boolean isFirstVariant() {
        return id().length() == AttackTable.PATTERN_LENGTH;
    }

    /** Whether the page says that pins and quarantine hold the definition. */
    boolean isHeld() {
        return stops().contains("pin, quarantine");
    }

    private String stops() {
        return AttackTable.stops(id());
    }

    /** The policy that holds the change, as the page says. */
    String quarantine() {
        Matcher only = CLASS.matcher(stops());
        if (!only.find()) {
            return "on_change: quarantine";
        }
        String change = only.group(1) == null ? only.group(2) : only.group(1);
        return "on_change_of: {%s: quarantine}".formatted(change);
    }

    /** The namespace of servers that are only for this attack. */
    String namespace(String suffix) {
        return id().toLowerCase(Locale.ROOT) + "-" + suffix;
    }

    /** What the server offers as an attack. */
    ObjectNode offer() {
        ObjectNode offer = offer(poisoned());
        example.path("own")
                .forEach(
                        own ->
                                offer.withArray("tools")
                                        .add(AttackServers.tool(own.asString(), "")));
        return offer;
    }

    /** What it offers before. */
    ObjectNode harmlessOffer() {
        return offer(harmless());
    }

    private ObjectNode offer(JsonNode definition) {
        if (field().equals("instructions")) {
            ObjectNode offer = AttackServers.tools(AttackServers.tool("add", "Adds two numbers."));
            offer.set("instructions", definition.path("instructions"));
            return offer;
        }
        ObjectNode offer = AttackServers.tools();
        if (!field().equals("tool")) {
            offer.withArray("tools").add(AttackServers.tool("add", "Adds two numbers."));
        }
        offer.withArray(LISTS.get(field())).add(definition);
        return offer;
    }

    /** The other servers of the namespace, with their tools. */
    Map<String, List<ObjectNode>> known() {
        Map<String, List<ObjectNode>> known = new TreeMap<>();
        for (JsonNode tool : example.path("known")) {
            String server = tool.path(0).asString();
            known.computeIfAbsent(server.substring(server.indexOf('/') + 1), _ -> new ArrayList<>())
                    .add(AttackServers.tool(tool.path(1).asString(), tool.path(2).asString()));
        }
        return known;
    }

    /** The name of the attack in pins and in what is held. */
    String name() {
        return name(poisoned()).text();
    }

    String harmlessName() {
        return name(harmless()).text();
    }

    private DefinitionName name(ObjectNode definition) {
        return field().equals("instructions")
                ? DefinitionName.INSTRUCTIONS
                : OfferedDefinition.of(KINDS.get(field()), definition).orElseThrow().name();
    }

    String digest() {
        return CanonicalJson.digest(poisoned());
    }

    String harmlessDigest() {
        return CanonicalJson.digest(harmless());
    }

    /**
     * The same without the name; empty if nothing but the name is poisoned, or there is no list.
     */
    Optional<String> digestWithoutName() {
        return Optional.of(AttackedOrlojd.digestWithoutName(poisoned()))
                .filter(_ -> !field().equals("instructions"))
                .filter(digest -> !digest.equals(AttackedOrlojd.digestWithoutName(harmless())));
    }

    /** The member of the example that is the definition. */
    String field() {
        return List.of("tool", "prompt", "resource", "template", "instructions").stream()
                .filter(example::has)
                .findFirst()
                .orElseThrow();
    }

    ObjectNode poisoned() {
        if (example.path("instructions").isString()) {
            return Json.MAPPER.createObjectNode().set("instructions", example.path("instructions"));
        }
        return (ObjectNode) example.path(field()).deepCopy();
    }

    ObjectNode harmless() {
        if (example.path("instructions").isString()) {
            return Json.MAPPER.createObjectNode().put("instructions", "Takes notes.");
        }
        ObjectNode before = poisoned();
        JsonNode changes = example.path("before");
        if (changes.isMissingNode()) {
            changes = Json.MAPPER.readTree(HARMLESS);
            if (field().equals("tool")) {
                before.putObject("inputSchema").put("type", "object");
            }
        }
        changes.properties()
                .forEach(
                        each -> {
                            if (each.getValue().isNull()) {
                                before.remove(each.getKey());
                            } else {
                                before.set(each.getKey(), each.getValue());
                            }
                        });
        return before;
    }

    @Override
    public String toString() {
        return id() + " " + example.path("what").asString();
    }
}
