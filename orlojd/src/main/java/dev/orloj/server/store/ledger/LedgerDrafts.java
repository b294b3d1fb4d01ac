package dev.orloj.server.store.ledger;

import dev.orloj.api.approval.DefinitionName;
import dev.orloj.api.approval.HeldDefinition;
import dev.orloj.api.ledger.DefinitionDigests;
import dev.orloj.api.ledger.GeneratedTool;
import dev.orloj.api.ledger.LedgerEntry;
import dev.orloj.api.ledger.LedgerState;
import dev.orloj.api.ledger.RunningCode;
import dev.orloj.api.ledger.ServerRecord;
import dev.orloj.server.store.table.StorableText;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Collects what is to be appended to one ledger, in one transaction. Not thread-safe. */
final class LedgerDrafts {

    private final List<LedgerEntry.Draft> entries = new ArrayList<>();

    /** By their digests. Sequences are counted from the first of these entries, which is 1. */
    private final Map<String, LedgerTable.Content> contents = new LinkedHashMap<>();

    List<LedgerEntry.Draft> entries() {
        return entries;
    }

    /**
     * @param sequence of the last entry before these
     */
    List<LedgerTable.Content> contents(long sequence) {
        return contents.values().stream().map(content -> content.after(sequence)).toList();
    }

    /** Adds what makes the state of the ledger that of the Tools. */
    void reconcile(LedgerState state, List<GeneratedTool> tools) {
        Map<String, LedgerState.Item> missing = new TreeMap<>(state.tools());
        for (GeneratedTool tool : tools) {
            DefinitionDigests digests = DefinitionDigests.of(tool.definition());
            LedgerState.Item item = missing.remove(tool.resource());
            if (item == null) {
                add(LedgerEntry.ENROLLED, tool, digests);
            } else if (!item.content().equals(digests.whole())) {
                add(LedgerEntry.CHANGED, tool, digests);
            }
        }
        missing.forEach((resource, item) -> retire(item.tool(), resource));
    }

    /**
     * Adds the difference between two states of some Tools of a server. A tool that disappears and
     * one that appears with the same content are one that was renamed, if no other has that
     * content.
     *
     * @param held those that were renamed in an earlier transaction, or will be in a later one
     */
    void difference(
            Map<String, GeneratedTool> before,
            Map<String, GeneratedTool> after,
            HeldRenames.Found held) {
        Map<String, GeneratedTool> gone = new TreeMap<>(before);
        gone.keySet().removeAll(after.keySet());
        Map<String, GeneratedTool> added = new TreeMap<>(after);
        added.keySet().removeAll(before.keySet());
        Map<String, GeneratedTool> formers = renamed(gone, added);
        formers.values().forEach(former -> gone.remove(former.resource()));
        gone.forEach(
                (resource, tool) -> {
                    LedgerEntry.Draft draft = retire(tool.tool(), resource);
                    Optional.ofNullable(held.names().get(tool.tool()))
                            .ifPresent(name -> draft.reason("renamed to " + name));
                });
        new TreeMap<>(after)
                .forEach(
                        (resource, tool) -> {
                            GeneratedTool former = formers.get(resource);
                            GeneratedTool same = before.get(resource);
                            if (former != null) {
                                rename(former, tool);
                            } else if (same == null) {
                                enrol(tool, held.entries().get(resource));
                            } else {
                                change(same, tool);
                            }
                        });
    }

    /** Returns the former tools by the names of the new Tools. */
    private static Map<String, GeneratedTool> renamed(
            Map<String, GeneratedTool> gone, Map<String, GeneratedTool> added) {
        Map<String, GeneratedTool> formers = new HashMap<>();
        if (gone.isEmpty() || added.isEmpty()) {
            return formers;
        }
        Map<String, List<GeneratedTool>> byContent = byContent(gone);
        byContent(added)
                .forEach(
                        (content, tools) -> {
                            List<GeneratedTool> same = byContent.getOrDefault(content, List.of());
                            if (tools.size() == 1 && same.size() == 1) {
                                formers.put(tools.getFirst().resource(), same.getFirst());
                            }
                        });
        return formers;
    }

    private static Map<String, List<GeneratedTool>> byContent(Map<String, GeneratedTool> tools) {
        Function<GeneratedTool, String> content =
                tool -> DefinitionDigests.ofNameless(tool.definition());
        return tools.values().stream().collect(Collectors.groupingBy(content));
    }

    private void change(GeneratedTool before, GeneratedTool after) {
        DefinitionDigests digests = DefinitionDigests.of(after.definition());
        if (digests.whole().equals(DefinitionDigests.of(before.definition()).whole())) {
            return;
        }
        String nameless = DefinitionDigests.ofNameless(after.definition());
        if (!before.tool().equals(after.tool())
                && nameless.equals(DefinitionDigests.ofNameless(before.definition()))) {
            rename(before, after);
        } else {
            add(LedgerEntry.CHANGED, after, digests);
        }
    }

