package dev.orloj.runtime.container.spec;

/** When an image is asked for at its registry. */
public enum PullPolicy {
    /** Before each new session; what is there already is not transferred again. */
    ALWAYS,
    /** When the engine does not have it. */
    IF_NOT_PRESENT,
    /** Never: an image that the engine does not have is an error. */
    NEVER
}
