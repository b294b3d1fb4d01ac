package dev.orloj.server.registry;

/**
 * A server-side apply that was done.
 *
 * @param created whether there was nothing before
 */
public record Applied(Written written, boolean created) {}
