package dev.orloj.server.store.key;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Names an AES key in a hardware security module, as RFC 7512 does: {@code
 * pkcs11:token=T;object=K?module-path=/path/module.so&pin-source=/path/pin}.
 *
 * @param token the label of the token
 * @param object the label of the key
 * @param module the library of the vendor
 * @param pinSource the file with the PIN of the user
 */
record Pkcs11Uri(String token, String object, Path module, Path pinSource) {

    private static final String SCHEME = "pkcs11:";

    /** CK_TOKEN_INFO has room for so many bytes. */
    private static final int MAX_LABEL = 32;

    private static final int MAX_OBJECT = 128;
    private static final Set<String> TYPES = Set.of("secret-key");

    private static final String EXPECTED =
            "expected"
                + " pkcs11:token=TOKEN;object=KEY?module-path=/PATH/MODULE.so&pin-source=/PATH/PIN";

    /**
     * Parses a URI.
     *
     * @throws IllegalArgumentException when it is none, or leaves out or has a part that it must
     *     not; the message shows no value of the query
     */
    static Pkcs11Uri parse(String text) {
        if (!text.startsWith(SCHEME)) {
            throw new IllegalArgumentException(EXPECTED);
        }
        String[] parts = text.substring(SCHEME.length()).split("\\?", 2);
        Map<String, String> path = attributes(parts[0], ";");
        Map<String, String> query = attributes(parts.length == 1 ? "" : parts[1], "&");
        if (query.containsKey("pin-value")) {
            throw new IllegalArgumentException(
                    "pin-value would show the PIN to others: put it into a file, and name that with"
                            + " pin-source=/PATH/PIN");
        }
        requireKnown(path, Set.of("token", "object", "type"));
        requireKnown(query, Set.of("module-path", "pin-source"));
        if (!TYPES.contains(path.getOrDefault("type", "secret-key"))) {
            throw new IllegalArgumentException(
                    "type=%s: the key has to be of type=secret-key".formatted(path.get("type")));
        }
        return new Pkcs11Uri(
                required(path, "token", MAX_LABEL),
                required(path, "object", MAX_OBJECT),
                file(query, "module-path"),
                file(query, "pin-source"));
    }

    private static Map<String, String> attributes(String text, String separator) {
        Map<String, String> attributes = new HashMap<>();
        for (String attribute : text.split(separator, -1)) {
            int equals = attribute.indexOf('=');
            if (equals > 0) {
                String name = attribute.substring(0, equals);
                // A plus stands for itself here, unlike in forms.
                String value = attribute.substring(equals + 1).replace("+", "%2B");
                if (attributes.put(name, decoded(name, value)) != null) {
                    throw new IllegalArgumentException(name + " is there twice");
                }
            } else if (!attribute.isEmpty()) {
                throw new IllegalArgumentException(EXPECTED);
            }
        }
        return attributes;
    }

    private static String decoded(String name, String value) {
        try {
            return URLDecoder.decode(value, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(name + " has an incomplete % escape", e);
        }
    }

    private static void requireKnown(Map<String, String> attributes, Set<String> known) {
        for (String name : attributes.keySet()) {
            if (!known.contains(name)) {
                throw new IllegalArgumentException(
                        "the attribute %s is not supported; %s".formatted(name, EXPECTED));
            }
        }
    }

    private static String required(Map<String, String> attributes, String name, int longest) {
        String value = attributes.getOrDefault(name, "");
        if (value.isEmpty() || value.length() > longest) {
            throw new IllegalArgumentException(
                    value.isEmpty()
                            ? name + " is missing; " + EXPECTED
                            : "%s has more than %d characters".formatted(name, longest));
        }
        return value;
    }

    private static Path file(Map<String, String> attributes, String name) {
        String value = required(attributes, name, 4_096).replaceFirst("^file:(//)?", "");
        Path path = Path.of(value);
        if (!path.isAbsolute()) {
            throw new IllegalArgumentException(
                    "%s \"%s\" is no absolute path".formatted(name, value));
        }
        return path;
    }

    /** Returns whether an id is of a key in a module, and not of one in a file. */
    static boolean isId(String id) {
        return id.startsWith(SCHEME);
    }

    /** Returns the part that names the key, and not how this machine reaches it. */
    String id() {
        return SCHEME + "token=" + encoded(token) + ";object=" + encoded(object);
    }

    private static String encoded(String text) {
        StringBuilder encoded = new StringBuilder();
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (b & 0xff);
            boolean isPlain = c < 0x80 && (Character.isLetterOrDigit(c) || "-._~".indexOf(c) >= 0);
            encoded.append(isPlain ? String.valueOf(c) : "%%%02X".formatted((int) c));
        }
        return encoded.toString();
    }
}
