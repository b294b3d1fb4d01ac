package dev.orloj.runtime.result;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

import java.util.Optional;

/**
 * Shortens a result with too much text. Text is truncated at the limit, at a whole character, and
 * ends with a line that says so; later blocks of text are removed. Everything else is kept: the
 * nodes are those of the original, which is not modified. For one use.
 */
final class ResultCut {

    /** The member of {@code _meta} that describes the truncation. */
    static final String META_KEY = "orloj.dev/truncated";

    private final ObjectNode whole;
    private final long bytes;
    private final long limit;
    private final Optional<String> id;
    private final ArrayNode content = JsonNodeFactory.instance.arrayNode();

    /** Number of bytes processed, including separators. */
    private long position = 0;

    private boolean begun = false;
    private boolean cut = false;

    private ResultCut(ObjectNode whole, long bytes, long limit, Optional<String> id) {
        this.whole = whole;
        this.bytes = bytes;
        this.limit = limit;
        this.id = id;
    }

    /**
     * @param bytes the length of the text, which exceeds the limit
     * @param id the id of the kept result; empty when it is not kept
     */
    static ObjectNode of(ObjectNode whole, long bytes, long limit, Optional<String> id) {
        return new ResultCut(whole, bytes, limit, id).make();
    }

    private ObjectNode make() {
        for (JsonNode block : whole.path("content")) {
            JsonNode text = ResultText.of(block);
            if (text.isString()) {
                addText((ObjectNode) block, text.asString());
            } else {
                content.add(block);
            }
        }
        ObjectNode shorter = copy(whole);
        shorter.set("content", content);
        ObjectNode meta =
                whole.get("_meta") instanceof ObjectNode given
                        ? copy(given)
                        : JsonNodeFactory.instance.objectNode();
        ObjectNode note = meta.putObject(META_KEY);
        note.put("bytes", bytes).put("limit", limit).put("offset", position);
        id.ifPresent(kept -> note.put("result", kept));
        shorter.set("_meta", meta);
        return shorter;
    }

    private void addText(ObjectNode block, String text) {
        if (cut) {
            if (block.has("resource")) {
                content.add(withText(block, "[cut]"));
            }
            return;
        }
        position += begun ? ResultText.SEPARATOR.length() : 0;
        begun = true;
        int end = Utf8.indexAt(text, limit - position);
        if (end == text.length() && position <= limit) {
            position += Utf8.length(text);
            content.add(block);
            return;
        }
        String shown = text.substring(0, end);
        position += Utf8.length(shown);
        cut = true;
        content.add(withText(block, shown + (shown.isEmpty() ? "" : "\n") + marker()));
    }

    private String marker() {
        String where =
                id.map(
                                kept ->
                                        "the rest is kept as result %s from offset %d"
                                                .formatted(kept, position))
                        .orElse("it is too long to be kept as a whole");
        return "[cut by orloj after %d of %d bytes; %s]".formatted(position, bytes, where);
    }

    private static ObjectNode withText(ObjectNode block, String text) {
        ObjectNode copy = copy(block);
        if (copy.get("resource") instanceof ObjectNode resource) {
            ObjectNode other = copy(resource);
            other.put("text", text);
            copy.set("resource", other);
        } else {
            copy.put("text", text);
        }
        return copy;
    }

    /** Returns a shallow copy: its values are the same nodes. */
    private static ObjectNode copy(ObjectNode object) {
        ObjectNode copy = JsonNodeFactory.instance.objectNode();
        object.properties().forEach(field -> copy.set(field.getKey(), field.getValue()));
        return copy;
    }
}
