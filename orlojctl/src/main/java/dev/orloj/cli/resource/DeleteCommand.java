package dev.orloj.cli.resource;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.Kind;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.client.Propagation;
import dev.orloj.api.codec.Json;
import dev.orloj.cli.command.Command;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.ExitCode;
import dev.orloj.cli.command.Flag;
import dev.orloj.cli.command.TextOption;
import dev.orloj.cli.command.TextsOption;
import dev.orloj.cli.command.UsageException;
import dev.orloj.cli.http.ResourceSelection;
import dev.orloj.cli.manifest.ManifestInput;
import dev.orloj.cli.manifest.ManifestSources;
import dev.orloj.cli.output.Text;

import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Deletes resources and waits until they are gone. */
public final class DeleteCommand extends Command {

    private final TextsOption arguments =
            arguments("0..*", "KIND NAME...", "Such as tool a b, or tool/a mcp/b.");
    private final ManifestSources sources =
            new ManifestSources(this::texts, this::flag, "Delete what the manifests name.");
    private final TextOption selector =
            text("LABELS", "All resources of the kind with these labels.", "-l", "--selector");
    private final Flag all = flag("All resources of the kind in the namespace.", "--all");
    private final Flag everywhere = flag("In every namespace.", "-A", "--all-namespaces");
    private final Flag ignoreNotFound =
            flag("Ignore resources that do not exist.", "--ignore-not-found");
    private final TextOption cascade =
            text(
                    "ORDER",
                    "Delete owned resources in the background (the default) or"
                            + " foreground (first), or orphan (keep) them.",
                    "--cascade");
    private final TextOption wait =
            text("BOOL", "Wait until they are gone. Default: true.", "--wait");
    private final TextOption timeout =
            text("TIME", "Maximum time to wait, such as 1m. Default: no limit.", "--timeout");

    public DeleteCommand() {
        super(
                "Delete resources.",
                "orlojctl delete mcpserver everything",
                "orlojctl delete -f server.yaml --ignore-not-found",
                "orlojctl delete tools -l team=web --wait=false");
    }

    /**
     * One resource to delete.
     *
     * @param uid empty until it is known
     */
    private record Victim(Kind<?> kind, ResourceKey key, String uid) {

        Victim(Kind<?> kind, ResourceKey key) {
            this(kind, key, "");
        }

        /**
         * Returns the resource with the uid from the response to DELETE: a Status, or the resource
         * while finalizers remain.
         */
        Victim deleted(ObjectNode answer) {
            String ofStatus = answer.at("/details/uid").asString("");
            return new Victim(
                    kind,
                    key,
                    ofStatus.isEmpty() ? answer.at("/metadata/uid").asString("") : ofStatus);
        }

        String display() {
            return "%s \"%s\"".formatted(Text.qualified(kind), key.name());
        }
    }

    /**
     * @param isListed whether orlojd listed them; otherwise the user named them
     * @param exitCode a failure when some manifests cannot be read
     */
    private record Victims(List<Victim> all, boolean isListed, int exitCode) {}

    @Override
    public int run(Context context) {
        boolean isWaiting = isWaiting();
        Optional<Instant> deadline =
                timeout.duration()
                        .filter(time -> !time.equals(Duration.ZERO))
                        .map(time -> context.console().clock().instant().plus(time));
        ObjectNode options =
                Json.MAPPER.createObjectNode().put("propagationPolicy", propagation().wireName());
        List<Victim> marked = new ArrayList<>();
        Victims victims = victims(context);
        int exitCode = victims.exitCode();
        for (Victim victim : victims.all()) {
            try {
                marked.add(
                        victim.deleted(
                                context.documents().delete(victim.kind(), victim.key(), options)));
                context.out().print(victim.display() + " deleted\n");
                context.out().flush(); // who interrupts the command sees what it has done
            } catch (ApiException e) {
                // Of what was listed, the garbage collector may be faster.
                if (e.reason() == ErrorReason.NOT_FOUND
                        && (ignoreNotFound.isSet() || victims.isListed())) {
                    continue;
                }
                context.err().println("orlojctl: " + NameGuess.explain(context, e));
                exitCode = ExitCode.FAILED;
            }
        }
        if (isWaiting) {
            for (Victim victim : marked) {
                if (!awaitAbsence(context, victim, deadline) && exitCode == ExitCode.OK) {
                    exitCode = ExitCode.TIMEOUT;
                }
            }
        }
        return exitCode;
    }

