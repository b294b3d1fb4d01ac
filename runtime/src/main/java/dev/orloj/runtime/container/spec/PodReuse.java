package dev.orloj.runtime.container.spec;

/** Whether the Pod of a session may serve sessions of a later run of orlojd. */
public sealed interface PodReuse {

    /** The Pod ends with its session. */
    record None() implements PodReuse {}

    /**
     * The Pod keeps running when orlojd stops.
     *
     * @param mayAdopt whether the session may use a Pod that runs already
     * @param terms what the session depends on beside the Pod; a session with other terms gets
     *     another Pod
     */
    record Kept(boolean mayAdopt, String terms) implements PodReuse {}

    /** Returns the reuse for sessions with these terms. */
    static PodReuse of(String terms) {
        return new Kept(true, terms);
    }

    /** Returns the same for a session that needs a new Pod. */
    default PodReuse withNewPod() {
        return switch (this) {
            case None none -> none;
            case Kept(_, String terms) -> new Kept(false, terms);
        };
    }
}
