package dev.orloj.runtime.result;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

import java.util.ArrayList;
import java.util.List;

/**
 * The text of a {@code CallToolResult}: that of its text blocks and embedded text resources in
 * order, separated by a line feed. Media are not text. {@code structuredContent} is not included,
 * because a part of it would be useless.
 */
final class ResultText {

    static final String SEPARATOR = "\n";

    private ResultText() {}

    /** Returns the text of one content block; a missing node when the block has no text. */
    static JsonNode of(JsonNode block) {
        JsonNode text =
                switch (block.path("type").asString("")) {
                    case "text" -> block.path("text");
                    case "resource" -> block.path("resource").path("text");
                    default -> MissingNode.getInstance();
                };
        return text.isString() ? text : MissingNode.getInstance();
    }

    /** Returns the texts of all blocks that have text. */
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

    /** Returns the length of the text in bytes of UTF-8. */
    static long bytes(JsonNode result) {
        List<String> texts = texts(result);
        long bytes = (long) Math.max(0, texts.size() - 1) * SEPARATOR.length();
        for (String text : texts) {
            bytes += Utf8.length(text);
        }
        return bytes;
    }
}