    private Propagation propagation() {
        return switch (cascade.orElse("background")) {
            case "background" -> Propagation.BACKGROUND;
            case "foreground" -> Propagation.FOREGROUND;
            case "orphan" -> Propagation.ORPHAN;
            default ->
                    throw new UsageException(
                            "--cascade \"%s\": expected background, foreground or orphan"
                                    .formatted(cascade.orElse("")));
        };
    }

    private boolean isWaiting() {
        return switch (wait.orElse("true")) {
            case "true" -> true;
            case "false" -> false;
            default ->
                    throw new UsageException(
                            "--wait \"%s\": expected true or false".formatted(wait.orElse("")));
        };
    }

    private Victims victims(Context context) {
        if (sources.isGiven()) {
            if (!arguments.get().isEmpty()) {
                throw new UsageException("-f and names exclude each other");
            }
            ManifestInput input = sources.read(context);
            // In the reverse order of apply: namespaces last.
            return new Victims(
                    input.submissions().reversed().stream()
                            .map(s -> new Victim(s.kind(), s.key()))
                            .toList(),
                    false,
                    input.exitCode());
        }
        if (arguments.get().isEmpty()) {
            throw needs("KIND/NAME..., such as mcp/github, or -f FILE");
        }
        Targets targets = Targets.parse(arguments.get());
        if (!targets.named().isEmpty()) {
            return new Victims(
                    targets.named().stream()
                            .map(
                                    target ->
                                            new Victim(
                                                    target.kind(), target.key(context.namespace())))
                            .toList(),
                    false,
                    ExitCode.OK);
        }
        if (!all.isSet() && selector.get().isEmpty()) {
            throw needs("names, -l LABELS or --all");
        }
        List<Victim> victims = new ArrayList<>();
        for (Kind<?> kind : targets.kinds()) {
            String namespace = everywhere.isSet() || !kind.namespaced() ? "" : context.namespace();
            ResourceSelection selection =
                    new ResourceSelection(kind, namespace, selector.orElse(""), "");
            for (ObjectNode item : context.documents().list(selection).items()) {
                victims.add(
                        new Victim(
                                kind,
                                new ResourceKey(
                                        item.at("/metadata/namespace").asString(""),
                                        item.at("/metadata/name").asString(""))));
            }
        }
        if (victims.isEmpty()) {
            NothingFound.say(context, "No resources found", !everywhere.isSet());
        }
        return new Victims(victims, true, ExitCode.OK);
    }

    /** Returns false when the deadline passes first. */
    private static boolean awaitAbsence(
            Context context, Victim victim, Optional<Instant> deadline) {
        ResourceWait waiting = new ResourceWait(context, victim.kind(), victim.key());
        ResourceWait.Outcome outcome =
                waiting.until(resource -> ResourceWait.isGone(resource, victim.uid()), deadline);
        if (outcome.isReached()) {
            outcome.last().ifPresent(next -> warnOfSuccessor(context, victim, next));
        } else {
            context.err()
                    .println(
                            "orlojctl: timed out waiting for %s to be gone: %s"
                                    .formatted(
                                            victim.display(),
                                            new WaitCondition.Gone().explain(outcome.last())));
        }
        return outcome.isReached();
    }

    private static void warnOfSuccessor(Context context, Victim victim, ObjectNode next) {
        String creator =
                next.at("/metadata/ownerReferences")
                        .valueStream()
                        .filter(owner -> owner.path("controller").asBoolean(false))
                        .findFirst()
                        .map(
                                owner ->
                                        " by its owner, %s \"%s\""
                                                .formatted(
                                                        owner.path("kind").asString(""),
                                                        owner.path("name").asString("")))
                        .orElse("");
        context.err()
                .println("Warning: %s was created again%s".formatted(victim.display(), creator));
    }
}
