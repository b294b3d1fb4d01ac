package dev.orloj.runtime.client;

import tools.jackson.databind.node.ObjectNode;

/**
 * Receives the progress of a request on the thread that reads from the server; must return at once.
 */
@FunctionalInterface
public interface ProgressListener {

    /** Requests no progress notifications. */
    ProgressListener NONE = params -> {};

    /**
     * @param params of {@code notifications/progress}, as received; they contain the token between
     *     this process and the server
     */
    void progressed(ObjectNode params);
}
