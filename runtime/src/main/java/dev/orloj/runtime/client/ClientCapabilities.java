package dev.orloj.runtime.client;

import dev.orloj.runtime.extension.Extensions;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The declarations of a client that concern servers: {@code elicitation}, {@code sampling}, {@code
 * roots} and its extensions. Other declarations are between the client and the gateway, which could
 * not keep them towards a server. Immutable.
 */
public final class ClientCapabilities {

    public static final String ELICITATION = "elicitation";
    public static final String SAMPLING = "sampling";
    public static final String ROOTS = "roots";

    /** The capabilities that a server can use. */
    public static final List<String> NAMES = List.of(ELICITATION, SAMPLING, ROOTS);

    public static final ClientCapabilities NONE =
            new ClientCapabilities(JsonNodeFactory.instance.objectNode());

    /** The capability that each request of a server requires. */
    private static final Map<String, String> NEEDED_BY =
            Map.of(
                    "elicitation/create",
                    ELICITATION,
                    "sampling/createMessage",
                    SAMPLING,
                    "roots/list",
                    ROOTS);

    private static final String FORM = "form";

    /** The details of capabilities that are recorded for a client. */
    private static final List<String> DETAILS =
            List.of("elicitation.form", "elicitation.url", "sampling.context", "sampling.tools");

    private final ObjectNode declared;

    private ClientCapabilities(ObjectNode declared) {
        this.declared = declared;
    }

    /**
     * @param capabilities capabilities of a client; a member that is not an object counts as not
     *     declared
     */
    public static ClientCapabilities of(JsonNode capabilities) {
        ObjectNode declared = JsonNodeFactory.instance.objectNode();
        for (String name : NAMES) {
            if (capabilities.path(name) instanceof ObjectNode given) {
                declared.set(name, given.deepCopy());
            }
        }
        ObjectNode extensions = Extensions.passedOn(capabilities);
        if (!extensions.isEmpty()) {
            declared.set(Extensions.MEMBER, extensions);
        }
        return declared.isEmpty() ? NONE : new ClientCapabilities(declared);
    }

    /**
     * @param names the result of {@link #names}
     * @param extensions the result of {@link #extensions}
     */
    public static ClientCapabilities ofNames(Collection<String> names, JsonNode extensions) {
        ObjectNode declared = JsonNodeFactory.instance.objectNode();
        NAMES.stream().filter(names::contains).forEach(declared::putObject);
        for (String detail : DETAILS) {
            int dot = detail.indexOf('.');
            if (names.contains(detail)
                    && declared.get(detail.substring(0, dot)) instanceof ObjectNode capability) {
                capability.putObject(detail.substring(dot + 1));
            }
        }
        declared.set(Extensions.MEMBER, extensions);
        return of(declared);
    }

    /**
     * Returns the declared capabilities and their known details, such as {@code elicitation.url}.
     */
    public List<String> names() {
        return Stream.concat(
                        NAMES.stream().filter(declared::has),
                        DETAILS.stream()
                                .filter(
                                        detail ->
                                                declared.at("/" + detail.replace('.', '/'))
                                                        .isObject()))
                .toList();
    }

    /** Returns a copy of the declared extensions with their settings. */
    public ObjectNode extensions() {
        return Extensions.passedOn(declared);
    }

    /** Returns whether the client declared no capability. */
    public boolean isEmpty() {
        return NAMES.stream().noneMatch(declared::has);
    }

    /** Returns a copy of the capabilities as the client declared them. */
    public ObjectNode toJson() {
        return declared.deepCopy();
    }

    ClientCapabilities filtered(Predicate<String> names) {
        ObjectNode left = JsonNodeFactory.instance.objectNode();
        declared.properties().stream()
                .filter(capability -> names.test(capability.getKey()))
                .forEach(capability -> left.set(capability.getKey(), capability.getValue()));
        return left.isEmpty() ? NONE : new ClientCapabilities(left);
    }

    /**
     * Returns the capability that a request of a server requires; empty when the method is unknown.
     */
    static Optional<String> neededBy(String method) {
        return Optional.ofNullable(NEEDED_BY.get(method));
    }

    /** Returns whether a server may send this request to the client. */
    public boolean allow(String method, @Nullable JsonNode params) {
        String needed = NEEDED_BY.get(method);
        if (needed == null || !declared.has(needed)) {
            return false;
        }
        JsonNode capability = declared.path(needed);
        return switch (needed) {
            case ELICITATION -> hasMode(capability, params);
            case SAMPLING -> params == null || !params.has("tools") || capability.has("tools");
            default -> true;
        };
    }

    /**
     * An elicitation capability without modes means forms (2025-11-25, Elicitation,
     * "Capabilities").
     */
    private static boolean hasMode(JsonNode elicitation, @Nullable JsonNode params) {
        String mode = params == null ? FORM : params.path("mode").asString(FORM);
        return elicitation.has(mode) || elicitation.isEmpty() && mode.equals(FORM);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ClientCapabilities capabilities
                && declared.equals(capabilities.declared);
    }

    @Override
    public int hashCode() {
        return declared.hashCode();
    }

    @Override
    public String toString() {
        return declared.toString();
    }
}
