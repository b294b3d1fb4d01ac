package dev.orloj.cli.importing;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds the values of what a {@code server.json} leaves open. */
final class RegistryInputs {

    private static final Pattern VARIABLE = Pattern.compile("\\{([A-Za-z0-9_.-]+)\\}");

    private final RegistryServer.Choices choices;

    RegistryInputs(RegistryServer.Choices choices) {
        this.choices = choices;
    }

    List<String> arguments(JsonNode list, String field) {
        List<String> arguments = new ArrayList<>();
        for (JsonNode argument : list) {
            boolean isNamed = argument.path("type").asString("").equals("named");
            String name = argument.path("name").asString("");
            String label = isNamed ? name : argument.path("valueHint").asString(name);
            Optional<String> value = value(argument, label);
            boolean isFlag =
                    isNamed
                            && !argument.has("value")
                            && !argument.has("default")
                            && !argument.has("format");
            if (value.isEmpty() && argument.path("isRequired").asBoolean(false) && !isFlag) {
                throw new EntryException(
                        "%s: \"%s\" needs a value; give it with --set %s=VALUE"
                                .formatted(field, label, label));
            }
            if (isNamed
                    && (value.isPresent()
                            || isFlag && argument.path("isRequired").asBoolean(false))) {
                arguments.add(name);
            }
            value.ifPresent(arguments::add);
        }
        return arguments;
    }

    List<ImportedSetting> settings(JsonNode list) {
        List<ImportedSetting> settings = new ArrayList<>();
        for (JsonNode item : list) {
            String name = item.path("name").asString("");
            Optional<String> value = value(item, name);
            boolean isSecret =
                    item.path("isSecret").asBoolean(false)
                            || value.map(v -> Confidentiality.isSecret(name, v)).orElse(false);
            if (value.isPresent()) {
                settings.add(
                        isSecret
                                ? new ImportedSetting.Confidential(name, value.get())
                                : new ImportedSetting.Plain(name, value.get()));
            } else if (item.path("isRequired").asBoolean(false)) {
                settings.add(
                        new ImportedSetting.Missing(name, "the setting " + name + " has no value"));
            }
        }
        return settings;
    }

    private Optional<String> value(JsonNode item, String name) {
        Optional<String> chosen = choices.values().apply(name).filter(v -> !v.isEmpty());
        if (chosen.isPresent()) {
            return Optional.of(allowed(item, name, chosen.get()));
        }
        String fixed = item.path("value").asString("");
        if (!fixed.isEmpty()) {
            return Optional.of(template(fixed, item.path("variables")));
        }
        String usual = item.path("default").asString("");
        if (!item.path("isRequired").asBoolean(false)) {
            return Optional.of(usual).filter(u -> !u.isEmpty());
        }
        return choices.ask()
                .apply(
                        new Surroundings.Input(
                                name,
                                item.path("description").asString(name),
                                item.path("isSecret").asBoolean(false),
                                usual))
                .filter(answer -> !answer.isEmpty())
                .map(answer -> allowed(item, name, answer))
                .or(() -> Optional.of(usual).filter(u -> !u.isEmpty()));
    }

    private static String allowed(JsonNode item, String name, String value) {
        List<String> possible =
                item.path("choices").valueStream().map(c -> c.asString("")).toList();
        if (!possible.isEmpty() && !possible.contains(value)) {
            throw new EntryException(
                    "%s \"%s\": expected one of %s"
                            .formatted(name, value, String.join(", ", possible)));
        }
        return value;
    }

    /** Replaces {@code {variable}} by its value. */
    String template(String text, JsonNode variables) {
        return VARIABLE.matcher(text)
                .replaceAll(
                        match ->
                                Matcher.quoteReplacement(
                                        variables.has(match.group(1))
                                                ? variable(match.group(1), variables)
                                                : match.group()));
    }

    private String variable(String name, JsonNode variables) {
        return value(variables.path(name), name)
                .orElseThrow(
                        () ->
                                new EntryException(
                                        "\"%s\" needs a value; give it with --set %s=VALUE"
                                                .formatted(name, name)));
    }
}
