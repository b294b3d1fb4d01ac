package dev.orloj.controllers.mcpserver;

import dev.orloj.api.v1.Secret;
import dev.orloj.api.v1.SecretRef;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/** Looks up the values that one server uses, and remembers them. Not safe for threads. */
final class SecretValues {

    private final Function<String, Optional<Secret>> secrets;
    private final Map<String, String> used = new TreeMap<>();

    SecretValues(Function<String, Optional<Secret>> secrets) {
        this.secrets = secrets;
    }

    /** The value, as a variable of a process can hold it. */
    String text(String reference) {
        String value = find(SecretRef.parse(reference));
        if (value.indexOf('\0') >= 0) {
            throw notUsable(reference, "it holds a NUL character");
        }
        return value;
    }

    /** The value, as a header can hold it: without the line end that files tend to have. */
    String headerValue(String reference) {
        String value = find(SecretRef.parse(reference)).strip();
        if (value.chars().anyMatch(c -> c < ' ' || c == 0x7f)) {
            throw notUsable(reference, "it holds characters that a header cannot");
        }
        return value;
    }

    private static UnresolvedSecretException notUsable(String reference, String why) {
        return new UnresolvedSecretException(
                DefinitionResolver.SECRET_NOT_USABLE,
                "The value of secretRef \"%s\" cannot be used: %s".formatted(reference, why));
    }

    private String find(SecretRef ref) {
        Secret secret =
                secrets.apply(ref.name())
                        .orElseThrow(
                                () ->
                                        new UnresolvedSecretException(
                                                DefinitionResolver.SECRET_NOT_FOUND,
                                                "Secret \"%s\" does not exist in the namespace of the server"
                                                        .formatted(ref.name())));
        String encoded = secret.find(ref).orElseThrow(() -> keyNotFound(ref));
        String value = new String(Base64.getDecoder().decode(encoded), StandardCharsets.UTF_8);
        used.put(ref.toString(), value);
        return value;
    }

    private static UnresolvedSecretException keyNotFound(SecretRef ref) {
        String key = ref.key().isEmpty() ? SecretRef.DEFAULT_KEY : ref.key();
        return new UnresolvedSecretException(
                DefinitionResolver.SECRET_KEY_NOT_FOUND,
                "Secret \"%s\" has no key \"%s\"".formatted(ref.name(), key));
    }

    /** The values that were looked up, and the form without blanks in which headers carry them. */
    List<String> shown() {
        return used.values().stream().map(String::strip).distinct().toList();
    }

    /** Another for other values, so that a rotated secret opens a new session; empty for none. */
    String digest() {
        if (used.isEmpty()) {
            return "";
        }
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            used.forEach(
                    (reference, value) -> {
                        digest.update(reference.getBytes(StandardCharsets.UTF_8));
                        digest.update((byte) 0);
                        digest.update(value.getBytes(StandardCharsets.UTF_8));
                        digest.update((byte) 0);
                    });
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every JDK has SHA-256", e);
        }
    }
}
