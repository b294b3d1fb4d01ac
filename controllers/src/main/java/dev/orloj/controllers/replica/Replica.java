package dev.orloj.controllers.replica;

/**
 * One of the orlojd replicas that share a database.
 *
 * @param id unique and stable across restarts; the value of a label
 * @param host the name of the host it runs on
 */
public record Replica(String id, String host) {}
