package dev.orloj.runtime.client;

import dev.orloj.api.ResourceKey;
import dev.orloj.runtime.jsonrpc.JsonRpcError;
import dev.orloj.runtime.jsonrpc.JsonRpcException;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

/**
 * The client of a request, to which the server may send requests back. Thread-safe; requests of a
 * server do not wait for each other.
 */
public interface RequestingClient {

    /** A client that accepts no requests. */
    RequestingClient NONE = of(ClientCapabilities.NONE);

    ClientCapabilities capabilities();

    /**
     * Identifies the client: equal for its requests and different from that of any other client. A
     * client that cannot be recognised gets a new identity with each request.
     */
    default Object agent() {
        return this;
    }

    /** Receives what a server logs while it handles the request. */
    default LogListener logs() {
        return LogListener.NONE;
    }

    /** Whether {@link #ask} reaches anybody, which it does not for all that declare something. */
    default boolean isReachable() {
        return true;
    }

    /** Whether it waits for the outcome at this moment; one that may never come back does not. */
    default boolean isPresent() {
        return true;
    }

    /**
     * Has the client answer what a server asks while it works on the request, which may take as
     * long as people do. It was declared that it may be asked.
     *
     * @param server who asks
     * @return the result, as the client gave it
     * @throws JsonRpcException when the client answered with an error, did not answer in time, or
     *     is gone
     * @throws InterruptedException when the server does not want to know any more
     */
    JsonNode ask(ResourceKey server, String method, @Nullable JsonNode params)
            throws InterruptedException;

    /** One that is told by a server of 2026-07-28 what it wants, and needs no asking. */
    static RequestingClient of(ClientCapabilities capabilities) {
        return of(capabilities, LogListener.NONE);
    }

    /** As above; it hears what the server logs. */
    static RequestingClient of(ClientCapabilities capabilities, LogListener logs) {
        return new RequestingClient() {

            @Override
            public ClientCapabilities capabilities() {
                return capabilities;
            }

            @Override
            public LogListener logs() {
                return logs;
            }

            @Override
            public boolean isReachable() {
                return false;
            }

            @Override
            public JsonNode ask(ResourceKey server, String method, @Nullable JsonNode params) {
                throw new JsonRpcException(
                        new JsonRpcError(
                                JsonRpcError.METHOD_NOT_FOUND,
                                "The client of this request cannot be asked \"" + method + "\"",
                                null));
            }
        };
    }
}
