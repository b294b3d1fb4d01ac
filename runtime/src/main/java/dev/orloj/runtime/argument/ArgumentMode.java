package dev.orloj.runtime.argument;

/** How strictly the arguments of a call are held to the input schema of its tool. */
public enum ArgumentMode {
    /** What does not fit is refused. */
    STRICT,

    /** What does not fit is converted where there is one way only, and else refused. */
    COERCE,

    /** Everything is passed on as it is; the server checks it. */
    OFF
}
