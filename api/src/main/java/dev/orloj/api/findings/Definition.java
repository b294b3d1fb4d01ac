package dev.orloj.api.findings;

import dev.orloj.api.codec.Json;

import tools.jackson.databind.node.ObjectNode;

import java.util.Locale;

/**
 * Something that a server offers and that a model reads.
 *
 * @param content as the server lists it; not changed
 */
public record Definition(Kind kind, ObjectNode content) {

    /** What is defined. */
    public enum Kind {
        TOOL,
        PROMPT,
        RESOURCE,
        RESOURCE_TEMPLATE,
        /** What a server says of itself: its {@code instructions} and {@code serverInfo}. */
        SERVER;

        private String word() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    public static Definition tool(ObjectNode definition) {
        return new Definition(Kind.TOOL, definition);
    }

    /** Returns the instructions of a server as a definition. */
    public static Definition instructions(String instructions) {
        return new Definition(
                Kind.SERVER, Json.MAPPER.createObjectNode().put("instructions", instructions));
    }

    /** Returns the name, or the URI of a resource without a name; empty for a server. */
    public String name() {
        return content.path("name")
                .asString(content.path("uri").asString(content.path("uriTemplate").asString("")));
    }

    /** Returns what no other definition of its server has. */
    public String key() {
        return kind
                + " "
                + content.path("uri").asString(content.path("uriTemplate").asString(name()));
    }

    /** Returns kind and name, with escapes for what cannot be seen, such as {@code tool/search}. */
    String subject() {
        String name = name();
        return name.isEmpty() ? kind.word() : kind.word() + "/" + Excerpt.escape(name);
    }
}
