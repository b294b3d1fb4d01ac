package dev.orloj.runtime.workload;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** Sends signals with kill(2), because Java can only signal single processes. */
enum Signal {
    TERM(15),
    KILL(9);

    @SuppressWarnings("restricted") // launchers and surefire set --enable-native-access
    private static final MethodHandle KILL_CALL =
            Linker.nativeLinker()
                    .downcallHandle(
                            Linker.nativeLinker().defaultLookup().findOrThrow("kill"),
                            FunctionDescriptor.of(
                                    ValueLayout.JAVA_INT,
                                    ValueLayout.JAVA_INT,
                                    ValueLayout.JAVA_INT));

    private final int number;

    Signal(int number) {
        this.number = number;
    }

    /**
     * Sends the signal to one process; returns false when it does not exist or belongs to another
     * user.
     */
    boolean sendToProcess(long pid) {
        return kill(Math.toIntExact(requireOrdinary(pid)), number) == 0;
    }

    /** Sends the signal to every process of a group; returns false when the group is empty. */
    boolean sendToGroup(long group) {
        return kill(-Math.toIntExact(requireOrdinary(group)), number) == 0;
    }

    /**
     * Rejects 0, -1 and 1: once negated, they mean "my own group", "all processes" and "all
     * processes".
     */
    private static long requireOrdinary(long pid) {
        if (pid <= 1) {
            throw new IllegalArgumentException("Not a process or group of a child: " + pid);
        }
        return pid;
    }

    private static int kill(int pid, int signal) {
        try {
            return (int) KILL_CALL.invokeExact(pid, signal);
        } catch (Throwable e) {
            throw new AssertionError("kill(2) throws nothing", e);
        }
    }
}
