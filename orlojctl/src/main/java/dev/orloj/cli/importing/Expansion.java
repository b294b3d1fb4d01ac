package dev.orloj.cli.importing;

import dev.orloj.cli.clientfile.Notation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Replaces the variables in the texts of one entry, in the way of one client. */
final class Expansion {

    private static final int MAX_FILE = 64 * 1024;
    private static final Pattern BRACES = Pattern.compile("\\$\\{([^{}]*)\\}");
    private static final Pattern SHELL =
            Pattern.compile("\\$(?:\\{([^{}]*)\\}|([A-Za-z_][A-Za-z0-9_]*))");
    private static final Pattern SINGLE = Pattern.compile("\\{((?:env|file):[^{}]*)\\}");
    private static final Pattern TEMPLATE =
            Pattern.compile("\\$\\{\\{\\s*(?:secrets|inputs)\\.([\\w./-]+?)\\s*\\}\\}");
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    private final Notation.Variables notation;
    private final Surroundings surroundings;

    /**
     * A text with its variables replaced.
     *
     * @param missing why values are missing
     * @param isConfidential whether the value of a variable is a secret
     */
    record Result(String text, List<String> missing, boolean isConfidential) {}

    Expansion(Notation.Variables notation, Surroundings surroundings) {
        this.notation = notation;
        this.surroundings = surroundings;
    }

    /** Returns whether the client passes on unchanged what looks like a variable. */
    boolean looksExpandable(String text) {
        return notation == Notation.Variables.NONE && BRACES.matcher(text).find();
    }

    Result expand(String text) {
        Optional<Pattern> pattern =
                switch (notation) {
                    case NONE -> Optional.empty();
                    case BRACES -> Optional.of(BRACES);
                    case SHELL -> Optional.of(SHELL);
                    case SINGLE_BRACES -> Optional.of(SINGLE);
                    case TEMPLATES -> Optional.of(TEMPLATE);
                };
        if (pattern.isEmpty()) {
            return new Result(text, List.of(), false);
        }
        List<String> missing = new ArrayList<>();
        boolean isConfidential = false;
        StringBuilder out = new StringBuilder();
        Matcher matcher = pattern.get().matcher(text);
        while (matcher.find()) {
            String reference = matcher.group(1) == null ? matcher.group(2) : matcher.group(1);
            Optional<Value> value = value(reference);
            if (value.isEmpty()) {
                missing.add(reason(reference));
            }
            isConfidential |= value.map(Value::isConfidential).orElse(false);
            matcher.appendReplacement(
                    out, Matcher.quoteReplacement(value.map(Value::text).orElse("")));
        }
        matcher.appendTail(out);
        return new Result(out.toString(), missing, isConfidential);
    }

    private record Value(String text, boolean isConfidential) {}

    private Optional<Value> value(String reference) {
        if (notation == Notation.Variables.TEMPLATES) {
            return variable(reference).map(v -> new Value(v.text(), true));
        }
        int colon = reference.indexOf(':');
        String prefix = colon < 0 ? "" : reference.substring(0, colon);
        String rest = reference.substring(colon + 1);
        return switch (prefix) {
            case "env" -> variable(rest);
            case "input" -> input(rest);
            case "file" -> file(rest).map(text -> new Value(text, true));
            case "" -> predefined(reference).or(() -> variable(reference));
            default ->
                    rest.startsWith("-")
                            ? variable(prefix)
                                    .filter(v -> !v.text().isEmpty())
                                    .or(() -> Optional.of(new Value(rest.substring(1), false)))
                            : Optional.empty();
        };
    }

    private String reason(String reference) {
        int colon = reference.indexOf(':');
        String rest = reference.substring(colon + 1);
        if (reference.startsWith("input:")) {
            return "the input " + rest + " has no value";
        }
        if (reference.startsWith("file:")) {
            Optional<Path> path = path(rest);
            return path.isPresent() && !surroundings.files().allows(path.get())
                    ? "the file %s is not given to this file: %s"
                            .formatted(rest, surroundings.files().remedy())
                    : "the file " + rest + " cannot be read";
        }
        return NAME.matcher(rest).matches()
                ? surroundings.variables().whyMissing(rest)
                : "\"" + reference + "\" is unknown here";
    }

    private Optional<Value> variable(String name) {
        return surroundings
                .variables()
                .find(name)
                .map(value -> new Value(value, Confidentiality.isSecret(name, value)));
    }

    private Optional<Value> predefined(String name) {
        Optional<String> folder = surroundings.folder().map(Path::toString);
        Map<String, Optional<String>> known =
                Map.of(
                        "userHome", Optional.of(surroundings.home().toString()),
                        "workspaceFolder", folder,
                        "workspaceFolderBasename",
                                surroundings.folder().map(p -> String.valueOf(p.getFileName())),
                        "cwd", folder,
                        "pathSeparator", Optional.of("/"),
                        "/", Optional.of("/"));
        return known.getOrDefault(name, Optional.empty()).map(text -> new Value(text, false));
    }

    private Optional<Value> input(String id) {
        Surroundings.Input declared = surroundings.inputs().get(id);
        Surroundings.Input input =
                declared == null ? new Surroundings.Input(id, id, true, "") : declared;
        return surroundings
                .ask()
                .apply(input)
                .or(() -> Optional.of(input.fallback()))
                .filter(text -> !text.isEmpty())
                .map(
                        text ->
                                new Value(
                                        text,
                                        input.isPassword() || Confidentiality.isSecret(id, text)));
    }

    private Optional<String> file(String name) {
        try {
            Optional<Path> path = path(name).filter(surroundings.files()::allows);
            return path.isPresent()
                            && Files.isRegularFile(path.get())
                            && Files.size(path.get()) <= MAX_FILE
                    ? Optional.of(Files.readString(path.get()).strip())
                    : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private Optional<Path> path(String name) {
        try {
            return Optional.of(
                    name.startsWith("~/")
                            ? surroundings.home().resolve(name.substring(2))
                            : surroundings.folder().orElse(surroundings.home()).resolve(name));
        } catch (InvalidPathException e) {
            return Optional.empty();
        }
    }
}
