package dev.orloj.api.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.codec.Json;

import org.junit.jupiter.api.Test;

import tools.jackson.databind.node.ObjectNode;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

class LedgerReplayTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private final List<LedgerEntry> entries = new ArrayList<>();

    private void append(LedgerEntry.Draft draft) {
        LedgerEntry last = entries.isEmpty() ? null : entries.getLast();
        entries.add(
                draft.after(
                        last == null ? 0 : last.sequence(), last == null ? "" : last.hash(), NOW));
    }

    private static LedgerEntry.Draft tool(String operation, String tool, String content) {
        LedgerEntry.Draft draft = new LedgerEntry.Draft(operation, LedgerEntry.TOOL);
        draft.tool(tool, "s--" + tool);
        return content.isEmpty() ? draft : draft.content(content, Map.of("text", content));
    }

    private static LedgerReplay replay(Optional<ObjectNode> base, List<LedgerEntry> entries) {
        LedgerReplay replay = new LedgerReplay(base.map(state -> state));
        entries.forEach(replay::add);
        return replay;
    }

    private void history() {
        append(tool(LedgerEntry.ENROLLED, "a", "sha256:1"));
        append(tool(LedgerEntry.ENROLLED, "b", "sha256:2"));
        append(tool(LedgerEntry.RENAMED, "c", "sha256:3").former("a", "s--a"));
        append(tool(LedgerEntry.RETIRED, "b", ""));
    }

    @Test
    void stateIsTheFoldOfTheEntries() {
        history();
        LedgerReplay replay = replay(Optional.empty(), entries);
        assertThat(replay.problem()).isEmpty();
        assertThat(replay.state().tools())
                .isEqualTo(Map.of("s--c", new LedgerState.Item("c", "sha256:3")));
        assertThat(LedgerState.of(replay.state().toJson()).toJson())
                .isEqualTo(replay.state().toJson());
    }

    @Test
    void everyChangedCharacterIsFound() {
        history();
        LedgerEntry second = entries.get(1);
        String text = second.canonical();
        for (int i = 0; i < text.length(); i++) {
            char other = text.charAt(i) == '7' ? '8' : '7';
            String changed = text.substring(0, i) + other + text.substring(i + 1);
            LedgerEntry entry;
            try {
                entry = LedgerEntry.read(changed, second.hash());
            } catch (RuntimeException e) {
                continue; // no longer JSON
            }
            List<LedgerEntry> all = new ArrayList<>(entries);
            all.set(1, entry);
            assertThat(replay(Optional.empty(), all).problem()).as(changed).isPresent();
        }
    }

    @Test
    void missingMovedAndRewrittenEntriesAreFound() {
        history();
        List<LedgerEntry> missing = new ArrayList<>(entries);
        missing.remove(1);
        assertThat(replay(Optional.empty(), missing).problem())
                .hasValue("entry 3: it follows entry 1: entries between them are missing");
        assertThat(replay(Optional.empty(), entries.subList(1, 4)).problem())
                .hasValue("entry 2: entries before it are missing, and it summarizes none");
        LedgerEntry rewritten =
                tool(LedgerEntry.ENROLLED, "b", "sha256:9").after(1, entries.get(0).hash(), NOW);
        List<LedgerEntry> forged = new ArrayList<>(entries);
        forged.set(1, rewritten);
        assertThat(replay(Optional.empty(), forged).problem())
                .hasValue("entry 3: it does not continue entry 2");
    }

    @Test
    void entriesBeforeASummaryAreNotNeeded() {
        history();
        ObjectNode state = replay(Optional.empty(), entries).state().toJson();
        append(summary(state));
        append(tool(LedgerEntry.ENROLLED, "d", "sha256:4"));
        LedgerState whole = replay(Optional.empty(), entries).state();
        LedgerReplay rest = replay(Optional.of(state), entries.subList(4, 6));
        assertThat(rest.problem()).isEmpty();
        assertThat(rest.state().tools()).isEqualTo(whole.tools());
        assertThat(replay(Optional.empty(), entries.subList(4, 6)).problem())
                .hasValue("entry 5: the state that it summarizes is missing");
        state.putObject("tools");
        assertThat(replay(Optional.of(state), entries.subList(4, 6)).problem())
                .hasValue("entry 5: the state that it summarizes was changed");
    }

    @Test
    void summaryOfAnotherStateIsFound() {
        history();
        append(summary(new LedgerState().toJson()));
        assertThat(replay(Optional.empty(), entries).problem())
                .hasValue("entry 5: the state that it summarizes is not that of the entries");
    }

    @Test
    void operationsOfLaterVersionsKeepTheChain() {
        history();
        append(new LedgerEntry.Draft("Approved", LedgerEntry.TOOL).tool("c", "s--c"));
        LedgerReplay replay = replay(Optional.empty(), entries);
        assertThat(replay.problem()).isEmpty();
        assertThat(replay.state().tools()).containsKey("s--c");
    }

    @Test
    void contentsOfUnknownOperationsAreNotServed() {
        history();
        ObjectNode before = replay(Optional.empty(), entries).state().toJson();
        append(
                new LedgerEntry.Draft("Quarantined", LedgerEntry.TOOL)
                        .tool("c", "s--c")
                        .content("sha256:1", Map.of()));
        append(new LedgerEntry.Draft("Attested", LedgerEntry.SERVER).content("sha256:2", Map.of()));
        LedgerReplay replay = replay(Optional.empty(), entries);
        assertThat(replay.problem()).isEmpty();
        assertThat(replay.state().toJson()).isEqualTo(before);
    }

    @Test
    void entryIsTheSameAfterJson() {
        history();
        LedgerEntry entry = entries.get(2);
        LedgerEntry read = LedgerEntry.of(Json.MAPPER.readTree(entry.toJson().toString()));
        assertThat(read.isIntact()).isTrue();
        assertThat(read.canonical()).isEqualTo(entry.canonical());
        assertThat(read.hash()).isEqualTo(entry.hash());
    }

    private static LedgerEntry.Draft summary(ObjectNode state) {
        return new LedgerEntry.Draft(LedgerEntry.SUMMARIZED, LedgerEntry.LEDGER)
                .content(CanonicalJson.digest(state), Map.of());
    }
}
