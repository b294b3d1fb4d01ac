package dev.orloj.runtime.call;

/**
 * Limits the work of one check of arguments, in steps of the validator and in characters examined
 * by regular expressions. A malicious schema could make both grow without bounds. For one thread.
 */
final class CheckBudget {

    /** The check exceeded its budget. */
    static final class Exceeded extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private Exceeded() {
            super("the check against the input schema takes too many steps", null, false, false);
        }
    }

    /**
     * A scoped value, because the validator cannot pass the budget to its regular expressions in
     * another way.
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
