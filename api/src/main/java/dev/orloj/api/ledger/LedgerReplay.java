package dev.orloj.api.ledger;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.Optional;

/**
 * Replays the entries of a ledger in their order, and checks the chain. Stops at the first entry
 * that does not fit. Not thread-safe.
 */
public final class LedgerReplay {

    private final @Nullable JsonNode base;
    private LedgerState state = new LedgerState();
    private @Nullable LedgerEntry last;
    private @Nullable String problem;

    /**
     * @param base the state that the first entry summarizes; empty when it is not needed
     */
    public LedgerReplay(Optional<JsonNode> base) {
        this.base = base.orElse(null);
    }

    /** Adds the next entry. Returns whether all fit so far. */
    public boolean add(LedgerEntry entry) {
        if (problem == null) {
            problem = check(entry).orElse(null);
        }
        if (problem == null) {
            state.add(entry);
            last = entry;
        }
        return problem == null;
    }

    private Optional<String> check(LedgerEntry entry) {
        String place = "entry " + entry.sequence() + ": ";
        if (!entry.isIntact()) {
            return Optional.of(place + "its hash is not that of its fields: it was changed");
        }
        LedgerEntry before = last;
        if (before == null) {
            return checkFirst(entry).map(place::concat);
        }
        if (entry.sequence() != before.sequence() + 1) {
            return Optional.of(
                    place
                            + "it follows entry %d: entries between them are missing"
                                    .formatted(before.sequence()));
        }
        if (!entry.previous().equals(before.hash())) {
            return Optional.of(place + "it does not continue entry " + before.sequence());
        }
        return entry.isSummary() && !entry.content().equals(CanonicalJson.digest(state.toJson()))
                ? Optional.of(place + "the state that it summarizes is not that of the entries")
                : Optional.empty();
    }

    private Optional<String> checkFirst(LedgerEntry entry) {
        if (!entry.isSummary()) {
            return entry.sequence() == 1 && entry.previous().isEmpty()
                    ? Optional.empty()
                    : Optional.of("entries before it are missing, and it summarizes none");
        }
        if (base == null) {
            return Optional.of("the state that it summarizes is missing");
        }
        if (!CanonicalJson.digest(base).equals(entry.content())) {
            return Optional.of("the state that it summarizes was changed");
        }
        state = LedgerState.of(base);
        return Optional.empty();
    }

    /** Returns what does not fit; empty when all entries so far do. */
    public Optional<String> problem() {
        return Optional.ofNullable(problem);
    }

    /** Returns the state after the last entry that fits. */
    public LedgerState state() {
        return state;
    }

    /** Returns the last entry that fits. */
    public Optional<LedgerEntry> last() {
        return Optional.ofNullable(last);
    }
}
