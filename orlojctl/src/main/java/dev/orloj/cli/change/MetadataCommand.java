package dev.orloj.cli.change;

import dev.orloj.api.codec.Json;
import dev.orloj.cli.command.CommandException;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.ExitCode;
import dev.orloj.cli.command.Flag;
import dev.orloj.cli.command.TextsOption;
import dev.orloj.cli.command.UsageException;
import dev.orloj.cli.output.Text;
import dev.orloj.cli.resource.Targets;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Sets and removes labels or annotations. */
public final class MetadataCommand extends ChangeCommand {

    private final String field;
    private final String noun;
    private final String done;
    private final TextsOption arguments =
            arguments(
                    "0..*",
                    "KIND NAME... KEY=VALUE... KEY-...",
                    "Resources, and what to set and to remove: mcp github team=web old-.");
    private final Flag overwrite = flag("Replace values that differ.", "--overwrite");
    private final Flag list = flag("List them, and change nothing.", "--list");
    private final Map<String, @Nullable String> changes = new LinkedHashMap<>();

    private MetadataCommand(
            String summary, String field, String noun, String done, String... examples) {
        super(summary, examples);
        this.field = field;
        this.noun = noun;
        this.done = done;
    }

    public static MetadataCommand ofLabels() {
        return new MetadataCommand(
                "Set and remove labels.",
                "labels",
                "label",
                "labeled",
                "orlojctl label mcp github team=web",
                "orlojctl label tools --all reviewed- ",
                "orlojctl label mcp github jira team=web --overwrite");
    }

    public static MetadataCommand ofAnnotations() {
        return new MetadataCommand(
                "Set and remove annotations.",
                "annotations",
                "annotation",
                "annotated",
                "orlojctl annotate mcp github note='under review'",
                "orlojctl annotate mcp github note-");
    }

    @Override
    public int run(Context context) {
        List<String> resources = new ArrayList<>();
        for (String argument : arguments.get()) {
            int sign = argument.indexOf('=');
            if (sign > 0) {
                put(argument.substring(0, sign), argument.substring(sign + 1));
            } else if (argument.endsWith("-") && !resources.isEmpty() && argument.length() > 1) {
                put(argument.substring(0, argument.length() - 1), null);
            } else if (changes.isEmpty()) {
                resources.add(argument);
            } else {
                throw new UsageException(
                        "\"%s\" is not of the form KEY=VALUE or KEY-".formatted(argument));
            }
        }
        if (list.isSet()) {
            return show(context, resources);
        }
        if (changes.isEmpty()) {
            throw needs(
                    (resources.isEmpty() ? "KIND NAME " : "")
                            + "KEY=VALUE to set, or KEY- to remove");
        }
        return change(context, resources);
    }

    private void put(String key, @Nullable String value) {
        if (changes.containsKey(key)) {
            throw new UsageException("%s \"%s\" is given twice".formatted(noun, key));
        }
        changes.put(key, value);
    }

    private int show(Context context, List<String> resources) {
        List<Targets.Named> targets = targets(context, resources);
        for (Targets.Named target : targets) {
            if (targets.size() > 1) {
                context.out()
                        .print(
                                "Listing %s for %s/%s:\n"
                                        .formatted(
                                                field,
                                                Text.qualified(target.kind()),
                                                target.name()));
            }
            context.documents()
                    .get(target.kind(), target.key(context.namespace()))
                    .at("/metadata/" + field)
                    .propertyStream()
                    .forEach(
                            entry ->
                                    context.out()
                                            .print(
                                                    Text.oneLine(
                                                                    entry.getKey()
                                                                            + "="
                                                                            + entry.getValue()
                                                                                    .asString(""))
                                                            + "\n"));
        }
        return ExitCode.OK;
    }

    @Override
    Optional<ResourcePatch> patch(Targets.Named target, ObjectNode live) {
        ObjectNode values = Json.MAPPER.createObjectNode();
        List<String> kept = new ArrayList<>();
        boolean removesOnly = true;
        for (Map.Entry<String, @Nullable String> change : changes.entrySet()) {
            String before =
                    live.at("/metadata/" + field).path(change.getKey()).asString((String) null);
            String after = change.getValue();
            if (after == null) {
                if (before != null) {
                    values.putNull(change.getKey());
                }
            } else if (!after.equals(before)) {
                removesOnly = false;
                if (before != null && !overwrite.isSet()) {
                    kept.add("\"%s\" has the value \"%s\"".formatted(change.getKey(), before));
                }
                values.put(change.getKey(), after);
            }
        }
        if (!kept.isEmpty()) {
            throw new CommandException(
                    "%s/%s: %s; replace it with --overwrite"
                            .formatted(
                                    Text.qualified(target.kind()),
                                    target.name(),
                                    String.join(", ", kept)));
        }
        if (values.isEmpty()) {
            return Optional.empty();
        }
        ObjectNode body = Json.MAPPER.createObjectNode();
        body.putObject("metadata").set(field, values);
        String word = removesOnly && noun.equals("label") ? "unlabeled" : done;
        return Optional.of(ResourcePatch.merge(body, word));
    }

    @Override
    String unchanged() {
        return "not " + done;
    }
}
