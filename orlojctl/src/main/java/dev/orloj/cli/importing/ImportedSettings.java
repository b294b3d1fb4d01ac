package dev.orloj.cli.importing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the values of one entry. */
final class ImportedSettings {

    private static final int MAX_ENV_FILE = 1024 * 1024;
    private static final Pattern ASSIGNMENT =
            Pattern.compile("\\s*(?:export\\s+)?([A-Za-z_][A-Za-z0-9_.-]*)\\s*=\\s*(.*?)\\s*");
    private static final Pattern PAIR = Pattern.compile("([A-Za-z_-]+)[=:]\\s*([^&?\\s]+)");

    private final Expansion expansion;
    private final Surroundings surroundings;
    private final Consumer<String> notes;

    ImportedSettings(Expansion expansion, Surroundings surroundings, Consumer<String> notes) {
        this.expansion = expansion;
        this.surroundings = surroundings;
        this.notes = notes;
    }

    /** Returns a text whose variables all have values. */
    String required(String field, String text) {
        Expansion.Result result = expansion.expand(text);
        if (!result.missing().isEmpty()) {
            throw new EntryException(
                    "%s: %s; set it, and import again"
                            .formatted(field, result.missing().getFirst()));
        }
        noteUnexpanded(field, text);
        return result.text();
    }

    private void noteUnexpanded(String field, String text) {
        if (expansion.looksExpandable(text)) {
            notes.accept(
                    "%s has ${...}, which this client does not replace; it stays as it is"
                            .formatted(field));
        }
    }

    /**
     * Returns the variables of a program; later ones win over earlier ones of the same name.
     *
     * @param stored names of variables whose values the client keeps elsewhere
     * @param passed names of variables that the client passes on
     */
    List<ImportedSetting> env(
            Map<String, String> values,
            List<String> stored,
            List<String> passed,
            List<String> files) {
        Map<String, ImportedSetting> all = new LinkedHashMap<>();
        for (String file : files) {
            envFile(required("envFile", file)).forEach(s -> all.put(s.name(), s));
        }
        passed.forEach(name -> all.put(name, fromVariable(name, "", name)));
        stored.forEach(
                name ->
                        all.put(
                                name,
                                new ImportedSetting.Missing(
                                        name, "its value is in the keyring of the client")));
        values.forEach((name, text) -> all.put(name, setting("env." + name, name, text)));
        return List.copyOf(all.values());
    }

    List<ImportedSetting> headers(Map<String, String> values) {
        return values.entrySet().stream()
                .map(h -> setting("headers." + h.getKey(), h.getKey(), h.getValue()))
                .toList();
    }

    /** Returns a setting with the value of a variable here. */
    ImportedSetting fromVariable(String name, String before, String variable) {
        Optional<String> value = surroundings.variables().find(variable);
        if (value.isEmpty()) {
            return new ImportedSetting.Missing(name, surroundings.variables().whyMissing(variable));
        }
        boolean isSecret = !before.isEmpty() || Confidentiality.isSecret(variable, value.get());
        return setting(name, before + value.get(), isSecret);
    }

    private ImportedSetting setting(String field, String name, String text) {
        Expansion.Result result = expansion.expand(text);
        if (!result.missing().isEmpty()) {
            return new ImportedSetting.Missing(name, result.missing().getFirst());
        }
        noteUnexpanded(field, text);
        boolean isSecret = result.isConfidential() || Confidentiality.isSecret(name, result.text());
        return setting(name, result.text(), isSecret);
    }

    private static ImportedSetting setting(String name, String value, boolean isSecret) {
        return isSecret
                ? new ImportedSetting.Confidential(name, value)
                : new ImportedSetting.Plain(name, value);
    }

    /** Reads a file of assignments. What people keep apart from the configuration is secret. */
    private List<ImportedSetting> envFile(String name) {
        try {
            Path path = Path.of(absolute(name));
            if (Files.exists(path) && !surroundings.files().allows(path)) {
                throw new EntryException(
                        "envFile \"%s\": %s".formatted(name, surroundings.files().remedy()));
            }
            if (Files.size(path) > MAX_ENV_FILE) {
                throw new EntryException(
                        "envFile \"%s\" is larger than %d bytes".formatted(name, MAX_ENV_FILE));
            }
            List<ImportedSetting> settings = new ArrayList<>();
            for (String line : Files.readAllLines(path)) {
                Matcher assignment = ASSIGNMENT.matcher(line);
                if (!line.stripLeading().startsWith("#") && assignment.matches()) {
                    settings.add(
                            new ImportedSetting.Confidential(
                                    assignment.group(1), unquote(assignment.group(2))));
                }
            }
            return settings;
        } catch (IOException | InvalidPathException e) {
            throw new EntryException(
                    "envFile \"%s\" cannot be read; correct the path or remove it".formatted(name));
        }
    }

    private static String unquote(String text) {
        boolean isQuoted =
                text.length() > 1
                        && "\"'".indexOf(text.charAt(0)) >= 0
                        && text.charAt(text.length() - 1) == text.charAt(0);
        return isQuoted ? text.substring(1, text.length() - 1) : text.replaceFirst("\\s+#.*$", "");
    }

    /** Returns a path of the entry as a whole path. */
    String absolute(String path) {
        if (path.equals("~") || path.startsWith("~/")) {
            return surroundings.home() + path.substring(1);
        }
        Optional<Path> folder = surroundings.folder();
        boolean isAbsolute = path.startsWith("/") || path.matches("[A-Za-z]:[\\\\/].*");
        return isAbsolute || folder.isEmpty()
                ? path
                : folder.get().resolve(path).normalize().toString();
    }

    /**
     * Returns a word of a command line, with its path made whole if it is relative to a project.
     */
    String relative(String word) {
        return word.startsWith("./") || word.startsWith("../") ? absolute(word) : word;
    }

    /** Notes secrets where only a text can be. */
    void noteArguments(List<String> words) {
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            boolean isNamed =
                    PAIR.matcher(word)
                            .results()
                            .anyMatch(p -> Confidentiality.isSecret(p.group(1), p.group(2)));
            boolean follows =
                    i > 0
                            && words.get(i - 1).startsWith("--")
                            && !words.get(i - 1).contains("=")
                            && !word.startsWith("-")
                            && Confidentiality.isSecret(words.get(i - 1), word);
            if (isNamed || follows || Confidentiality.looksLikeOne(word)) {
                notes.accept(
                        "an argument or the URL contains a secret, which stays readable in the"
                                + " McpServer; use a variable or a header if the server has one");
                return;
            }
        }
    }
}