    private void rename(GeneratedTool before, GeneratedTool after) {
        add(LedgerEntry.RENAMED, after, DefinitionDigests.of(after.definition()))
                .former(before.tool(), before.resource());
    }

    /**
     * @param held the entry that held the definition of a tool that was renamed; null if it was not
     */
    private void enrol(GeneratedTool tool, @Nullable LedgerEntry held) {
        DefinitionDigests digests = DefinitionDigests.of(tool.definition());
        if (held == null) {
            add(LedgerEntry.ENROLLED, tool, digests);
        } else {
            add(LedgerEntry.RENAMED, tool, digests)
                    .former(held.formerTool(), held.formerResource());
        }
    }

    private LedgerEntry.Draft retire(String tool, String resource) {
        LedgerEntry.Draft draft =
                new LedgerEntry.Draft(LedgerEntry.RETIRED, LedgerEntry.TOOL).tool(tool, resource);
        entries.add(draft);
        return draft;
    }

    /**
     * Adds that a prompt, a resource template or a resource is served.
     *
     * @param known the digest that the ledger has; empty if it has none
     */
    void serve(DefinitionName name, ObjectNode definition, String digest, String known) {
        if (digest.equals(known)) {
            return;
        }
        String operation = known.isEmpty() ? LedgerEntry.ENROLLED : LedgerEntry.CHANGED;
        entries.add(
                draft(operation, name).content(digest, DefinitionDigests.of(definition).parts()));
        keep(digest, StorableText.ofJson(definition));
    }

    /** Adds that a prompt, a resource template or a resource is no longer served. */
    void retire(DefinitionName name) {
        entries.add(draft(LedgerEntry.RETIRED, name));
    }

    /**
     * Adds what runs behind the definitions.
     *
     * @param known the digest that the ledger has; empty if it has none
     */
    void runs(RunningCode code, String known) {
        String digest = code.digest();
        if (digest.equals(known)) {
            return;
        }
        String operation = known.isEmpty() ? LedgerEntry.ENROLLED : LedgerEntry.CHANGED;
        entries.add(draft(operation, DefinitionName.RUNS).content(digest, code.parts()));
        keep(digest, StorableText.ofJson(code.fields()));
    }

    /** Adds that a definition is not served. */
    void hold(HeldDefinition held) {
        hold(held, Optional.empty());
    }

    /**
     * Adds that a definition is not served.
     *
     * @param former the Tool that a renamed tool has had
     */
    void hold(HeldDefinition held, Optional<GeneratedTool> former) {
        LedgerEntry.Draft draft =
                draft(LedgerEntry.HELD, held.name())
                        .content(held.digest(), parts(held))
                        .reason(held.reason());
        former.ifPresent(tool -> draft.former(tool.tool(), tool.resource()));
        entries.add(draft);
        keep(held.digest(), StorableText.ofJson(held.definition()));
    }

    private static Map<String, String> parts(HeldDefinition held) {
        return switch (held.name().kind()) {
            case TOOL, PROMPT, TEMPLATE, RESOURCE ->
                    DefinitionDigests.of(held.definition()).parts();
            case RUNS -> new RunningCode(held.definition()).parts();
            case INSTRUCTIONS, SERVER_INFO -> Map.of();
        };
    }

    /** Adds a decision about a definition. */
    void decide(DefinitionName name, String digest, boolean approved, String actor) {
        String operation = approved ? LedgerEntry.APPROVED : LedgerEntry.REJECTED;
        entries.add(draft(operation, name).content(digest, Map.of()).actor(actor));
    }

    private static LedgerEntry.Draft draft(String operation, DefinitionName name) {
        LedgerEntry.Draft draft = new LedgerEntry.Draft(operation, name.kind().subject());
        if (name.isTool()) {
            return draft.tool(name.name(), "");
        }
        return name.isFeature() ? draft.name(name.name()) : draft;
    }

    private LedgerEntry.Draft add(String operation, GeneratedTool tool, DefinitionDigests digests) {
        LedgerEntry.Draft draft =
                new LedgerEntry.Draft(operation, LedgerEntry.TOOL)
                        .tool(tool.tool(), tool.resource())
                        .content(digests.whole(), digests.parts());
        entries.add(draft);
        keep(digests.whole(), StorableText.ofJson(tool.definition()));
        return draft;
    }

    /**
     * @param known digest of the record of the server; empty when the ledger has none
     */
    void record(String known, ServerRecord record) {
        String digest = record.digest();
        if (!digest.equals(known)) {
            String operation = known.isEmpty() ? LedgerEntry.ENROLLED : LedgerEntry.CHANGED;
            entries.add(
                    new LedgerEntry.Draft(operation, LedgerEntry.SERVER)
                            .content(digest, record.parts()));
            keep(digest, StorableText.ofJson(record.fields()));
        }
    }

    void recordGone() {
        entries.add(new LedgerEntry.Draft(LedgerEntry.RETIRED, LedgerEntry.SERVER));
    }

    private void keep(String digest, String document) {
        contents.putIfAbsent(digest, new LedgerTable.Content(digest, entries.size(), document));
    }
}
