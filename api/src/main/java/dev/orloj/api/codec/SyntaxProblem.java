package dev.orloj.api.codec;

import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.exc.UnexpectedEndOfInputException;
import tools.jackson.databind.exc.MismatchedInputException;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Describes a JSON syntax error without the message of the parser, which names its types and
 * settings and repeats text that may be a secret.
 */
final class SyntaxProblem {

    private static final Pattern CHARACTER =
            Pattern.compile("Unexpected (?:character \\(|close marker )'(.)'");

    private SyntaxProblem() {}

    /**
     * Returns the problem and its column. {@link MalformedDocumentException#line()} has the line.
     */
    static String of(JacksonException e) {
        String text = String.valueOf(e.getOriginalMessage());
        return switch (e) {
            case StreamConstraintsException _ -> limit(text);
            case UnexpectedEndOfInputException _ -> "it ends in the middle of a value";
            case MismatchedInputException _ -> "more follows after its end" + column(e);
            default -> syntax(text) + column(e);
        };
    }

    private static String limit(String text) {
        if (text.startsWith("Document nesting depth")) {
            return "it nests deeper than %d levels".formatted(Json.MAX_DEPTH);
        }
        if (text.startsWith("Number value length")) {
            return "a number has more than %d digits".formatted(Json.MAX_DIGITS);
        }
        if (text.startsWith("String value length")) {
            return "a string is longer than %d characters".formatted(Json.MAX_STRING);
        }
        return text.startsWith("Name length")
                ? "the name of a field is too long"
                : "it is larger than what is read";
    }

    private static String syntax(String text) {
        if (text.contains("UTF-8")) {
            return "it is not UTF-8";
        }
        if (text.contains("CTRL-CHAR")) {
            return "unexpected control character";
        }
        if (text.startsWith("Unrecognized character escape")) {
            return "unknown escape after a backslash";
        }
        if (text.contains("numeric value")) {
            return "a number that cannot be read";
        }
        Matcher character = CHARACTER.matcher(text);
        return character.find()
                ? "unexpected character '%s'".formatted(character.group(1))
                : "unexpected text";
    }

    private static String column(JacksonException e) {
        TokenStreamLocation place = e.getLocation();
        return place == null || place.getColumnNr() < 1 ? "" : " at column " + place.getColumnNr();
    }
}
