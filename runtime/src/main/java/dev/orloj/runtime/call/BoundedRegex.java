package dev.orloj.runtime.call;

import com.networknt.schema.regex.RegularExpression;

import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * A regular expression of a schema. Aborts the whole check when it examines too many characters,
 * which some expressions do exponentially often.
 */
final class BoundedRegex implements RegularExpression {

    private final Pattern pattern;

    private BoundedRegex(Pattern pattern) {
        this.pattern = pattern;
    }

    /**
     * Compiles an expression. An invalid one, or one that only ECMAScript supports, matches every
     * text.
     */
    static RegularExpression compile(String regex) {
        try {
            return new BoundedRegex(Pattern.compile(regex));
        } catch (PatternSyntaxException e) {
            return _ -> true;
        }
    }

    @Override
    public boolean matches(String value) {
        CheckBudget budget = CheckBudget.CURRENT.get();
        try {
            return pattern.matcher(new Counted(value, budget)).find();
        } catch (CheckBudget.Exceeded e) {
            return giveUp(budget);
        }
    }

    /**
     * Marks the budget instead of throwing, because the validator would log the server's pattern as
     * an error of orlojd.
     */
    private static boolean giveUp(CheckBudget budget) {
        budget.giveUp();
        return true;
    }

    private record Counted(CharSequence text, CheckBudget budget) implements CharSequence {

        @Override
        public char charAt(int index) {
            budget.spend();
            return text.charAt(index);
        }

        @Override
        public int length() {
            return text.length();
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return new Counted(text.subSequence(start, end), budget);
        }

        @Override
        public String toString() {
            return text.toString();
        }
    }
}
