package dev.orloj.server.store.table;

import dev.orloj.api.codec.Json;

import tools.jackson.core.json.JsonWriteFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectWriter;

/**
 * Converts texts to the form that PostgreSQL accepts. It allows no U+0000 and no half of a
 * surrogate pair; JSON strings may contain both.
 */
public final class StorableText {

    private static final ObjectWriter ESCAPING =
            Json.MAPPER.writer().with(JsonWriteFeature.ESCAPE_NON_ASCII);

    private StorableText() {}

    /** The JSON text of a document, from which parsing makes the same document. */
    public static String ofJson(JsonNode document) {
        String text = Json.MAPPER.writeValueAsString(document);
        return hasLoneSurrogate(text) ? ESCAPING.writeValueAsString(document) : text;
    }

    /** A text to search for: what cannot be stored becomes U+FFFD. */
    public static String ofKey(String text) {
        if (text.indexOf('\0') < 0 && !hasLoneSurrogate(text)) {
            return text;
        }
        StringBuilder storable = new StringBuilder(text.length());
        text.codePoints()
                .map(c -> c == 0 || isSurrogate(c) ? '\uFFFD' : c)
                .forEach(storable::appendCodePoint);
        return storable.toString();
    }

    private static boolean hasLoneSurrogate(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isSurrogate(c)) {
                if (!Character.isHighSurrogate(c)
                        || i + 1 == text.length()
                        || !Character.isLowSurrogate(text.charAt(i + 1))) {
                    return true;
                }
                i++;
            }
        }
        return false;
    }

    private static boolean isSurrogate(int codePoint) {
        return codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
    }
}
