package dev.orloj.runtime.container.spec;

/** When an image is pulled from its registry. */
public enum PullPolicy {
    /** Before each new session; layers that the engine has are not transferred again. */
    ALWAYS,
    /** When the engine does not have it. */
    IF_NOT_PRESENT,
    /** Never: a missing image is an error. */
    NEVER
}
