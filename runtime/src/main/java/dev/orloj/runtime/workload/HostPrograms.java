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
     * @param user the account of the program; empty for that of orlojd
     */
    public static Optional<String> objection(
            String program, Map<String, String> environment, Optional<ProcessUser> user) {
        try {
            ChildEnvironment child = ChildEnvironment.of(System.getenv(), environment);
            child.executable(program, user);
            user.ifPresent(account -> account.carriers(child.variables()));
            return Optional.empty();
        } catch (WorkloadException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }
}
