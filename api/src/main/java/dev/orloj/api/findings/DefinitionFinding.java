package dev.orloj.api.findings;

import com.fasterxml.jackson.annotation.JsonInclude;

import java.util.Comparator;
import java.util.function.UnaryOperator;

/**
 * Something that was found in a definition.
 *
 * @param id of the {@link FindingRule}, in kebab-case
 * @param subject whose definition, such as {@code tool/search}; at most {@link #LONGEST} characters
 * @param where JSON Pointer into the definition, as the server lists it
 * @param offset of the span in the text at this place, in UTF-16 units
 * @param length of the span; 0 if the finding is about the place as a whole
 * @param excerpt the span with what surrounds it; characters that cannot be seen are escaped
 * @param message what was found, a sentence without its full stop
 * @param remedy what to do
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record DefinitionFinding(
        String id,
        FindingSeverity severity,
        String subject,
        String where,
        @JsonInclude(JsonInclude.Include.NON_DEFAULT) int offset,
        @JsonInclude(JsonInclude.Include.NON_DEFAULT) int length,
        String excerpt,
        String message,
        String remedy) {

    /** The most characters of a text of a finding. */
    public static final int LONGEST = 300;

    /** The worst first, then by place. */
    public static final Comparator<DefinitionFinding> WORST_FIRST =
            Comparator.comparing(DefinitionFinding::severity)
                    .thenComparing(DefinitionFinding::subject)
                    .thenComparing(DefinitionFinding::where)
                    .thenComparing(DefinitionFinding::offset)
                    .thenComparing(DefinitionFinding::id);

    public DefinitionFinding {
        id = cut(id);
        severity = severity == null ? FindingSeverity.LOW : severity;
        subject = cut(subject);
        where = cut(where);
        excerpt = cut(excerpt);
        message = cut(message);
        remedy = cut(remedy);
    }

    DefinitionFinding mapTexts(UnaryOperator<String> change) {
        return new DefinitionFinding(
                id,
                severity,
                change.apply(subject),
                change.apply(where),
                offset,
                length,
                change.apply(excerpt),
                change.apply(message),
                remedy);
    }

    private static String cut(String text) {
        if (text == null) {
            return "";
        }
        return text.length() > LONGEST ? text.substring(0, LONGEST - 1) + "…" : text;
    }
}
