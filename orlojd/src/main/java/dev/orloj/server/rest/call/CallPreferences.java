package dev.orloj.server.rest.call;

import dev.orloj.api.ApiException;
import dev.orloj.server.rest.http.MediaTypes;
import dev.orloj.server.sse.ServerSentEvents;

import jakarta.servlet.http.HttpServletRequest;

import java.util.Collections;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * How a client wants the response.
 *
 * @param mode of the response
 * @param key under which the call is made once, however often it is requested
 */
record CallPreferences(ResponseMode mode, Optional<String> key) {

    static final String KEY = "Idempotency-Key";

    private static final String PREFER = "Prefer";
    private static final String RESPOND_ASYNC = "respond-async";
    private static final Pattern KEYS = Pattern.compile("[!-~]{1,255}");

    enum ResponseMode {
        /** The result, as one document. */
        DOCUMENT,
        /** Events: progress, then the result. */
        EVENTS,
        /** Immediately the location of the later result (RFC 7240). */
        LATER
    }

    /**
     * @throws ApiException (BadRequest) when the key is not valid
     */
    static CallPreferences of(HttpServletRequest request) {
        Optional<String> key = Optional.ofNullable(request.getHeader(KEY));
        if (key.isPresent() && !KEYS.matcher(key.get()).matches()) {
            throw ApiException.badRequest(
                    "the header \"%s\" must be 1 to 255 visible characters of ASCII, such as a UUID"
                            .formatted(KEY));
        }
        return new CallPreferences(mode(request), key);
    }

    private static ResponseMode mode(HttpServletRequest request) {
        String accept = request.getHeader("Accept");
        if (accept != null
                && accept.contains(ServerSentEvents.MEDIA_TYPE)
                && prefersEvents(accept)) {
            return ResponseMode.EVENTS;
        }
        return request.getHeader(PREFER) != null && prefersLater(request)
                ? ResponseMode.LATER
                : ResponseMode.DOCUMENT;
    }

    /** For clients that accept both, the type that comes first. */
    private static boolean prefersEvents(String accept) {
        return MediaTypes.accepted(accept).stream()
                .filter(type -> type.isJson() || isEvents(type))
                .findFirst()
                .filter(CallPreferences::isEvents)
                .isPresent();
    }

    private static boolean isEvents(MediaTypes.MediaType type) {
        return type.name().equals(ServerSentEvents.MEDIA_TYPE);
    }

    private static boolean prefersLater(HttpServletRequest request) {
        return Collections.list(request.getHeaders(PREFER)).stream()
                .flatMap(header -> Pattern.compile("[,;]").splitAsStream(header))
                .anyMatch(part -> part.strip().toLowerCase(Locale.ROOT).equals(RESPOND_ASYNC));
    }

    /** Whether it is the usual call, whose result is not kept. */
    boolean isPlain() {
        return mode == ResponseMode.DOCUMENT && key.isEmpty();
    }
}
