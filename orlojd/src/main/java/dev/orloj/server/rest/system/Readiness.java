package dev.orloj.server.rest.system;

import java.util.List;

/** Whether the server may be sent requests. */
@FunctionalInterface
public interface Readiness {

    /** What is in the way, each in a short sentence; empty when nothing is. */
    List<String> obstacles();
}
