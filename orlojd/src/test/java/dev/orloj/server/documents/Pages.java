package dev.orloj.server.documents;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The pages that users read. */
final class Pages {

    static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    /** A part of the names of pages, for those who write one: the others are left out. */
    private static final String SELECTED = System.getProperty("orloj.page", "");

    private Pages() {}

    /** Their names below the root of the project. */
    static Stream<String> names() {
        try (Stream<Path> docs = Files.list(ROOT.resolve("docs"))) {
            List<String> pages =
                    docs.map(page -> "docs/" + page.getFileName())
                            .filter(page -> page.endsWith(".md"))
                            .sorted()
                            .toList();
            return Stream.concat(Stream.of("README.md", "examples/README.md"), pages.stream())
                    .filter(page -> page.contains(SELECTED));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Page read(String name) {
        try {
            return Page.read(name, Files.readAllLines(ROOT.resolve(name)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
