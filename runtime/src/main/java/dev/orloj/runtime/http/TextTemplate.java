package dev.orloj.runtime.http;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A text with placeholders for arguments, {@code {name}}; {@code {{} and {@code }}} are braces.
 * Immutable.
 */
final class TextTemplate {

    private sealed interface Part {

        record Literal(String text) implements Part {}

        record Place(String name) implements Part {}
    }

    /** Returns the text of an argument; null when it is absent. */
    @FunctionalInterface
    interface Values {

        @Nullable String text(String name) throws UnfitArgumentsException;
    }

    private final List<Part> parts;

    private TextTemplate(List<Part> parts) {
        this.parts = List.copyOf(parts);
    }

    /** Returns a template without placeholders; braces have no special meaning. */
    static TextTemplate literal(String text) {
        return new TextTemplate(List.of(new Part.Literal(text)));
    }

    /**
     * @param field the field that contains the text
     * @throws InvalidTemplateException when braces are unbalanced
     */
    static TextTemplate parse(String field, String text) {
        List<Part> parts = new ArrayList<>();
        StringBuilder literal = new StringBuilder();
        int i = 0;
        while (i < text.length()) {
            char c = text.charAt(i);
            if ((c == '{' || c == '}') && text.startsWith(String.valueOf(c), i + 1)) {
                literal.append(c);
                i += 2;
            } else if (c == '}') {
                throw unbalanced(field, text, "}");
            } else if (c == '{') {
                int end = text.indexOf('}', i);
                String name = end < 0 ? "" : text.substring(i + 1, end).strip();
                if (name.isEmpty() || name.indexOf('{') >= 0) {
                    throw unbalanced(field, text, "{");
                }
                parts.add(new Part.Literal(literal.toString()));
                literal.setLength(0);
                parts.add(new Part.Place(name));
                i = end + 1;
            } else {
                literal.append(c);
                i++;
            }
        }
        parts.add(new Part.Literal(literal.toString()));
        parts.removeIf(part -> part instanceof Part.Literal(String empty) && empty.isEmpty());
        return new TextTemplate(parts);
    }

    private static InvalidTemplateException unbalanced(String field, String text, String brace) {
        String shown = text.length() > 200 ? text.substring(0, 200) + "..." : text;
        return new InvalidTemplateException(
                field,
                "\"%s\" has a %s that is no part of a place such as {name}; write %s for a brace"
                        .formatted(shown, brace, brace + brace));
    }

    /** Returns the names of the arguments in the order of their placeholders. */
    List<String> names() {
        return parts.stream()
                .<String>mapMulti(
                        (part, sink) -> {
                            if (part instanceof Part.Place(String name)) {
                                sink.accept(name);
                            }
                        })
                .toList();
    }

    /** Returns the argument if the text consists of its placeholder only. */
    Optional<String> onlyName() {
        return parts.size() == 1 && parts.getFirst() instanceof Part.Place(String name)
                ? Optional.of(name)
                : Optional.empty();
    }

    /** Returns the complete text; empty when an argument is absent. */
    Optional<String> fill(Values values, TextLimit limit) throws UnfitArgumentsException {
        StringBuilder text = new StringBuilder();
        for (Part part : parts) {
            switch (part) {
                case Part.Literal(String literal) -> text.append(literal);
                case Part.Place(String name) -> {
                    String value = values.text(name);
                    if (value == null) {
                        return Optional.empty();
                    }
                    text.append(value);
                }
            }
            limit.check(text.length());
        }
        return Optional.of(text.toString());
    }
}
