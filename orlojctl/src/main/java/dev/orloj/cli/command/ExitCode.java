package dev.orloj.cli.command;

/** The exit codes of {@code orlojctl}. */
public final class ExitCode {

    public static final int OK = 0;
    public static final int FAILED = 1;
    public static final int USAGE = 2;

    /** A goal was not reached in time; to wait longer may help, unlike after a failure. */
    public static final int TIMEOUT = 4;

    /** A check found something; a check that could not run has {@link #FAILED}. */
    public static final int FINDINGS = 5;

    private ExitCode() {}
}
