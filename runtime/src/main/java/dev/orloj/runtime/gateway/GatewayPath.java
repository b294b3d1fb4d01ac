package dev.orloj.runtime.gateway;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;

/**
 * The ids of the gateways that a request has passed through, oldest first. HTTP requests carry them
 * in a header. The thread that handles a request holds them in a scoped value, so that its requests
 * to servers carry them too.
 *
 * <p>A scoped value, because every HTTP request to a server has the header, not only those of
 * calls: also those that open a session, list its tools or fetch an image.
 */
public final class GatewayPath {

    /** The header of HTTP requests: ids separated by commas. */
    public static final String HEADER = "Orloj-Gateways";

    /**
     * In {@code _meta} of a result: an array of the ids of all gateways that it may pass through.
     */
    public static final String META = "orloj.dev/gateways";

    /** Maximum number of gateways; a request that has passed through more is not forwarded. */
    public static final int MAX_HOPS = 8;

    /** Maximum number of ids that are read. */
    public static final int MAX_IDS = 64;

    private static final Pattern ID = Pattern.compile("[A-Za-z0-9._-]{1,64}");
    private static final ScopedValue<List<String>> PASSED = ScopedValue.newInstance();

    private GatewayPath() {}

    /** Parses the header and ignores invalid ids. */
    public static List<String> parse(@Nullable String header) {
        if (header == null) {
            return List.of();
        }
        Set<String> ids = new LinkedHashSet<>();
        for (String part : header.split(",", MAX_IDS + 1)) {
            String id = part.strip();
            if (isId(id) && ids.size() < MAX_IDS) {
                ids.add(id);
            }
        }
        return List.copyOf(ids);
    }

    public static boolean isId(String text) {
        return ID.matcher(text).matches();
    }

    /**
     * Returns why a request must not be forwarded, with the remedy; empty when it may be.
     *
     * @param own the id of this gateway
     */
    public static Optional<String> objection(List<String> passed, String own) {
        if (passed.contains(own)) {
            return Optional.of(
                    "The request has come back to the gateway \"%s\", by way of %s: one of the McpServers on the way names a gateway that leads here; delete it, or have it name a server"
                            .formatted(own, String.join(", ", passed)));
        }
        return passed.size() > MAX_HOPS
                ? Optional.of(
                        "The request has passed %d gateways, and at most %d are allowed: %s"
                                .formatted(passed.size(), MAX_HOPS, String.join(", ", passed)))
                : Optional.empty();
    }

    /** Handles a request that has passed through these gateways. */
    public static <T, X extends Exception> T during(
            List<String> passed, ScopedValue.CallableOp<T, X> work) throws X {
        return ScopedValue.where(PASSED, passed).call(work);
    }

    /** Returns the gateways that the current request has passed through. */
    public static List<String> passed() {
        return PASSED.orElse(List.of());
    }

    /** Returns a task that runs on any thread as part of the current request. */
    public static <T> Callable<T> carried(Callable<T> work) {
        List<String> passed = passed();
        return () -> during(passed, work::call);
    }

    /**
     * Returns the header of a request to a server; empty for none.
     *
     * @param own the id of this gateway
     */
    public static Optional<String> header(Optional<String> own) {
        List<String> path = new ArrayList<>(passed());
        own.ifPresent(path::add);
        return path.isEmpty() ? Optional.empty() : Optional.of(String.join(", ", path));
    }
}
