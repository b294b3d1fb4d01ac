package dev.orloj.api.codec;

/**
 * A document of a file.
 *
 * @param source the file, or {@code stdin}
 * @param index which document of the file, counted from 1
 */
public record Manifest(String source, int index, Document document) {

    /** {@code server.yaml, document 2, line 14}: where a field of the manifest stands. */
    public String locate(String path) {
        return "%s, document %d, line %d".formatted(source, index, document.lineOf(path));
    }
}
