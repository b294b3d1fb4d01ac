package dev.orloj.runtime.http;

import dev.orloj.api.codec.Json;
import dev.orloj.api.codec.MalformedDocumentException;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Converts an HTTP response to a {@code CallToolResult}: JSON and text as text, a JSON object also
 * as structured content, and images and audio as media. Any other response becomes an error for the
 * model, with the status and the beginning of the body.
 */
final class AnswerContent {

    private static final int EXCERPT = 4_000;
    private static final int SHORTEST_SECRET = 4;
    private static final int MAX_NAME = 200;
    private static final Pattern CONTROLS = Pattern.compile("[\\p{Cntrl}&&[^\\n\\t]]+");
    private static final Set<String> TEXTS =
            Set.of(
                    "application/xml",
                    "application/yaml",
                    "application/x-yaml",
                    "application/javascript",
                    "application/x-ndjson",
                    "application/x-www-form-urlencoded",
                    "application/toml",
                    "application/graphql");

    private AnswerContent() {}

    /**
     * @param secrets masked in errors, because endpoints echo input that they refuse
     */
    static ObjectNode of(HttpAnswer answer, List<String> secrets) {
        if (!answer.isSuccess()) {
            return error(failure(answer, secrets));
        }
        String type = answer.mimeType();
        if (answer.body().length == 0) {
            return text("HTTP %d, without content".formatted(answer.status()));
        }
        if (type.equals("application/json") || type.endsWith("+json")) {
            return json(answer, secrets);
        }
        if (type.isEmpty()
                || type.startsWith("text/")
                || type.endsWith("+xml") && !type.startsWith("image/")
                || TEXTS.contains(type)) {
            return text(answer.text());
        }
        if (type.startsWith("image/")) {
            return media("image", type, answer.body());
        }
        if (type.startsWith("audio/")) {
            return media("audio", type, answer.body());
        }
        return error(
                "HTTP %d with %d bytes of \"%s\", which is no JSON, text, image or audio"
                        .formatted(answer.status(), answer.body().length, cut(type)));
    }

    private static ObjectNode json(HttpAnswer answer, List<String> secrets) {
        try {
            JsonNode value = Json.MAPPER.readTree(answer.body());
            ObjectNode result = text(answer.text());
            if (value.isObject()) {
                result.set("structuredContent", value);
            }
            return result;
        } catch (JacksonException e) {
            return error(
                    "HTTP %d with JSON that cannot be read: %s%s"
                            .formatted(
                                    answer.status(),
                                    MalformedDocumentException.of(e).getMessage(),
                                    excerpt(answer, secrets)));
        }
    }

    private static String failure(HttpAnswer answer, List<String> secrets) {
        String head = "HTTP %d %s".formatted(answer.status(), cut(answer.phrase())).strip();
        if (answer.status() >= 300 && answer.status() < 400) {
            return head
                    + answer.location()
                            .map(
                                    target ->
                                            ": redirects to \"%s\", which is not followed, since credentials go to no other place; the Tool's spec.endpoint has to name it"
                                                    .formatted(cut(redacted(target, secrets))))
                            .orElse("");
        }
        String hint =
                answer.status() == 401 || answer.status() == 403
                        ? " (the credentials in the Tool's spec.auth or spec.headers are missing,"
                                + " wrong or not sufficient)"
                        : "";
        String again =
                answer.retryAfter().map(value -> " (retry after " + cut(value) + ")").orElse("");
        return head + hint + again + excerpt(answer, secrets);
    }

    private static String excerpt(HttpAnswer answer, List<String> secrets) {
        boolean isMedia =
                answer.mimeType().startsWith("image/") || answer.mimeType().startsWith("audio/");
        // Before truncation, which could leave the beginning of a secret.
        String text =
                isMedia
                        ? ""
                        : redacted(CONTROLS.matcher(answer.text()).replaceAll(" "), secrets)
                                .strip();
        if (text.isEmpty()) {
            return "";
        }
        return ": " + (text.length() > EXCERPT ? text.substring(0, EXCERPT) + "..." : text);
    }

    private static String redacted(String text, List<String> secrets) {
        String shown = text;
        for (String secret : secrets) {
            for (String part : secret.split(" ", -1)) {
                if (part.length() >= SHORTEST_SECRET && !part.equals("Bearer")) {
                    shown = shown.replace(part, "***");
                }
            }
        }
        return shown;
    }

    private static String cut(String text) {
        return text.length() > MAX_NAME ? text.substring(0, MAX_NAME) + "..." : text;
    }

    private static ObjectNode error(String message) {
        return text(message).put("isError", true);
    }

    private static ObjectNode text(String text) {
        ObjectNode result = JsonNodeFactory.instance.objectNode();
        result.putArray("content").addObject().put("type", "text").put("text", text);
        return result;
    }

    private static ObjectNode media(String kind, String type, byte[] bytes) {
        ObjectNode result = JsonNodeFactory.instance.objectNode();
        result.putArray("content")
                .addObject()
                .put("type", kind)
                .put("data", Base64.getEncoder().encodeToString(bytes))
                .put("mimeType", type);
        return result;
    }
}
