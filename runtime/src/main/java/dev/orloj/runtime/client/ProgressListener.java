package dev.orloj.runtime.client;

import tools.jackson.databind.node.ObjectNode;

/**
 * Hears how far a request has come. Called on the thread that reads from the server: an
 * implementation returns at once.
 */
@FunctionalInterface
public interface ProgressListener {

    /** For those who do not ask; the server is not asked for news on their behalf. */
    ProgressListener NONE = params -> {};

    /**
     * @param params of {@code notifications/progress}, as received; the token in them is the one
     *     between this process and the server
     */
    void progressed(ObjectNode params);
}
