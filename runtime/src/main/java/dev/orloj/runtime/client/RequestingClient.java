package dev.orloj.runtime.client;

import dev.orloj.api.ResourceKey;
import dev.orloj.runtime.jsonrpc.JsonRpcError;
import dev.orloj.runtime.jsonrpc.JsonRpcException;
import dev.orloj.runtime.subject.SubjectToken;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.Optional;

/**
 * The client of a request, to which the server may send requests back. Thread-safe; requests of a
 * server run concurrently.
 */
public interface RequestingClient {

    /** A client that accepts no requests. */
    RequestingClient NONE = of(ClientCapabilities.NONE);

    ClientCapabilities capabilities();

    /**
     * Identifies the client: equal for its requests and different from any other client. A client
     * that cannot be recognized gets a new identity with each request.
     */
    default Object identity() {
        return this;
    }

    /** Returns the authenticated user of the client; empty when users are not known. */
    default String user() {
        return "";
    }

    /** Returns the token of the user for an exchange. Empty without one of an external issuer. */
    default Optional<SubjectToken> subjectToken() {
        return Optional.empty();
    }

    /** Receives what a server logs while it handles the request. */
    default LogListener logs() {
        return LogListener.NONE;
    }

    /**
     * Returns whether {@link #ask} reaches the client. A client may declare capabilities without
     * being reachable.
     */
    default boolean isReachable() {
        return true;
    }

    /**
     * Returns whether the client is waiting for the outcome now. A client that may never return is
     * not.
     */
    default boolean isPresent() {
        return true;
    }

    /**
     * Sends a request of the server to the client and waits for the response, which may require
     * user input. The server sends such requests only if the capability was declared to it.
     *
     * @param server the server that sent the request
     * @return the result as the client sent it
     * @throws JsonRpcException when the client responded with an error, did not respond in time, or
     *     disconnected
     * @throws InterruptedException when the server cancelled its request
     */
    JsonNode ask(ResourceKey server, String method, @Nullable JsonNode params)
            throws InterruptedException;

    /**
     * Returns a client that receives no requests: a server of 2026-07-28 requests its input in
     * results instead.
     */
    static RequestingClient of(ClientCapabilities capabilities) {
        return of(capabilities, LogListener.NONE);
    }

    /** Returns such a client that also receives the server's log messages. */
    static RequestingClient of(ClientCapabilities capabilities, LogListener logs) {
        return of(capabilities, logs, "", Optional.empty());
    }

    /**
     * Returns a client of a user that only waits for results.
     *
     * @param user empty when users are not known
     */
    static RequestingClient ofUser(String user, Optional<SubjectToken> token) {
        return user.isEmpty() ? NONE : of(ClientCapabilities.NONE, LogListener.NONE, user, token);
    }

    /**
     * Returns a client that receives no requests.
     *
     * @param user empty when users are not known
     * @param token of the user, for an exchange
     */
    static RequestingClient of(
            ClientCapabilities capabilities,
            LogListener logs,
            String user,
            Optional<SubjectToken> token) {
        return new RequestingClient() {

            @Override
            public String user() {
                return user;
            }

            @Override
            public Optional<SubjectToken> subjectToken() {
                return token;
            }

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
