package dev.orloj.cli.auth;

import org.jspecify.annotations.Nullable;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.stream.Stream;

/** The query of the address at which a browser ends a login. */
record RedirectQuery(String raw) {

    /** Far more than any code needs. */
    static final int MAX_LENGTH = 16 * 1024;

    /** Returns the query of a pasted address; a text without an address is the query itself. */
    static RedirectQuery pasted(String text) {
        int start = text.indexOf('?');
        String query = start < 0 ? text : text.substring(start + 1);
        int end = query.indexOf('#');
        return new RedirectQuery(end < 0 ? query : query.substring(0, end));
    }

    static RedirectQuery of(@Nullable String raw) {
        return new RedirectQuery(raw == null ? "" : raw);
    }

    /** Returns whether an authorization server may have made it: an answer, or an error. */
    boolean isAnswer() {
        return raw.length() <= MAX_LENGTH
                && value("state").isPresent()
                && (value("code").isPresent() || value("error").isPresent());
    }

    Optional<String> value(String name) {
        return Stream.of(raw.split("&"))
                .filter(part -> part.startsWith(name + "="))
                .map(part -> decoded(part.substring(name.length() + 1)))
                .findFirst();
    }

    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return text; // not the state of a login
        }
    }
}
