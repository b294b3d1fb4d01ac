package dev.orloj.api.ledger;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Verifies a ledger, entry by entry in the order of their sequence. A chain alone does not show
 * that its end is missing, so what it has to contain comes from a checkpoint or a hash that was
 * kept elsewhere. Holds no entries. Not thread-safe.
 */
public final class LedgerVerification {

    /**
     * What was kept elsewhere.
     *
     * @param head of this ledger in a checkpoint
     * @param time of the checkpoint; empty without one
     * @param hash one that an entry has
     */
    public record Kept(Optional<LedgerCheckpoint.Head> head, String time, Optional<String> hash) {

        public static final Kept NOTHING = new Kept(Optional.empty(), "", Optional.empty());
    }

    /** How long the ledger of a server stays after it was deleted. */
    public static final Duration KEPT_WITHOUT_SERVER = Duration.ofDays(90);

    private final LedgerReplay replay;
    private final Kept kept;
    private final List<String> problems = new ArrayList<>();
    private @Nullable LedgerEntry first;
    private long last;
    private String lastHash = "";
    private long entries;
    private boolean hasHash;

    /**
     * @param base the state that the first entry summarizes; empty when it is not needed
     */
    public LedgerVerification(Optional<JsonNode> base, Kept kept) {
        this.replay = new LedgerReplay(base);
        this.kept = kept;
    }

    public void take(LedgerEntry entry) {
        entries++;
        if (first == null) {
            first = entry;
        }
        replay.add(entry);
        last = entry.sequence();
        lastHash = entry.hash();
        hasHash |= kept.hash().filter(lastHash::equals).isPresent();
        kept.head()
                .filter(head -> head.sequence() == last && !head.hash().equals(lastHash))
                .ifPresent(this::reportRewritten);
    }

    private void reportRewritten(LedgerCheckpoint.Head head) {
        problems.add(
                "entry %d is not the one that the checkpoint of %s names: the ledger was rewritten, or an older state was restored and continued"
                        .formatted(head.sequence(), kept.time()));
    }

    /**
     * Compares the end with the head that the ledger states.
     *
     * @param hash of the newest entry; empty when there is none
     */
    public void end(String hash) {
        if (replay.problem().isEmpty() && !hash.equals(lastHash)) {
            problems.add("the newest entries are missing: the last is not the head");
        }
    }

    /**
     * Compares the fold with the present Tools, by their names. To be called after {@link #end}.
     */
    public void compare(Map<String, LedgerState.Item> present) {
        if (replay.problem().isPresent() || !problems.isEmpty()) {
            return;
        }
        Map<String, LedgerState.Item> fold = replay.state().tools();
        Map<String, LedgerState.Item> all = new TreeMap<>(fold);
        all.putAll(present);
        for (String name : all.keySet()) {
            if (!present.containsKey(name)) {
                problems.add("tool \"" + name + "\" is in the ledger, and there is no such Tool");
            } else if (!fold.containsKey(name)) {
                problems.add("tool \"" + name + "\" is not in the ledger");
            } else if (!present.get(name).equals(fold.get(name))) {
                problems.add("tool \"" + name + "\" has another definition than in the ledger");
            }
        }
    }

    /**
     * Compares the fold with the prompts, resource templates and resources that are served, by
     * their kinds and names. To be called after {@link #end}.
     *
     * @param present their digests
     */
    public void compareFeatures(Map<String, String> present) {
        if (replay.problem().isPresent() || !problems.isEmpty()) {
            return;
        }
        Map<String, String> fold = replay.state().features();
        Map<String, String> all = new TreeMap<>(fold);
        all.putAll(present);
        for (String name : all.keySet()) {
            if (!present.containsKey(name)) {
                problems.add("\"" + name + "\" is in the ledger, and is not served");
            } else if (!fold.containsKey(name)) {
                problems.add("\"" + name + "\" is served, and is not in the ledger");
            } else if (!present.get(name).equals(fold.get(name))) {
                problems.add("\"" + name + "\" has another definition than in the ledger");
            }
        }
    }

    /** Returns what is wrong; empty when the ledger is whole. */
    public List<String> problems() {
        List<String> all = new ArrayList<>();
        replay.problem().ifPresent(all::add);
        all.addAll(problems);
        kept.head()
                .filter(head -> head.sequence() > last)
                .ifPresent(
                        head ->
                                all.add(
                                        "it ends with entry %d, but the checkpoint of %s names entry %d: the newest entries were removed, or an older state was restored"
                                                .formatted(last, kept.time(), head.sequence())));
        kept.hash()
                .filter(_ -> !hasHash)
                .ifPresent(hash -> all.add("no entry has the hash " + hash));
        return all;
    }

    /**
     * Returns whether the entry that the checkpoint names was removed because of its age, so that
     * the checkpoint shows no more than the chain does.
     */
    public boolean isBeyondCheckpoint() {
        LedgerEntry oldest = first;
        return oldest != null
                && kept.head().filter(head -> head.sequence() < oldest.sequence()).isPresent();
    }

    /** Returns the number of entries. */
    public long entries() {
        return entries;
    }

    /** Returns the hash of the newest entry; empty when there is none. */
    public String head() {
        return lastHash;
    }

    /** Returns the state after the last entry that fits. */
    public LedgerState state() {
        return replay.state();
    }
}
