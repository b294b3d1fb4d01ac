package dev.orloj.runtime.result;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

import java.util.ArrayList;
import java.util.List;

/**
 * The text of a {@code CallToolResult}: that of its text blocks and of its embedded text resources,
 * in their order, with a line end between two. Media are no text, and neither is {@code
 * structuredContent}, of which a part would be worth nothing.
 */
final class ResultText {

    static final String SEPARATOR = "\n";

    private ResultText() {}

    /** The text of one content block; a missing node when it has none. */
    static JsonNode of(JsonNode block) {
        JsonNode text =
                switch (block.path("type").asString("")) {
                    case "text" -> block.path("text");
                    case "resource" -> block.path("resource").path("text");
                    default -> MissingNode.getInstance();
                };
        return text.isString() ? text : MissingNode.getInstance();
    }

    /** The texts of all blocks that have one. */
    static List<String> texts(JsonNode result) {
        List<String> texts = new ArrayList<>();
        if (!result.path("content").isArray()) {
            return texts;
        }
        for (JsonNode block : result.path("content")) {
            JsonNode text = of(block);
            if (text.isString()) {
                texts.add(text.asString());
            }
        }
        return texts;
    }

    /** How many bytes of UTF-8 the text has. */
    static long bytes(JsonNode result) {
        List<String> texts = texts(result);
        long bytes = (long) Math.max(0, texts.size() - 1) * SEPARATOR.length();
        for (String text : texts) {
            bytes += Utf8.length(text);
        }
        return bytes;
    }
}
