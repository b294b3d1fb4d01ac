package dev.orloj.server.rest.server;

/** Which of several replicas this one is. */
@FunctionalInterface
public interface LocalReplica {

    /** The name that the label {@code orloj.dev/replica} carries. */
    String name();
}
