package dev.orloj.runtime.call;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * A URI template (RFC 6570) that is compared with URIs. The time grows with the length of both, and
 * not faster.
 */
final class UriTemplate {

    private static final String OPERATORS = "+#./;?&";

    /**
     * A literal, or an expression if the text is empty.
     *
     * @param crosses whether the values of the expression can have a {@code /}
     */
    private record Part(String literal, boolean crosses) {

        boolean isLiteral() {
            return !literal.isEmpty();
        }
    }

    private final List<Part> parts = new ArrayList<>();

    UriTemplate(String text) {
        int from = 0;
        while (from < text.length()) {
            int open = text.indexOf('{', from);
            int close = open < 0 ? -1 : text.indexOf('}', open);
            if (close < 0) {
                parts.add(new Part(text.substring(from), false));
                return;
            }
            if (open > from) {
                parts.add(new Part(text.substring(from, open), false));
            }
            String expression = text.substring(open + 1, close);
            boolean crosses =
                    !expression.isEmpty() && OPERATORS.indexOf(expression.charAt(0)) >= 0
                            || expression.endsWith("*");
            parts.add(new Part("", crosses));
            from = close + 1;
        }
    }

    /** Returns whether the template makes the URI from some values. */
    boolean makes(String uri) {
        return matches(uri, false);
    }

    /** Returns whether a server may take the URI for one of the template: any text is a value. */
    boolean mayMake(String uri) {
        return matches(uri, true);
    }

    private boolean matches(String uri, boolean anything) {
        BitSet ends = new BitSet(uri.length() + 1);
        ends.set(0);
        for (Part part : parts) {
            ends =
                    part.isLiteral()
                            ? afterLiteral(uri, ends, part.literal())
                            : afterValue(uri, ends, anything || part.crosses());
            if (ends.isEmpty()) {
                return false;
            }
        }
        return ends.get(uri.length());
    }

    private static BitSet afterLiteral(String uri, BitSet starts, String literal) {
        BitSet ends = new BitSet(uri.length() + 1);
        for (int at = starts.nextSetBit(0); at >= 0; at = starts.nextSetBit(at + 1)) {
            if (uri.startsWith(literal, at)) {
                ends.set(at + literal.length());
            }
        }
        return ends;
    }

    private static BitSet afterValue(String uri, BitSet starts, boolean crosses) {
        BitSet ends = new BitSet(uri.length() + 1);
        int at = starts.nextSetBit(0);
        while (at >= 0) {
            int slash = crosses ? -1 : uri.indexOf('/', at);
            int end = slash < 0 ? uri.length() : slash;
            ends.set(at, end + 1);
            at = starts.nextSetBit(end + 1);
        }
        return ends;
    }
}
