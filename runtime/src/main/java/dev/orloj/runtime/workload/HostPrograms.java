package dev.orloj.runtime.workload;

import java.util.Map;
import java.util.Optional;

/** Looks for the programs of servers on this host, without starting them. */
public final class HostPrograms {

    private HostPrograms() {}

    /**
     * Returns why a program cannot be started; empty when it is there and executable.
     *
     * @param environment the variables of the server, in addition to the usual ones
     */
    public static Optional<String> objection(String program, Map<String, String> environment) {
        try {
            ChildEnvironment.of(System.getenv(), environment).executable(program);
            return Optional.empty();
        } catch (WorkloadException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }
}
