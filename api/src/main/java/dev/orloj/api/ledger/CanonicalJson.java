package dev.orloj.api.ledger;

import dev.orloj.api.signature.Sha256;

import tools.jackson.databind.JsonNode;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/**
 * The canonical form of a JSON value (RFC 8785), and its SHA-256. Values that differ have different
 * forms. To that end, two kinds of values have a form of their own, which RFC 8785 refuses or
 * rounds:
 *
 * <ul>
 *   <li>A half of a surrogate pair is written as an escape, {@code \\ud800}, because UTF-8 cannot
 *       encode it.
 *   <li>A number keeps all its digits. RFC 8785 rounds to a double, so 2^53 and 2^53 + 1 would be
 *       one. The layout is that of RFC 8785; numbers that a double prints exactly are the same.
 * </ul>
 */
public final class CanonicalJson {

    private static final int LONGEST_PLAIN = 21;
    private static final int MAX_ZEROS = 6;
    private static final HexFormat HEX = HexFormat.of();

    private CanonicalJson() {}

    /** Returns the canonical text, without halves of surrogate pairs. */
    public static String of(JsonNode value) {
        StringBuilder text = new StringBuilder();
        write(value, text);
        return text.toString();
    }

    /** Returns the digest of the canonical text, {@code sha256:} and 64 hexadecimal digits. */
    public static String digest(JsonNode value) {
        return digest(of(value));
    }

    /**
     * @param canonical a canonical text
     */
    static String digest(String canonical) {
        return "sha256:" + Sha256.hex(canonical);
    }

    private static void write(JsonNode value, StringBuilder text) {
        switch (value.getNodeType()) {
            case OBJECT -> writeObject(value, text);
            case ARRAY -> {
                char separator = '[';
                for (JsonNode element : value) {
                    text.append(separator);
                    write(element, text);
                    separator = ',';
                }
                text.append(value.isEmpty() ? "[]" : "]");
            }
            case STRING -> writeString(value.asString(), text);
            case NUMBER -> writeNumber(value, text);
            case BOOLEAN -> text.append(value.booleanValue());
            case NULL -> text.append("null");
            case BINARY, MISSING, POJO ->
                    throw new IllegalArgumentException("No JSON value: " + value.getNodeType());
        }
    }

    private static void writeObject(JsonNode object, StringBuilder text) {
        List<Map.Entry<String, JsonNode>> fields = new ArrayList<>(object.properties());
        fields.sort(Map.Entry.comparingByKey());
        char separator = '{';
        for (Map.Entry<String, JsonNode> field : fields) {
            text.append(separator);
            writeString(field.getKey(), text);
            text.append(':');
            write(field.getValue(), text);
            separator = ',';
        }
        text.append(fields.isEmpty() ? "{}" : "}");
    }

    private static void writeString(String value, StringBuilder text) {
        text.append('"');
        int written = 0;
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c >= ' '
                    && c != '"'
                    && c != '\\'
                    && !(Character.isSurrogate(c) && isHalf(value, i))) {
                continue;
            }
            // Runs of characters that stand for themselves are appended as a whole: nearly all do.
            text.append(value, written, i);
            writeEscaped(c, text);
            written = i + 1;
        }
        text.append(value, written, value.length()).append('"');
    }

    private static void writeEscaped(char c, StringBuilder text) {
        switch (c) {
            case '"' -> text.append("\\\"");
            case '\\' -> text.append("\\\\");
            case '\b' -> text.append("\\b");
            case '\t' -> text.append("\\t");
            case '\n' -> text.append("\\n");
            case '\f' -> text.append("\\f");
            case '\r' -> text.append("\\r");
            default -> text.append("\\u").append(HEX.toHexDigits(c));
        }
    }

    private static boolean isHalf(String value, int i) {
        char c = value.charAt(i);
        if (Character.isHighSurrogate(c)) {
            return i + 1 == value.length() || !Character.isLowSurrogate(value.charAt(i + 1));
        }
        return Character.isLowSurrogate(c)
                && (i == 0 || !Character.isHighSurrogate(value.charAt(i - 1)));
    }

    private static void writeNumber(JsonNode number, StringBuilder text) {
        if (number.canConvertToLong() && number.isIntegralNumber()) {
            text.append(number.longValue());
            return;
        }
        BigDecimal value = number.decimalValue().stripTrailingZeros();
        if (value.signum() == 0) {
            text.append('0');
            return;
        }
        if (value.signum() < 0) {
            text.append('-');
        }
        String digits = value.unscaledValue().abs().toString();
        // The value is 0.DIGITS * 10^point.
        long point = (long) digits.length() - value.scale();
        if (point > LONGEST_PLAIN || point <= -MAX_ZEROS) {
            text.append(digits.charAt(0));
            if (digits.length() > 1) {
                text.append('.').append(digits, 1, digits.length());
            }
            text.append('e').append(point > 0 ? "+" : "").append(point - 1);
        } else if (point <= 0) {
            text.append("0.").repeat('0', (int) -point).append(digits);
        } else if (point < digits.length()) {
            text.append(digits, 0, (int) point).append('.');
            text.append(digits, (int) point, digits.length());
        } else {
            text.append(digits).repeat('0', (int) point - digits.length());
        }
    }
}
