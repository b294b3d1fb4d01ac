package dev.orloj.api.codec;

import tools.jackson.core.JacksonException;
import tools.jackson.dataformat.yaml.JacksonYAMLParseException;

/**
 * Bytes that are no document: broken syntax, no object, or something that is refused on purpose.
 */
public final class MalformedDocumentException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private static final String YAML_PLACE = " in reader, line ";

    private final int line;

    public MalformedDocumentException(String message, int line) {
        super(message);
        this.line = line;
    }

    /** What a parser found, in words that name nothing of the parser. */
    public static MalformedDocumentException of(JacksonException e) {
        int line = e.getLocation() == null ? 1 : Math.max(1, e.getLocation().getLineNr());
        return e instanceof JacksonYAMLParseException
                ? ofYaml(e.getOriginalMessage(), line)
                : new MalformedDocumentException(SyntaxProblem.of(e), line);
    }

    /**
     * The YAML parser says in several lines what it was doing, where that began, what is wrong, and
     * where that is, with a snippet below each place: the last of them count.
     */
    private static MalformedDocumentException ofYaml(String message, int begun) {
        String problem = "unreadable";
        int line = begun;
        for (String text : message.lines().toList()) {
            if (text.startsWith(YAML_PLACE)) {
                int end = text.indexOf(',', YAML_PLACE.length());
                line = Integer.parseInt(text.substring(YAML_PLACE.length(), end));
            } else if (!text.isBlank() && !text.startsWith(" ")) {
                problem = text.strip();
            }
        }
        return new MalformedDocumentException(withoutJava(problem), line);
    }

    /** Neither the type in which the parser says so, nor the setting that would allow it. */
    private static String withoutJava(String problem) {
        return problem.replaceFirst("^[\\w.]+Exception: ", "")
                .replaceAll(",? from `[^`]*`", "")
                .replaceAll("[-.(;]* *(You can|enable|use) [^.]*`[^`]*`.*", "")
                .replaceAll("`[^`]*`", "the parser")
                .replaceFirst("\\s*\\(start marker at .*", "")
                .strip();
    }

    /** Where, counted from 1. */
    public int line() {
        return line;
    }
}
