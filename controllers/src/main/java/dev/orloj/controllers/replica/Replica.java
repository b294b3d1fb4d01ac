package dev.orloj.controllers.replica;

/**
 * One orlojd of those that share a database.
 *
 * @param id the same over restarts, and no other replica's; the value of a label
 * @param host the name of the host it runs on
 */
public record Replica(String id, String host) {}
