package dev.orloj.api.codec;

import tools.jackson.core.JacksonException;
import tools.jackson.dataformat.yaml.JacksonYAMLParseException;

/**
 * Thrown for bytes that are not a document: a syntax error, no object, or an unsupported feature.
 */
public final class MalformedDocumentException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private static final String YAML_PLACE = " in reader, line ";

    private final int line;

    public MalformedDocumentException(String message, int line) {
        super(message);
        this.line = line;
    }

    /** Converts an error of the parser to a message without names of its types. */
    public static MalformedDocumentException of(JacksonException e) {
        int line = e.getLocation() == null ? 1 : Math.max(1, e.getLocation().getLineNr());
        return e instanceof JacksonYAMLParseException
                ? ofYaml(e.getOriginalMessage(), line)
                : new MalformedDocumentException(SyntaxProblem.of(e), line);
    }

    /**
     * Converts an error of the YAML parser. Its message has several lines: the context, the
     * position of the context, the problem, and the position of the problem, with a snippet below
     * each position. Only the last problem and position are used.
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

    /** Removes the Java type of the parser and the setting that would allow the input. */
    private static String withoutJava(String problem) {
        return problem.replaceFirst("^[\\w.]+Exception: ", "")
                .replaceAll(",? from `[^`]*`", "")
                .replaceAll("[-.(;]* *(You can|enable|use) [^.]*`[^`]*`.*", "")
                .replaceAll("`[^`]*`", "the parser")
                .replaceFirst("\\s*\\(start marker at .*", "")
                .strip();
    }

    /** Returns the line, counted from 1. */
    public int line() {
        return line;
    }
}
