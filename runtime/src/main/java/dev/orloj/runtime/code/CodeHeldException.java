package dev.orloj.runtime.code;

/** A session is not used, because the policy of its server does not serve what runs in it. */
public final class CodeHeldException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * @param message what changed, and how it is approved
     */
    public CodeHeldException(String message) {
        super(message);
    }

    /** Returns whether this is why something failed. */
    public static boolean isCauseOf(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof CodeHeldException) {
                return true;
            }
        }
        return false;
    }
}
