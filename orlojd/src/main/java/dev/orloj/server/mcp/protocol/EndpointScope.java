package dev.orloj.server.mcp.protocol;

import dev.orloj.api.ResourceKey;

import java.util.Collection;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/** The servers that one MCP endpoint shows; its path selects them. */
public sealed interface EndpointScope {

    /** The namespace of {@code /mcp}. */
    String DEFAULT_NAMESPACE = "default";

    String ROOT = "/mcp";
    String SERVERS = "mcpservers";

    /**
     * The servers of a namespace under one endpoint; tools have their client names.
     *
     * @param chosen names of the selected servers; empty for all servers of the namespace
     */
    record Namespace(String namespace, SortedSet<String> chosen) implements EndpointScope {

        public Namespace {
            chosen = Collections.unmodifiableSortedSet(new TreeSet<>(chosen));
        }

        static Namespace whole(String namespace) {
            return new Namespace(namespace, Collections.emptySortedSet());
        }

        @Override
        public Optional<String> onlyServer() {
            return Optional.empty();
        }

        Namespace narrowedTo(Collection<String> servers) {
            return new Namespace(namespace, new TreeSet<>(servers));
        }

        @Override
        public boolean covers(ResourceKey server) {
            return server.namespace().equals(namespace)
                    && (chosen.isEmpty() || chosen.contains(server.name()));
        }

        /**
         * Independent of the order in which the servers were named, because sessions are compared
         * by this text.
         */
        @Override
        public String toString() {
            return chosen.isEmpty() ? namespace : namespace + "?" + String.join(",", chosen);
        }
    }

    /** One server, whose tools keep their own names. */
    record Server(ResourceKey server) implements EndpointScope {

        @Override
        public String namespace() {
            return server.namespace();
        }

        @Override
        public Optional<String> onlyServer() {
            return Optional.of(server.name());
        }

        @Override
        public boolean covers(ResourceKey other) {
            return other.equals(server);
        }

        @Override
        public String toString() {
            return server.toString();
        }
    }

    String namespace();

    /** Returns the name of the server; empty when the endpoint serves a namespace. */
    Optional<String> onlyServer();

    /** Returns whether the endpoint shows this server. */
    boolean covers(ResourceKey server);

    /** Parses the path of a request; empty when it is not an MCP endpoint. */
    static Optional<EndpointScope> parse(String path) {
        if (!path.startsWith(ROOT)) {
            return Optional.empty();
        }
        String below = path.substring(ROOT.length(), path.length() - (path.endsWith("/") ? 1 : 0));
        if (below.isEmpty()) {
            return Optional.of(Namespace.whole(DEFAULT_NAMESPACE));
        }
        String[] segments = below.split("/", -1);
        if (!segments[0].isEmpty() || segments[segments.length - 1].isEmpty()) {
            return Optional.empty();
        }
        if (segments.length == 2) {
            return Optional.of(Namespace.whole(segments[1]));
        }
        boolean namesServer =
                segments.length == 4 && !segments[1].isEmpty() && segments[2].equals(SERVERS);
        return namesServer
                ? Optional.of(new Server(new ResourceKey(segments[1], segments[3])))
                : Optional.empty();
    }
}
