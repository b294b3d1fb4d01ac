package dev.orloj.cli;

import dev.orloj.cli.output.Console;

/** Entry point of {@code orlojctl}. */
public final class Main {

    private Main() {}

    public static void main(String[] args) {
        Console console = Console.ofProcess();
        int exitCode = Orlojctl.run(console, args);
        console.out().flush();
        console.err().flush();
        System.exit(exitCode);
    }
}
