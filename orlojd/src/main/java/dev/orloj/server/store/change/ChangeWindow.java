package dev.orloj.server.store.change;

import java.util.ArrayList;
import java.util.List;

/**
 * The newest part of a log, in memory: all changes after {@code floor} up to {@code head}.
 * Immutable; every addition makes another one.
 *
 * @param epoch which history the revisions belong to; changes when the database was restored
 */
public record ChangeWindow(long epoch, long floor, long head, List<Change> changes) {

    /** Enough for any burst of small changes, and a bound for large ones. */
    private static final long MAX_CHARACTERS = 8L * 1024 * 1024;

    static ChangeWindow startingAt(long epoch, long revision) {
        return new ChangeWindow(epoch, revision, revision, List.of());
    }

    /** Removes the oldest changes beyond {@code capacity}. */
    ChangeWindow with(List<Change> more, int capacity) {
        List<Change> all = new ArrayList<>(changes);
        all.addAll(more);
        int drop = Math.max(0, all.size() - capacity);
        long characters = 0;
        for (int i = all.size() - 1; i >= drop; i--) {
            characters += all.get(i).characters();
            if (characters > MAX_CHARACTERS) {
                drop = i + 1;
            }
        }
        long newFloor = drop == 0 ? floor : all.get(drop - 1).revision();
        long newHead = all.getLast().revision();
        return new ChangeWindow(
                epoch, newFloor, newHead, List.copyOf(all.subList(drop, all.size())));
    }

    /** The changes after a revision that is not below the floor. */
    List<Change> after(long revision) {
        int low = 0;
        int high = changes.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (changes.get(middle).revision() <= revision) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return changes.subList(low, changes.size());
    }
}
