package dev.orloj.runtime.call;

import com.networknt.schema.regex.RegularExpression;

import java.util.regex.Pattern;

/**
 * A regular expression of a schema. Matching stops with {@link CheckBudget.Exceeded} when it looks
 * at too many characters, which some expressions do exponentially often.
 */
final class BoundedRegex implements RegularExpression {

    private final Pattern pattern;

    /**
     * @throws java.util.regex.PatternSyntaxException when it is none, or one that only ECMAScript
     *     knows
     */
    BoundedRegex(String regex) {
        this.pattern = Pattern.compile(regex);
    }

    @Override
    public boolean matches(String value) {
        return pattern.matcher(new Counted(value, CheckBudget.CURRENT.get())).find();
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
