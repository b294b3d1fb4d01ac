package dev.orloj.controllers.program;

import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * Commands that fetch a program before they run it. The first start may take as long as a download
 * does; a start that is ended midway begins from nothing the next time.
 */
public final class PackageRunner {

    private static final Duration WITH_DOWNLOAD = Duration.ofMinutes(5);

    private static final Set<String> RUNNERS = Set.of("npx", "bunx", "pnpx", "uvx", "pipx");

    private PackageRunner() {}

    /**
     * How long a program may take to start, where its manifest does not say so.
     *
     * @param command its words
     * @param usual the time for one that is there
     */
    public static Duration startupTimeout(List<String> command, Duration usual) {
        return runs(command) && usual.compareTo(WITH_DOWNLOAD) < 0 ? WITH_DOWNLOAD : usual;
    }

    static boolean runs(List<String> command) {
        if (command.isEmpty()) {
            return false;
        }
        String program = command.getFirst();
        String name = program.substring(program.lastIndexOf('/') + 1);
        return RUNNERS.contains(name)
                || starts(command, name, "npm", "exec")
                || starts(command, name, "pnpm", "dlx")
                || starts(command, name, "yarn", "dlx")
                || starts(command, name, "uv", "tool")
                || starts(command, name, "docker", "run");
    }

    private static boolean starts(
            List<String> command, String name, String program, String argument) {
        return name.equals(program) && command.size() > 1 && command.get(1).equals(argument);
    }
}
