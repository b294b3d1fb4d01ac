package dev.orloj.server.rest.system;

import java.util.List;

/** Whether the server is ready for requests. */
@FunctionalInterface
public interface Readiness {

    /** The reasons why not, each in a short sentence; empty when it is ready. */
    List<String> obstacles();
}
