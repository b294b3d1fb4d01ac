package dev.orloj.cli.output;

import tools.jackson.databind.JsonNode;

/** Formats the result of a tool for users. */
public final class ToolResult {

    private ToolResult() {}

    /**
     * Returns text unchanged, other content on one line each, and structured content when there is
     * no text.
     */
    public static String toText(JsonNode result) {
        StringBuilder text = new StringBuilder();
        boolean hasText = false;
        for (JsonNode block : result.path("content")) {
            hasText |= block.path("type").asString("").equals("text");
            String part = block(block);
            text.append(part).append(part.endsWith("\n") ? "" : "\n");
        }
        if (!hasText && result.has("structuredContent")) {
            text.append(Documents.toJson(result.get("structuredContent")));
        }
        return text.toString();
    }

    private static String block(JsonNode block) {
        String type = block.path("type").asString("unknown");
        return switch (type) {
            case "text" -> block.path("text").asString("");
            case "image", "audio" ->
                    "[%s, %s, %s]"
                            .formatted(
                                    type,
                                    block.path("mimeType").asString("unknown type"),
                                    decodedSize(block.path("data").asString("")));
            case "resource_link" ->
                    "[link to %s: %s]"
                            .formatted(
                                    block.path("name").asString("a resource"),
                                    block.path("uri").asString(""));
            case "resource" -> resource(block.path("resource"));
            default -> "[%s, %s]".formatted(Text.oneLine(type), size(block.toString().length()));
        };
    }

    private static String resource(JsonNode resource) {
        String uri = resource.path("uri").asString("");
        String mimeType = resource.path("mimeType").asString("unknown type");
        String size =
                resource.has("blob")
                        ? decodedSize(resource.path("blob").asString(""))
                        : size(resource.path("text").asString("").length());
        return "[resource %s, %s, %s]".formatted(uri, mimeType, size);
    }

    private static String decodedSize(String base64) {
        int padding = base64.endsWith("==") ? 2 : base64.endsWith("=") ? 1 : 0;
        return size(base64.length() / 4L * 3 - padding);
    }

    private static String size(long bytes) {
        return bytes < 10_000
                ? Text.count(Math.max(0, bytes), "byte")
                : bytes < 10_000_000 ? bytes / 1000 + " kB" : bytes / 1_000_000 + " MB";
    }
}
