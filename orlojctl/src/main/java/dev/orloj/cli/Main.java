package dev.orloj.cli;

import dev.orloj.cli.command.ExitCode;
import dev.orloj.cli.output.Console;

/** Entry point of {@code orlojctl}. */
public final class Main {

    private Main() {}

    public static void main(String[] args) {
        Console console = Console.ofProcess();
        int exitCode = Orlojctl.run(console, args);
        if (!console.flush() && Console.isFile()) {
            console.err()
                    .println("orlojctl: the output is not complete: check the space on the disk");
            exitCode = exitCode == ExitCode.OK ? ExitCode.FAILED : exitCode;
        }
        console.err().flush();
        System.exit(exitCode);
    }
}
