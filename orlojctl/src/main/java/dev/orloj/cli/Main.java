package dev.orloj.cli;

import dev.orloj.cli.command.ExitCode;
import dev.orloj.cli.output.Console;

/** Entry point of {@code orlojctl}. */
public final class Main {

    private Main() {}

    public static void main(String[] args) {
        Console console = Console.ofProcess();
        int exitCode = run(console, Console.isFile(), args);
        console.err().flush();
        System.exit(exitCode);
    }

    /**
     * @param isFile whether the output is a file or a device, and no reader who may leave early
     */
    static int run(Console console, boolean isFile, String... args) {
        int exitCode = Orlojctl.run(console, args);
        if (console.flush() || !isFile) {
            return exitCode;
        }
        console.err()
                .println(
                        "orlojctl: the output is not complete: check that stdout is open, and the"
                                + " space on the disk");
        return exitCode == ExitCode.OK ? ExitCode.FAILED : exitCode;
    }
}
