package dev.orloj.cli.importing;

import dev.orloj.api.GoDuration;
import dev.orloj.api.codec.Json;
import dev.orloj.cli.clientfile.Notation;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Reads an entry as its client does. */
final class EntryReader {

    private static final int FIRST_MILLISECONDS = 1_000;
    private static final Set<String> BUILT_IN =
            Set.of("builtin", "platform", "frontend", "inline_python", "bundled");

    private final Notation notation;
    private final Surroundings surroundings;
    private final List<String> notes = new ArrayList<>();

    EntryReader(Notation notation, Surroundings surroundings) {
        this.notation = notation;
        this.surroundings = surroundings;
    }

    /**
     * Reads an entry.
     *
     * @return empty for what is no server: markers, and what is a part of the client
     * @throws EntryException when it cannot be run as it is written
     */
    Optional<ConfiguredServer> read(String name, JsonNode node) {
        if (node.isNull() || node.isObject() && node.isEmpty()) {
            return Optional.empty();
        }
        EntryFields fields = new EntryFields(normalized(node));
        String type = type(fields);
        boolean isExtension = fields.has("settings") && fields.first("command", "url").isEmpty();
        if (BUILT_IN.contains(type) || isExtension) {
            return Optional.empty();
        }
        Launch launch = launch(fields, type);
        List<String> include = include(fields);
        List<String> exclude = fields.texts("excludeTools", "disabled_tools", "disabledTools");
        boolean isSuspended =
                fields.flag("disabled", false)
                        || !fields.flag("enabled", true)
                        || !fields.flag("isActive", true);
        ConfiguredServer entry =
                new ConfiguredServer(
                        name,
                        launch,
                        isSuspended,
                        include,
                        exclude,
                        timeout(fields, "tool_timeout_sec", "timeout"),
                        timeout(fields, "startup_timeout_sec", "startup_timeout_ms"),
                        List.copyOf(notes));
        return Optional.of(entry);
    }

    /** Returns the full form of an entry: short forms, and fields in a nested transport. */
    private static ObjectNode normalized(JsonNode node) {
        if (node.isArray() || node.isString()) {
            ObjectNode full = Json.MAPPER.createObjectNode();
            full.set("command", node);
            return full;
        }
        if (!(node instanceof ObjectNode object)) {
            throw new EntryException("expected an object with a command or a url");
        }
        ObjectNode copy = object.deepCopy();
        if (object.get("transport") instanceof ObjectNode nested) {
            copy.remove("transport");
            nested.properties().forEach(f -> copy.set(f.getKey(), f.getValue()));
        }
        if (object.get("command") instanceof ObjectNode nested) {
            copy.remove("command");
            nested.properties()
                    .forEach(
                            f ->
                                    copy.set(
                                            f.getKey().equals("path") ? "command" : f.getKey(),
                                            f.getValue()));
        }
        return copy;
    }

    /** Returns the type without what only distinguishes spellings. */
    private static String type(EntryFields fields) {
        return fields.text("type", "transport", "transport_type", "transportType")
                .orElse("")
                .toLowerCase(Locale.ROOT);
    }

    private Launch launch(EntryFields fields, String type) {
        boolean hasCommand = fields.first("command", "cmd").isPresent();
        Optional<String> url =
                fields.first("url", "serverUrl", "httpUrl", "uri", "endpoint", "server_url");
        return switch (type.replaceAll("[^a-z0-9]", "")) {
            case "stdio", "local" -> program(fields);
            case "http", "streamablehttp", "streamable", "remote" -> endpoint(fields, url, false);
            case "sse" -> endpoint(fields, url, true);
            case "", "custom", "extension", "url" ->
                    hasCommand || url.isEmpty()
                            ? program(fields)
                            : endpoint(fields, url, isSse(fields, url.get()));
            default ->
                    throw new EntryException(
                            "type \"%s\": Orloj runs stdio, http and sse".formatted(type));
        };
    }

    /** Clients try both transports; the path of HTTP+SSE is sse by convention. */
    private boolean isSse(EntryFields fields, String field) {
        boolean isOldPath = fields.text(field).orElse("").replaceAll("[?#].*", "").endsWith("/sse");
        return field.equals("url") && (notation.urlMeansSse() || isOldPath);
    }

    private Launch program(EntryFields fields) {
        List<String> words = new ArrayList<>(fields.texts("command", "cmd"));
        if (words.isEmpty() || words.getFirst().isBlank()) {
            throw new EntryException(
                    "there is neither a command nor a url; give the entry one of them");
        }
        boolean isLine = words.size() == 1 && !fields.has("args");
        if (isLine && words.getFirst().strip().contains(" ") && notation == Notation.ANY) {
            words = new ArrayList<>(Arrays.asList(words.getFirst().strip().split("\\s+")));
        }
        words.addAll(fields.texts("args"));
        ImportedSettings settings = settings();
        List<String> expanded = new ArrayList<>();
        for (int i = 0; i < words.size(); i++) {
            String field = i == 0 ? "command" : "args[" + (i - 1) + "]";
            expanded.add(settings.required(field, words.get(i)));
        }
        List<String> line = withoutWindowsShell(expanded);
        List<ImportedSetting> env =
                settings.env(
                        fields.pairs("env", "environment", "envs"),
                        fields.texts("env_keys"),
                        names(fields.get("env_vars")),
                        fields.texts("envFile", "env_file"));
        String directory =
                fields.text("cwd", "workingDirectory", "working_dir", "working_directory")
                        .map(d -> settings.required("cwd", d))
                        .map(settings::absolute)
                        .orElse("");
        List<String> absolute = line.stream().map(settings::relative).toList();
        noteRelative(absolute, directory);
        settings.noteArguments(absolute);
        return new Launch.Program(
                absolute.getFirst(), absolute.subList(1, absolute.size()), env, directory);
    }

