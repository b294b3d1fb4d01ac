package dev.orloj.runtime.call;

/**
 * The work that one check of arguments may cost, in steps of the validator and characters looked at
 * by regular expressions. Both can grow without bounds for a schema that is made to hurt. For one
 * thread.
 */
final class CheckBudget {

    /** The check cost more than it may. */
    static final class Exceeded extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private Exceeded() {
            super("the check against the input schema takes too many steps", null, false, false);
        }
    }

    /**
     * The validator offers its regular expressions no other way to learn on whose behalf they work.
     */
    static final ScopedValue<CheckBudget> CURRENT = ScopedValue.newInstance();

    private int left;

    CheckBudget(int steps) {
        this.left = steps;
    }

    void spend() {
        left--;
        verify();
    }

    /** Makes the check fail at its next step, or at its end. */
    void giveUp() {
        left = -1;
    }

    void verify() {
        if (left < 0) {
            throw new Exceeded();
        }
    }
}
