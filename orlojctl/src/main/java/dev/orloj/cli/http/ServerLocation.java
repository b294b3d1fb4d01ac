package dev.orloj.cli.http;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The address of orlojd and the source of that address.
 *
 * @param url without a slash at the end
 * @param chosenBy the option or variable that contains the URL
 */
public record ServerLocation(URI url, String chosenBy) {

    private static final int MAX_PORT = 65_535;
    private static final String DEFAULT = "http://127.0.0.1:8080";
    private static final List<String> VARIABLES = List.of("ORLOJCTL_SERVER", "ORLOJ_SERVER");

    /**
     * Returns the server of the option, else of a variable, else the one on this machine.
     *
     * @throws IllegalArgumentException when the text is not an http URL
     */
    public static ServerLocation find(Optional<String> option, Map<String, String> environment) {
        return chosen(option, environment).orElseGet(ServerLocation::ofThisMachine);
    }

    /**
     * Returns the server of the option, else of a variable; empty when there is neither.
     *
     * @throws IllegalArgumentException when the text is not an http URL
     */
    public static Optional<ServerLocation> chosen(
            Optional<String> option, Map<String, String> environment) {
        if (option.isPresent()) {
            return Optional.of(of(option.get(), "--server"));
        }
        for (String variable : VARIABLES) {
            String value = environment.getOrDefault(variable, "");
            if (!value.isBlank()) {
                return Optional.of(of(value, variable));
            }
        }
        return Optional.empty();
    }

    public static ServerLocation ofThisMachine() {
        return of(DEFAULT, "the default");
    }

    /**
     * @param chosenBy where the text comes from, for messages
     * @throws IllegalArgumentException when the text is not an http URL
     */
    public static ServerLocation of(String text, String chosenBy) {
        String trimmed = text.strip().replaceFirst("/+$", "");
        try {
            URI uri = new URI(trimmed);
            String scheme = String.valueOf(uri.getScheme());
            if (uri.getUserInfo() != null) {
                // Not quoted: it may contain a password.
                throw new IllegalArgumentException(
                        "the URL from %s names a user, who is not sent; leave the part before \"@\" out, and give a token with --api-token"
                                .formatted(chosenBy));
            }
            if (uri.getHost() != null
                    && uri.getPort() <= MAX_PORT
                    && (scheme.equalsIgnoreCase("http") || scheme.equalsIgnoreCase("https"))) {
                return new ServerLocation(uri, chosenBy);
            }
        } catch (URISyntaxException e) {
            // reported below, with a correct example
        }
        throw new IllegalArgumentException(
                "\"%s\", from %s, is no URL such as http://127.0.0.1:8080"
                        .formatted(text, chosenBy));
    }

    /** Returns whether requests are encrypted or stay on this machine. */
    boolean isPrivate() {
        return url.getScheme().equalsIgnoreCase("https") || isLoopback();
    }

    public boolean isHttps() {
        return url.getScheme().equalsIgnoreCase("https");
    }

    public boolean isLoopback() {
        String host = url.getHost();
        return host.equalsIgnoreCase("localhost")
                || host.startsWith("127.")
                || host.equals("[::1]");
    }

    /** Returns a text such as {@code http://127.0.0.1:8080 (the default)}. */
    @Override
    public String toString() {
        return url + " (" + chosenBy + ")";
    }
}
