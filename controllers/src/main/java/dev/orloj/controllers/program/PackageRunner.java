package dev.orloj.controllers.program;

import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * Recognizes commands that download a program before they run it. The first start may take as long
 * as the download. A start that is interrupted begins the download again the next time.
 */
public final class PackageRunner {

    private static final Duration WITH_DOWNLOAD = Duration.ofMinutes(5);

    private static final Set<String> RUNNERS = Set.of("npx", "bunx", "pnpx", "uvx", "pipx");

    private PackageRunner() {}

    /**
     * Returns how long a program may take to start if its manifest does not set a time.
     *
     * @param command its words
     * @param usual the time for a program that is already installed
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
