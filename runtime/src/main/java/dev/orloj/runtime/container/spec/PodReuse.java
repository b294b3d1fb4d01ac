package dev.orloj.runtime.container.spec;

/**
 * Whether the Pod of a session may serve sessions of a later run of orlojd.
 *
 * @param isKept whether the Pod keeps running when orlojd stops
 * @param mayAdopt whether the session may use a Pod that runs already
 * @param terms what the session depends on beside the Pod; a session with other terms gets another
 *     Pod
 */
public record PodReuse(boolean isKept, boolean mayAdopt, String terms) {

    /** The Pod ends with its session. */
    public static final PodReuse NONE = new PodReuse(false, false, "");

    /** Returns the reuse for sessions with these terms. */
    public static PodReuse of(String terms) {
        return new PodReuse(true, true, terms);
    }

    /** Returns the same for a session that needs a new Pod. */
    public PodReuse withNewPod() {
        return new PodReuse(isKept, false, terms);
    }
}
