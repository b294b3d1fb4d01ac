package dev.orloj.runtime.workload;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** Signals of kill(2), which Java itself can send to single processes only. */
enum Signal {
    TERM(15),
    KILL(9);

    @SuppressWarnings("restricted") // launchers and surefire pass --enable-native-access
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

    /** Sends to one process; false when there is none, or it is not ours. */
    boolean sendToProcess(long pid) {
        return kill(Math.toIntExact(requireOrdinary(pid)), number) == 0;
    }

    /** Sends to every process of a group; false when there is none left. */
    boolean sendToGroup(long group) {
        return kill(-Math.toIntExact(requireOrdinary(group)), number) == 0;
    }

    /** 0, -1 and 1 would mean "my own group", "everybody" and "everybody" again once negated. */
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
