package dev.orloj.cli.change;

import dev.orloj.api.ApiException;
import dev.orloj.api.Kind;
import dev.orloj.cli.command.Command;
import dev.orloj.cli.command.CommandException;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.ExitCode;
import dev.orloj.cli.command.Flag;
import dev.orloj.cli.command.Format;
import dev.orloj.cli.command.TextOption;
import dev.orloj.cli.command.UsageException;
import dev.orloj.cli.http.ResourceSelection;
import dev.orloj.cli.manifest.ManifestInput;
import dev.orloj.cli.manifest.ManifestSources;
import dev.orloj.cli.output.Documents;
import dev.orloj.cli.output.Masked;
import dev.orloj.cli.output.Text;
import dev.orloj.cli.resource.NameGuess;
import dev.orloj.cli.resource.NothingFound;
import dev.orloj.cli.resource.Targets;

import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A command that changes a part of each of some resources. */
abstract class ChangeCommand extends Command {

    private final ManifestSources sources =
            new ManifestSources(this::texts, this::flag, "What the manifests name.");
    private final TextOption selector =
            text("LABELS", "All resources of the kind with these labels.", "-l", "--selector");
    private final Flag all = flag("All resources of the kind in the namespace.", "--all");
    private final TextOption dryRun =
            text("WHERE", "Change nothing, only check: server.", "--dry-run");
    private final TextOption output = text("FORMAT", "name, json or yaml.", "-o", "--output");
    private final TextOption manager =
            text(
                    "NAME",
                    "Field manager that owns the changed fields. Default: orlojctl.",
                    "--field-manager");

    ChangeCommand(String summary, String... examples) {
        super(summary, examples);
    }

    /**
     * Returns the change of a resource; empty when there is nothing to change.
     *
     * @throws CommandException when the resource cannot be changed
     */
    abstract Optional<ResourcePatch> patch(Targets.Named target, ObjectNode live);

    /** What the output says of a resource that stays as it is. */
    abstract String unchanged();

    /**
     * Changes the resources, each for itself.
     *
     * @param resources the arguments that name them
     */
    final int change(Context context, List<String> resources) {
        boolean isDry = isDry();
        Optional<Format> format =
                output.get()
                        .map(
                                text ->
                                        Format.parse(
                                                text,
                                                List.of(Format.NAME, Format.JSON, Format.YAML)));
        List<ObjectNode> changed = new ArrayList<>();
        int exitCode = ExitCode.OK;
        for (Targets.Named target : targets(context, resources)) {
            String display = Text.qualified(target.kind()) + "/" + target.name();
            try {
                ObjectNode live =
                        context.documents().get(target.kind(), target.key(context.namespace()));
                Optional<ResourcePatch> patch = patch(target, live);
                ObjectNode after =
                        patch.isPresent()
                                ? patch.get()
                                        .send(context, target, isDry, manager.orElse("orlojctl"))
                                : live;
                changed.add(Masked.of(Documents.withoutOwners(after)));
                String line =
                        patch.map(p -> p.done() + (isSame(live, after) ? " (no change)" : ""))
                                .orElse(unchanged());
                print(context, format, display, line + (isDry ? " (server dry run)" : ""));
            } catch (ApiException e) {
                context.out().flush();
                context.err().println("orlojctl: " + NameGuess.explain(context, e));
                exitCode = ExitCode.FAILED;
            } catch (CommandException e) {
                context.out().flush();
                context.err().println("orlojctl: " + e.getMessage());
                exitCode = ExitCode.FAILED;
            }
        }
        if (!changed.isEmpty()) {
            format.filter(f -> f != Format.NAME)
                    .ifPresent(
                            f -> context.out().print(f.write(Documents.oneOrList(changed, false))));
        }
        return exitCode;
    }

    private static void print(
            Context context, Optional<Format> format, String display, String line) {
        if (format.isEmpty()) {
            context.out().print(display + " " + line + "\n");
        } else if (format.get() == Format.NAME) {
            context.out().print(display + "\n");
        }
        context.out().flush(); // who interrupts the command sees what it has done
    }

    private static boolean isSame(ObjectNode live, ObjectNode after) {
        return live.at("/metadata/uid").equals(after.at("/metadata/uid"))
                && live.at("/metadata/resourceVersion")
                        .equals(after.at("/metadata/resourceVersion"));
    }

    private boolean isDry() {
        return switch (dryRun.orElse("none")) {
            case "none" -> false;
            case "server" -> true;
            default ->
                    throw new UsageException(
                            "--dry-run \"%s\": expected server or none"
                                    .formatted(dryRun.orElse("")));
        };
    }

    final List<Targets.Named> targets(Context context, List<String> resources) {
        if (sources.isGiven()) {
            if (!resources.isEmpty()) {
                throw new UsageException("-f and names exclude each other");
            }
            ManifestInput input = sources.read(context);
            if (input.exitCode() != ExitCode.OK) {
                throw new CommandException(
                        "nothing was changed, since not all manifests can be read");
            }
            return Targets.of(input.submissions()).named();
        }
        if (resources.isEmpty()) {
            throw needs("KIND/NAME..., such as mcp/github, or -f FILE");
        }
        Targets targets = Targets.parse(resources);
        if (!targets.named().isEmpty()) {
            return targets.named();
        }
        if (!all.isSet() && selector.get().isEmpty()) {
            throw needs("names, -l LABELS or --all");
        }
        List<Targets.Named> named = new ArrayList<>();
        for (Kind<?> kind : targets.kinds()) {
            String namespace = kind.namespaced() ? context.namespace() : "";
            for (ObjectNode item :
                    context.documents()
                            .list(new ResourceSelection(kind, namespace, selector.orElse(""), ""))
                            .items()) {
                named.add(new Targets.Named(kind, item.at("/metadata/name").asString("")));
            }
        }
        if (named.isEmpty()) {
            NothingFound.say(context, "No resources found", true);
        }
        return named;
    }
}
