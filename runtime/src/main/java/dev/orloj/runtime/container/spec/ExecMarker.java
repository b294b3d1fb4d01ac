package dev.orloj.runtime.container.spec;

import java.util.List;
import java.util.UUID;

/**
 * The marker in the environment of a program that runs in a container beside its main program, and
 * in that of all its descendants. An engine can signal a container, but not a single program in it,
 * so a program with the marker is killed from the inside.
 *
 * @param variable the variable with its value, {@code NAME=VALUE}
 */
public record ExecMarker(String variable) {

    /** The name of the variable. */
    public static final String NAME = "ORLOJ_PROGRAM";

    /** Runs twice, because a program may have started another one before it was killed. */
    private static final String KILL =
            """
            for round in 1 2; do
              for p in /proc/[0-9]*; do
                case "$(cat $p/environ 2>/dev/null)" in *"$0"*) kill -9 "${p#/proc/}";; esac
              done
            done 2>/dev/null
            """;

    /** Returns a marker that no other program has. */
    public static ExecMarker random() {
        return new ExecMarker(NAME + "=" + UUID.randomUUID());
    }

    /** Returns the value of the variable. */
    public String value() {
        return variable.substring(NAME.length() + 1);
    }

    /**
     * Returns the command that kills all programs with the marker in the container in which it
     * runs. Requires {@code sh} and {@code cat} in the image.
     */
    public List<String> killCommand() {
        return List.of("sh", "-c", KILL, variable);
    }
}
