package dev.orloj.cli.kubeconfig;

import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.schema.FailsafeSchema;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The files of the kubeconfig as plain maps of texts. Every command reads them, most of them need
 * nothing else of the JSON library, and that takes as long to load as a command may run.
 */
record ContextFiles(List<ContextFile> files) {

    private static final LoadSettings SETTINGS =
            LoadSettings.builder()
                    .setSchema(new FailsafeSchema())
                    .setAllowDuplicateKeys(true)
                    .setCodePointLimit(KubeconfigFile.MAX_BYTES)
                    .build();

    /** One file and its document. */
    record ContextFile(Path path, Map<?, ?> root) {

        Stream<Map<?, ?>> entries(String list) {
            return root.get(list) instanceof List<?> entries
                    ? entries.stream().filter(Map.class::isInstance).map(entry -> (Map<?, ?>) entry)
                    : Stream.empty();
        }
    }

    /**
     * An entry and the file that it is in, which its relative paths start from.
     *
     * @param content without its name
     */
    record Entry(Path file, Map<?, ?> content) {

        @Nullable String text(String field) {
            String text = ContextFiles.text(content, field);
            return text.isEmpty() ? null : text;
        }

        boolean has(String field) {
            return content.containsKey(field);
        }
    }

    /**
     * @throws IllegalArgumentException when a file cannot be read
     */
    static ContextFiles read(List<Path> paths) {
        return new ContextFiles(
                paths.stream().map(path -> new ContextFile(path, root(path))).toList());
    }

    private static Map<?, ?> root(Path path) {
        try {
            if (!Files.exists(path)) {
                return Map.of();
            }
            String text = new String(KubeconfigFile.bytes(path), StandardCharsets.UTF_8);
            Object root = new Load(SETTINGS).loadFromString(text);
            if (root instanceof Map<?, ?> map) {
                return map;
            }
        } catch (IOException | YamlEngineException e) {
            // reported below, with the line
        }
        KubeconfigFile.read(path);
        return Map.of();
    }

    /** Returns the text of a field; empty where there is none, or an empty value of YAML. */
    static String text(Map<?, ?> content, String field) {
        return content.get(field) instanceof String text
                        && !text.equals("null")
                        && !text.equals("~")
                ? text
                : "";
    }

    String currentContext() {
        return files.stream()
                .map(file -> text(file.root(), "current-context"))
                .filter(name -> !name.isEmpty())
                .findFirst()
                .orElse("");
    }

    /**
     * Returns an entry; of several with one name the first.
     *
     * @param list clusters, contexts or users
     */
    Optional<Entry> entry(String list, String name) {
        String singular = list.substring(0, list.length() - 1);
        for (ContextFile file : files) {
            Optional<Map<?, ?>> named =
                    file.entries(list).filter(e -> text(e, "name").equals(name)).findFirst();
            if (named.isPresent()) {
                return Optional.of(
                        new Entry(
                                file.path(),
                                named.get().get(singular) instanceof Map<?, ?> content
                                        ? content
                                        : Map.of()));
            }
        }
        return Optional.empty();
    }

    /**
     * Returns the extension of an entry; of several with one name the first.
     *
     * @param content of the entry
     */
    static Optional<Map<?, ?>> extension(Map<?, ?> content, String name) {
        return content.get("extensions") instanceof List<?> extensions
                ? extensions.stream()
                        .filter(Map.class::isInstance)
                        .map(extension -> (Map<?, ?>) extension)
                        .filter(extension -> text(extension, "name").equals(name))
                        .map(extension -> extension.get("extension"))
                        .filter(Map.class::isInstance)
                        .<Map<?, ?>>map(extension -> (Map<?, ?>) extension)
                        .findFirst()
                : Optional.empty();
    }

    /** Returns the names of the entries of a list, those of the first file first. */
    List<String> names(String list) {
        return files.stream()
                .flatMap(file -> file.entries(list))
                .map(entry -> text(entry, "name"))
                .distinct()
                .toList();
    }
}
