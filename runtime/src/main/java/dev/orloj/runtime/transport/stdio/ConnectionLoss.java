package dev.orloj.runtime.transport.stdio;

import dev.orloj.runtime.workload.ExitStatus;
import dev.orloj.runtime.workload.Workload;

/** The ways in which the connection to a workload is lost. */
enum ConnectionLoss {
    ENDED("Server process ended"),
    STDIN_CLOSED("Server closed its standard input"),
    STDOUT_CLOSED("Server closed its standard output"),
    UNREADABLE("Messages of the server cannot be read any more");

    private final String text;

    ConnectionLoss(String text) {
        this.text = text;
    }

    /**
     * Describes the loss. The streams of a process close shortly before or after the process ends,
     * so the message does not distinguish the two.
     */
    String describe(Workload workload) {
        ExitStatus status = workload.exit().getNow(null);
        return status == null ? text + orElse(workload) : "Server process ended with " + status;
    }

    /**
     * Adds the connection as a possible cause: the streams of a container pass through its engine
     * and close with it.
     */
    private static String orElse(Workload workload) {
        return workload.container()
                .map(
                        box ->
                                ", or the connection to its container \"%s\" was lost"
                                        .formatted(box.name()))
                .orElse("");
    }
}
