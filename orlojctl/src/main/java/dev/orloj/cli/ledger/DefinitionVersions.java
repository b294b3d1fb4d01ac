package dev.orloj.cli.ledger;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.approval.DefinitionName;
import dev.orloj.api.approval.ServerDescription;
import dev.orloj.api.codec.Json;
import dev.orloj.api.ledger.CanonicalJson;
import dev.orloj.api.ledger.LedgerEntry;
import dev.orloj.cli.command.CommandException;
import dev.orloj.cli.command.Context;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The versions of one definition: those of the ledger, and the one that is held now. */
final class DefinitionVersions {

    /**
     * A version of a definition.
     *
     * @param label where it is from
     * @param digest empty if there is no definition
     */
    record Version(String label, String digest, JsonNode content) {}

    /** What is to be shown. */
    sealed interface Comparison {

        /**
         * There are no two versions.
         *
         * @param why a sentence
         */
        record Nothing(String why) implements Comparison {}

        /** Two versions that differ. */
        record Difference(Version before, Version after) implements Comparison {

            /** Returns whether nothing was served before. */
            boolean isNew() {
                return before.digest().isEmpty() && after.digest().length() > 0;
            }
        }
    }

    private final Context context;
    private final ResourceKey server;
    private final Ledger ledger;
    private final DefinitionName name;
    private final String tool;
    private final List<LedgerEntry> entries;
    private final Optional<Version> held;

    private DefinitionVersions(
            Context context,
            Ledger.Target target,
            Ledger ledger,
            DefinitionName name,
            List<JsonNode> held) {
        this.context = context;
        this.server = target.server();
        this.ledger = ledger;
        this.name = name;
        this.tool = target.tool();
        List<LedgerEntry> own =
                name.isTool() && !tool.isEmpty() ? ledger.entriesOf(tool) : List.of();
        this.entries = new ArrayList<>(own.isEmpty() ? ledger.entriesOf(name) : own);
        ledger.summarized(name, tool).ifPresent(entries::addFirst);
        this.held =
                held.stream()
                        .filter(item -> item.path("tool").asString("").equals(name.text()))
                        .findFirst()
                        .map(this::held);
        this.held.flatMap(this::former).ifPresent(former -> entries.addAll(0, former));
    }

    /** Returns the entries of the tool whose definition is held under another name. */
    private Optional<List<LedgerEntry>> former(Version version) {
        return entries.stream()
                .filter(entry -> entry.operation().equals(LedgerEntry.HELD))
                .filter(entry -> entry.content().equals(version.digest()))
                .reduce((_, last) -> last)
                .map(LedgerEntry::formerResource)
                .filter(resource -> !resource.isEmpty())
                .map(ledger::entriesOf);
    }

    /**
     * Reads the versions.
     *
     * @param part a definition of the server; empty for the Tool of the target
     * @throws ApiException (NotFound) if the server has never offered such a definition
     */
    static DefinitionVersions read(
            Context context, Ledger.Target target, Optional<DefinitionName> part) {
        Ledger ledger = Ledger.read(context, target.server());
        List<JsonNode> held = held(context, target.server());
        DefinitionName name = part.orElseGet(() -> nameOf(ledger, target, held));
        DefinitionVersions versions = new DefinitionVersions(context, target, ledger, name, held);
        if (versions.held.isEmpty()
                && versions.entries.reversed().stream().noneMatch(versions::statesSomething)) {
            throw notFound(target.server(), target.tool().isEmpty() ? name.text() : target.tool());
        }
        return versions;
    }

    /** Nothing is held of a server that was deleted. */
    private static List<JsonNode> held(Context context, ResourceKey server) {
        try {
            return Approvals.read(context, server).document().path("held").valueStream().toList();
        } catch (ApiException e) {
            if (e.reason() == ErrorReason.NOT_FOUND) {
                return List.of();
            }
            throw e;
        }
    }

    /** The entry about a tool that is held may have been removed because of its age. */
    private static DefinitionName nameOf(Ledger ledger, Ledger.Target target, List<JsonNode> held) {
        List<String> tools =
                held.stream()
                        .map(item -> DefinitionName.parse(item.path("tool").asString("")))
                        .filter(DefinitionName::isTool)
                        .map(DefinitionName::name)
                        .toList();
        return ledger.toolOf(target.tool())
                .or(() -> UnservedTools.find(target.server().name(), target.tool(), tools))
                .map(DefinitionName::tool)
                .orElseThrow(() -> notFound(target.server(), target.tool()));
    }

    private static ApiException notFound(ResourceKey server, String name) {
        return new ApiException(
                ErrorReason.NOT_FOUND,
                "the ledger of mcpserver \"%s\" has no definition \"%s\": \"orlojctl tools history mcp/%1$s\" lists what it has"
                        .formatted(server.name(), name));
    }

    private Version held(JsonNode item) {
        String digest = item.path("digest").asString("");
        String label =
                entries.stream()
                        .filter(entry -> entry.operation().equals(LedgerEntry.HELD))
                        .filter(entry -> entry.content().equals(digest))
                        .reduce((_, last) -> last)
                        .map(entry -> label(entry, digest))
                        .orElseGet(
                                () ->
                                        "held since %s, %s"
                                                .formatted(
                                                        item.path("since").asString(""), digest));
        return new Version(label, digest, item.path("definition"));
    }

