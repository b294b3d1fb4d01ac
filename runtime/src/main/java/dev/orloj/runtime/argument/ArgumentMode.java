package dev.orloj.runtime.argument;

/** How arguments that do not match the input schema of their tool are handled. */
public enum ArgumentMode {
    /** Invalid arguments are refused. */
    STRICT,

    /**
     * Invalid arguments are converted if there is exactly one way to do so, and refused otherwise.
     */
    COERCE,

    /** All arguments are forwarded unchanged; the server validates them. */
    OFF
}