    /** Returns the names of variables that are passed on, which are texts or objects. */
    private static List<String> names(JsonNode list) {
        return list.valueStream()
                .map(item -> item.isObject() ? item.path("name").asString("") : item.asString(""))
                .filter(name -> !name.isBlank())
                .toList();
    }

    /** On Windows scripts such as npx need a shell; elsewhere there is no such shell. */
    private static List<String> withoutWindowsShell(List<String> line) {
        String program = line.getFirst().toLowerCase(Locale.ROOT);
        boolean isShell =
                line.size() > 2
                        && (program.equals("cmd") || program.equals("cmd.exe"))
                        && line.get(1).equalsIgnoreCase("/c");
        return isShell ? line.subList(2, line.size()) : line;
    }

    private void noteRelative(List<String> line, String directory) {
        if (directory.isEmpty()) {
            line.stream()
                    .filter(word -> word.startsWith("./") || word.startsWith("../"))
                    .findFirst()
                    .ifPresent(
                            word ->
                                    notes.add(
                                            "\"%s\" is relative to the folder of orlojd; write the whole path"
                                                    .formatted(word)));
        }
    }

    private Launch endpoint(EntryFields fields, Optional<String> field, boolean isSse) {
        if (field.isEmpty()) {
            throw new EntryException("url is missing; give the address of the server");
        }
        ImportedSettings settings = settings();
        String url = settings.required(field.get(), fields.text(field.get()).orElse(""));
        List<ImportedSetting> headers = new ArrayList<>(headers(fields, settings));
        Optional<UrlUser> user = UrlUser.in(url);
        user.ifPresent(u -> headers.add(u.header()));
        String address = user.map(UrlUser::url).orElse(url);
        if (!address.startsWith("http://") && !address.startsWith("https://")) {
            throw new EntryException(
                    "%s \"%s\": expected an http or https URL".formatted(field.get(), address));
        }
        settings.noteArguments(List.of(address));
        if (fields.has("oauth") || fields.get("auth").isObject()) {
            notes.add(
                    "the client logs in with OAuth, which Orloj does not do; give a header with a"
                            + " token");
        }
        return new Launch.Endpoint(address, isSse, headers);
    }

    private List<ImportedSetting> headers(EntryFields fields, ImportedSettings settings) {
        List<ImportedSetting> headers = new ArrayList<>();
        if (notation == Notation.CODEX) {
            if (fields.has("headers")) {
                notes.add("Codex ignores headers; it reads http_headers");
            }
        } else {
            headers.addAll(settings.headers(fields.pairs("headers")));
        }
        headers.addAll(settings.headers(fields.pairs("http_headers")));
        if (fields.get("requestOptions") instanceof ObjectNode options) {
            headers.addAll(settings.headers(new EntryFields(options).pairs("headers")));
        }
        fields.pairs("env_http_headers")
                .forEach(
                        (name, variable) -> headers.add(settings.fromVariable(name, "", variable)));
        fields.text("bearer_token_env_var")
                .ifPresent(
                        variable ->
                                headers.add(
                                        settings.fromVariable(
                                                "Authorization", "Bearer ", variable)));
        fields.text("authorization_token")
                .ifPresent(
                        token ->
                                headers.addAll(
                                        settings.headers(
                                                java.util.Map.of(
                                                        "Authorization", "Bearer " + token))));
        return headers;
    }

    private ImportedSettings settings() {
        return new ImportedSettings(
                new Expansion(notation.variables(), surroundings), surroundings, notes::add);
    }

    private static List<String> include(EntryFields fields) {
        List<String> names =
                fields.get("tools").isObject()
                        ? List.of()
                        : fields.texts("includeTools", "enabled_tools", "available_tools", "tools");
        return names.contains("*") ? List.of() : names;
    }

    private Optional<Duration> timeout(EntryFields fields, String... names) {
        Optional<String> name = fields.first(names);
        if (name.isEmpty()) {
            return Optional.empty();
        }
        JsonNode value = fields.get(name.get());
        if (value.isString()) {
            try {
                return Optional.of(new GoDuration(value.asString()).toDuration());
            } catch (IllegalArgumentException e) {
                notes.add("%s \"%s\" is no duration".formatted(name.get(), value.asString()));
                return Optional.empty();
            }
        }
        double number = value.asDouble(0);
        boolean isSeconds =
                name.get().endsWith("_sec")
                        || !name.get().endsWith("_ms")
                                && (notation.unit() == Notation.Unit.SECONDS
                                        || notation.unit() == Notation.Unit.GUESS
                                                && number < FIRST_MILLISECONDS);
        long millis = Math.round(isSeconds ? number * 1_000 : number);
        return millis > 0 ? Optional.of(Duration.ofMillis(millis)) : Optional.empty();
    }
}
