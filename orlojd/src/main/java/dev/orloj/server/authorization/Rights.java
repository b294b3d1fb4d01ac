package dev.orloj.server.authorization;

import dev.orloj.api.Kind;
import dev.orloj.api.ResourceKey;

import jakarta.servlet.http.HttpServletRequest;

/**
 * What a user may do: with a request over REST, and with each tool and server over MCP. The answers
 * are those of the current roles, not of the roles at the time of the request. Thread-safe.
 */
public interface Rights {

    /** Of the clients of the port that does not authenticate. */
    Rights EVERYTHING =
            new Rights() {

                @Override
                public GrantedNames tools(String namespace) {
                    return GrantedNames.ALL;
                }

                @Override
                public GrantedNames servers(String namespace) {
                    return GrantedNames.ALL;
                }

                @Override
                public boolean read(Kind<?> kind, ResourceKey key) {
                    return true;
                }

                @Override
                public boolean allowRequest() {
                    return true;
                }

                @Override
                public boolean dependOnUser() {
                    return false;
                }

                @Override
                public Watch watch(Runnable changed) {
                    return Watch.NONE;
                }
            };

    /** Ends the calls of a callback. */
    @FunctionalInterface
    interface Watch extends AutoCloseable {

        Watch NONE = () -> {};

        @Override
        void close();
    }

    /** Returns the Tools that the user may {@code call}. */
    GrantedNames tools(String namespace);

    /** Returns the McpServers that the user may {@code connect} to. */
    GrantedNames servers(String namespace);

    /** Returns whether the user may {@code get} a resource. */
    boolean read(Kind<?> kind, ResourceKey key);

    /**
     * Returns whether the user may still make the request, with which work has begun that outlives
     * it.
     */
    boolean allowRequest();

    /** Returns whether other users can have other rights, so that no answer may be shared. */
    boolean dependOnUser();

    /**
     * Watches for changes of roles and bindings. To miss none, a user of it reads the rights after
     * this returns.
     *
     * @param changed run after changes, on another thread, possibly once more after the watch has
     *     been closed; returns at once
     */
    Watch watch(Runnable changed);

    /** Returns the rights of the user of a request. */
    static Rights of(HttpServletRequest request) {
        if (request.getAttribute(Rights.class.getName()) instanceof Rights rights) {
            return rights;
        }
        if (request.getAttribute(UserInfo.class.getName()) != null) {
            throw new IllegalStateException("the rights of the user are not known");
        }
        return EVERYTHING;
    }
}
