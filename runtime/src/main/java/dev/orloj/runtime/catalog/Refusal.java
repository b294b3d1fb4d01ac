package dev.orloj.runtime.catalog;

import dev.orloj.api.Kind;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.v1.McpServer;

import java.util.function.BiPredicate;

/**
 * Why a server, or a declared tool, does not execute a request.
 *
 * @param kind McpServer, or Tool for a declared tool
 * @param key the server, or the declared tool
 * @param why for all clients, after the name of the server
 * @param message the rest, which can have the endpoint, paths and names of the manifest: only for
 *     clients that may get the resource; empty for nothing
 * @param isWithheld whether the policy of the server does not serve what runs
 */
public record Refusal(
        Kind<?> kind, ResourceKey key, String why, String message, boolean isWithheld) {

    /** For a cause other than the policy of the server. */
    public Refusal(Kind<?> kind, ResourceKey key, String why, String message) {
        this(kind, key, why, message, false);
    }

    /** Of a server. */
    public Refusal(ResourceKey server, String why, String message) {
        this(McpServer.KIND, server, why, message);
    }

    /** Of a server that does not exist, or that is not known yet. */
    public static Refusal absent(ResourceKey server) {
        return new Refusal(server, "is not there, or was not accepted", "");
    }

    /** Of a server whose policy does not serve what runs. */
    public static Refusal withheld(ResourceKey server, String message) {
        return new Refusal(McpServer.KIND, server, "is withheld by its policy", message, true);
    }

    /**
     * Returns what a client receives.
     *
     * @param isReadable whether the client may get a resource
     */
    public String text(BiPredicate<Kind<?>, ResourceKey> isReadable) {
        if (message.isEmpty()) {
            return why;
        }
        return isReadable.test(kind, key)
                ? why + ": " + message
                : "%s; a user who may get the %s finds the cause in its status or in the error of the same call"
                        .formatted(why, kind.name());
    }

    /** Omits the message. */
    @Override
    public String toString() {
        return "Refusal[kind=" + kind.name() + ", key=" + key + ", why=" + why + "]";
    }
}
