package dev.orloj.server.mcp;

import dev.orloj.api.ResourceKey;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What one MCP endpoint shows; its path says which. */
sealed interface Scope {

    /** What {@code /mcp} shows. */
    String DEFAULT_NAMESPACE = "default";

    Pattern PATH =
            Pattern.compile("/mcp(?:/(?<namespace>[^/]+)(?:/mcpservers/(?<server>[^/]+))?)?/?");

    /** All servers of a namespace as one; tools have the names that are made for agents. */
    record Namespace(String namespace) implements Scope {

        @Override
        public boolean covers(ResourceKey server) {
            return server.namespace().equals(namespace);
        }

        @Override
        public String toString() {
            return namespace;
        }
    }

    /** One server as itself, with the names that it gives. */
    record Server(ResourceKey server) implements Scope {

        @Override
        public boolean covers(ResourceKey other) {
            return other.equals(server);
        }

        @Override
        public String toString() {
            return server.toString();
        }
    }

    /** Whether something of this server is shown. */
    boolean covers(ResourceKey server);

    /** Reads the path of a request; empty when it is none of an MCP endpoint. */
    static Optional<Scope> parse(String path) {
        Matcher matcher = PATH.matcher(path);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        String given = matcher.group("namespace");
        String namespace = given == null ? DEFAULT_NAMESPACE : given;
        String server = matcher.group("server");
        return Optional.of(
                server == null
                        ? new Namespace(namespace)
                        : new Server(new ResourceKey(namespace, server)));
    }
}
