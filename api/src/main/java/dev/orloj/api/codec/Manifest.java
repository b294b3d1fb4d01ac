package dev.orloj.api.codec;

/**
 * A document of a file.
 *
 * @param source the file, or {@code stdin}
 * @param index the number of the document in the file, counted from 1
 */
public record Manifest(String source, int index, Document document) {

    /** Returns the position of a field, such as {@code server.yaml, document 2, line 14}. */
    public String locate(String path) {
        return "%s, document %d, line %d".formatted(source, index, document.lineOf(path));
    }
}
