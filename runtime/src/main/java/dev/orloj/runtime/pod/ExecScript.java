package dev.orloj.runtime.pod;

import dev.orloj.runtime.container.spec.ExecMarker;
import dev.orloj.runtime.workload.WorkloadException;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The shell script that starts a program in a running Pod. Kubernetes has no variables for an exec,
 * so the shell reads them and the command from stdin, confirms it on stdout, and replaces itself by
 * the program, which continues with the same streams. Thus no value and no argument is part of the
 * request, which the API server may log, or of the command line of the shell.
 */
final class ExecScript {

    /** Maximum size of the variables and the command. The shell reads them byte by byte. */
    static final int MAX_INPUT_BYTES = 256 * 1024;

    /** {@code $0} is the marker. An end of stdin before the marker ends the shell. */
    private static final String SCRIPT =
            """
            orloj_input=
            while IFS= read -r orloj_line; do
              if [ "$orloj_line" = "$0" ]; then
                eval "$orloj_input"
                echo "$0"
                exec "$@"
              fi
              orloj_input="$orloj_input$orloj_line
            "
            done
            exit 1
            """;

    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    private ExecScript() {}

    /** Returns the command of the exec. */
    static List<String> command(ExecMarker marker) {
        return List.of("sh", "-c", SCRIPT, marker.variable());
    }

    /**
     * Returns what the shell reads first.
     *
     * @throws WorkloadException when a shell cannot set one of the variables
     */
    static byte[] input(ExecMarker marker, List<String> command, Map<String, String> env) {
        StringBuilder text = new StringBuilder();
        env.forEach((name, value) -> append(text, name, value));
        append(text, ExecMarker.NAME, marker.value());
        text.append("set --");
        for (String word : command) {
            text.append(' ').append(quote("command", word));
        }
        text.append('\n').append(marker.variable()).append('\n');
        byte[] input = text.toString().getBytes(StandardCharsets.UTF_8);
        if (input.length > MAX_INPUT_BYTES) {
            throw new WorkloadException(
                    "env, command: %d bytes are more than the %d that a program of a Sandbox in a Pod can have; put large values into files of the Sandbox (env[].mountPath)"
                            .formatted(input.length, MAX_INPUT_BYTES));
        }
        return input;
    }

    private static void append(StringBuilder text, String name, String value) {
        if (!NAME.matcher(name).matches()) {
            throw new WorkloadException(
                    "env: the variable \"%s\" cannot be set for a program of a Sandbox in a Pod, which a shell starts; use letters, digits and _ only"
                            .formatted(name));
        }
        text.append("export ")
                .append(name)
                .append('=')
                .append(quote("variable " + name, value))
                .append('\n');
    }

    private static String quote(String what, String word) {
        if (word.indexOf('\0') >= 0) {
            throw new WorkloadException(
                    "env, command: the %s contains a NUL character, which no program can receive; remove it"
                            .formatted(what));
        }
        return "'" + word.replace("'", "'\\''") + "'";
    }
}
