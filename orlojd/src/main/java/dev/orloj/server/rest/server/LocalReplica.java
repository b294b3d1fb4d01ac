package dev.orloj.server.rest.server;

/** Identifies this replica among several. */
@FunctionalInterface
public interface LocalReplica {

    /** The value of the label {@code orloj.dev/replica}. */
    String name();
}