    /**
     * Returns what is served and what is held. If nothing is held, the last change of what is
     * served.
     */
    Comparison usual() {
        List<LedgerEntry> changes = entries.stream().filter(this::changesWhatIsServed).toList();
        if (held.isPresent()) {
            return ofHeld(changes, held.get());
        }
        requireNotRenamed();
        List<LedgerEntry> served =
                changes.stream().filter(entry -> !entry.content().isEmpty()).toList();
        if (served.isEmpty()) {
            return new Comparison.Nothing(
                    "No definition of \"%s\" has been served, and none is held now; that of entry %d was."
                            .formatted(name.text(), entries.getLast().sequence()));
        }
        if (changes.getLast().content().isEmpty()) {
            LedgerEntry retired = changes.getLast();
            return new Comparison.Difference(
                    version(served.getLast(), false),
                    new Version(
                            "nothing: retired with entry %d of %s"
                                    .formatted(retired.sequence(), retired.at()),
                            "",
                            Json.MAPPER.createObjectNode()));
        }
        return lastChange(served);
    }

    private Comparison ofHeld(List<LedgerEntry> changes, Version after) {
        for (LedgerEntry entry : changes.reversed()) {
            if (!statesSomething(entry)) {
                continue;
            }
            Version before = version(entry, false);
            if (before.digest().equals(after.digest())) {
                return new Comparison.Nothing(
                        "The definition that is held is the one of entry %d, which was served last."
                                .formatted(entry.sequence()));
            }
            return new Comparison.Difference(before, after);
        }
        return new Comparison.Difference(
                new Version(
                        "nothing: no definition of \"%s\" has been served".formatted(name.text()),
                        "",
                        Json.MAPPER.createObjectNode()),
                after);
    }

    private Comparison lastChange(List<LedgerEntry> served) {
        for (int i = served.size() - 2; i >= 0; i--) {
            LedgerEntry entry = served.get(i);
            LedgerEntry next = served.get(i + 1);
            if (!entry.content().equals(next.content())) {
                Version before = version(entry, true);
                Version after = version(next, true);
                if (!before.digest().equals(after.digest())) {
                    return new Comparison.Difference(before, after);
                }
            }
        }
        return new Comparison.Nothing(
                "The definition has not changed since entry %d of %s."
                        .formatted(served.getFirst().sequence(), served.getFirst().at()));
    }

    /** Returns two versions by the numbers of their entries. */
    Comparison between(String from, String to) {
        LedgerEntry old = entry(from);
        LedgerEntry now = entry(to);
        boolean isWhole =
                old.subject().equals(LedgerEntry.SERVER) && now.subject().equals(old.subject());
        Version before = version(old, isWhole);
        Version after = version(now, isWhole);
        return before.digest().equals(after.digest())
                ? new Comparison.Nothing(
                        "Entries %s and %s have the same definition, %s."
                                .formatted(from, to, before.digest()))
                : new Comparison.Difference(before, after);
    }

    private LedgerEntry entry(String number) {
        List<LedgerEntry> all =
                entries.stream()
                        .filter(entry -> !entry.content().isEmpty() && entry.actor().isEmpty())
                        .toList();
        return all.stream()
                .filter(entry -> Long.toString(entry.sequence()).equals(number))
                .findFirst()
                .orElseThrow(
                        () ->
                                new CommandException(
                                        "\"%s\" has no definition in entry \"%s\"; it has: %s"
                                                .formatted(
                                                        name.text(),
                                                        number,
                                                        String.join(
                                                                ", ",
                                                                all.stream()
                                                                        .map(LedgerEntry::sequence)
                                                                        .map(String::valueOf)
                                                                        .toList()))));
    }

    private void requireNotRenamed() {
        Optional<LedgerEntry> renamed = ledger.renamed(tool);
        if (renamed.isPresent()) {
            throw new CommandException(
                    "\"%s\" was renamed to \"%s\" with entry %d of %s: orlojctl tools diff %2$s"
                            .formatted(
                                    tool,
                                    renamed.get().resource(),
                                    renamed.get().sequence(),
                                    renamed.get().at()));
        }
    }

    private boolean changesWhatIsServed(LedgerEntry entry) {
        return entry.actor().isEmpty() && !entry.operation().equals(LedgerEntry.HELD);
    }

    /** Returns whether an entry has a definition: a server may have no instructions. */
    private boolean statesSomething(LedgerEntry entry) {
        if (entry.content().isEmpty() || !entry.subject().equals(LedgerEntry.SERVER)) {
            return !entry.content().isEmpty();
        }
        JsonNode content = Ledger.content(context, server, entry.content());
        return content.isMissingNode() || !stated(content, false).isEmpty();
    }

    /**
     * @param whole whether the identity has what is no part of its definition, such as the version
     */
    private Version version(LedgerEntry entry, boolean whole) {
        JsonNode content = Ledger.content(context, server, entry.content());
        if (content.isMissingNode()) {
            throw new CommandException(
                    "the definition of entry %d was removed; its digest is %s"
                            .formatted(entry.sequence(), entry.content()));
        }
        if (!entry.subject().equals(LedgerEntry.SERVER)) {
            return new Version(label(entry, entry.content()), entry.content(), content);
        }
        JsonNode shown = stated(content, whole);
        String digest = shown.isEmpty() ? "" : CanonicalJson.digest(shown);
        return new Version(label(entry, digest), digest, shown);
    }

    private JsonNode stated(JsonNode server, boolean whole) {
        if (whole && name.equals(DefinitionName.SERVER_INFO)) {
            return server.path("identity") instanceof ObjectNode identity
                    ? identity
                    : Json.MAPPER.createObjectNode();
        }
        return ServerDescription.of(
                        server.path("identity"), server.path("instructions").asString(""))
                .definition(name)
                .orElseGet(Json.MAPPER::createObjectNode);
    }

    private static String label(LedgerEntry entry, String digest) {
        return "entry %d of %s, %s, %s"
                .formatted(
                        entry.sequence(),
                        entry.at(),
                        entry.operation(),
                        digest.isEmpty() ? "nothing stated" : digest);
    }
}
