package dev.orloj.controllers.compact;

import dev.orloj.api.ObjectMeta;
import dev.orloj.api.OwnerReference;
import dev.orloj.api.v1.Tool;
import dev.orloj.api.v1.ToolDefinition;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * Converts Tools to an equal form that uses less memory. Values that the Tools of a server have in
 * common, such as labels, owners, and the words of schemas, are stored once. JSON objects become
 * maps without spare capacity. The JSON must not be changed afterwards, which is true of everything
 * from a cache. Not thread-safe.
 */
public final class CompactTools implements UnaryOperator<Tool> {

    /** Texts up to this length often repeat: names of fields and types, not descriptions. */
    private static final int LONGEST_SHARED = 64;

    private static final int MAX_SHARED = 4_096;

    private final Map<Object, Object> shared = new Latest<>();

    /**
     * Keyed by text. Servers choose the texts, and hash tables stay fast for strings that collide.
     */
    private final Map<String, JsonNode> texts = new Latest<>();

    private static final class Latest<K, V> extends LinkedHashMap<K, V> {

        private static final long serialVersionUID = 1L;

        Latest() {
            super(64, 0.75f, true);
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
            return size() > MAX_SHARED;
        }
    }

    @Override
    public Tool apply(Tool tool) {
        return new Tool(
                share(tool.apiVersion()),
                share(tool.kind()),
                compact(tool.metadata()),
                compact(tool.spec()),
                tool.status());
    }

    private ObjectMeta compact(ObjectMeta metadata) {
        Map<String, String> labels = share(metadata.labels());
        List<OwnerReference> owners = share(metadata.ownerReferences());
        return new ObjectMeta(
                metadata.name(),
                metadata.generateName(),
                share(metadata.namespace()),
                metadata.uid(),
                metadata.resourceVersion(),
                metadata.generation(),
                metadata.creationTimestamp(),
                metadata.deletionTimestamp(),
                metadata.deletionGracePeriodSeconds(),
                labels,
                metadata.annotations(),
                owners,
                metadata.finalizers(),
                metadata.managedFields());
    }

    private Tool.Spec compact(Tool.Spec spec) {
        return new Tool.Spec(
                share(spec.type()),
                spec.endpoint(),
                share(spec.mcpServerRef()),
                spec.mcpToolName(),
                spec.agentName(),
                compact(spec.definition()),
                spec.capabilities(),
                share(spec.riskLevel()),
                spec.timeout(),
                share(spec.output()),
                spec.request().equals(Tool.Request.NONE) ? Tool.Request.NONE : spec.request(),
                spec.argumentCheck());
    }

    private ToolDefinition compact(ToolDefinition definition) {
        return new ToolDefinition(
                definition.title(),
                definition.description(),
                compact(definition.inputSchema()),
                compact(definition.outputSchema()),
                compact(definition.annotations()),
                compact(definition.icons()),
                compact(definition.meta()),
                (ObjectNode) compact(definition.extra()));
    }

    private @Nullable JsonNode compact(@Nullable JsonNode node) {
        return node == null ? null : packed(node);
    }

    /** Returns an unmodifiable object with the same members. */
    public static ObjectNode shallow(ObjectNode object) {
        return object.size() <= SmallMap.MAX_ENTRIES
                ? new ObjectNode(JsonNodeFactory.instance, new SmallMap<>(members(object)))
                : object;
    }

    private static Map<String, JsonNode> members(ObjectNode object) {
        Map<String, JsonNode> members = LinkedHashMap.newLinkedHashMap(object.size());
        object.properties().forEach(member -> members.put(member.getKey(), member.getValue()));
        return members;
    }

    private JsonNode packed(JsonNode node) {
        if (node instanceof ObjectNode object) {
            Map<String, JsonNode> members = LinkedHashMap.newLinkedHashMap(object.size());
            object.properties()
                    .forEach(
                            member ->
                                    members.put(share(member.getKey()), packed(member.getValue())));
            return new ObjectNode(
                    JsonNodeFactory.instance,
                    members.size() <= SmallMap.MAX_ENTRIES ? new SmallMap<>(members) : members);
        }
        if (node instanceof ArrayNode array) {
            List<JsonNode> elements = array.valueStream().map(this::packed).toList();
            return new ArrayNode(JsonNodeFactory.instance, elements);
        }
        return node.isString() && node.asString().length() <= LONGEST_SHARED
                ? texts.computeIfAbsent(node.asString(), _ -> node)
                : node;
    }

    /** Returns the first of all values that are equal to this one. */
    @SuppressWarnings("unchecked") // equal values are of one type here
    private <T> T share(T value) {
        return (T) shared.computeIfAbsent(value, same -> same);
    }
}
