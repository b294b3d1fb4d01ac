package dev.orloj.runtime.catalog;

import dev.orloj.api.ResourceKey;

import java.util.function.Predicate;

/**
 * Why an existing server cannot be called.
 *
 * @param why for all clients, after the name of the server
 * @param message the rest, which can have the endpoint, paths and names of the manifest: only for
 *     clients that may read the server; empty for nothing
 */
public record Refusal(ResourceKey server, String why, String message) {

    /** Of a server that does not exist, or that is not known yet. */
    public static Refusal absent(ResourceKey server) {
        return new Refusal(server, "is not there, or was not accepted", "");
    }

    /**
     * Returns what a client receives.
     *
     * @param isReadable whether the client may read a server
     */
    public String text(Predicate<ResourceKey> isReadable) {
        if (message.isEmpty()) {
            return why;
        }
        return isReadable.test(server)
                ? why + ": " + message
                : why + "; a user who may get the McpServer finds the cause in its status";
    }

    /** Omits the message. */
    @Override
    public String toString() {
        return "Refusal[server=" + server + ", why=" + why + "]";
    }
}
