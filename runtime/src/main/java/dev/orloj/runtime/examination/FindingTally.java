package dev.orloj.runtime.examination;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Counts the findings of one result, by kind. For one thread. */
final class FindingTally {

    private static final int MAX_PLACE = 200;

    private record Found(long count, String place) {}

    private final Map<FindingKind, Found> found = new EnumMap<>(FindingKind.class);
    private ResultLocation place = ResultLocation.ROOT;

    /** Sets the place of the findings that follow. */
    void at(ResultLocation next) {
        place = next;
    }

    void add(FindingKind kind) {
        found.compute(
                kind,
                (_, earlier) ->
                        earlier == null
                                ? new Found(1, place.pointer(MAX_PLACE))
                                : new Found(earlier.count() + 1, earlier.place()));
    }

    boolean isEmpty() {
        return found.isEmpty();
    }

    boolean has(FindingKind kind) {
        return found.containsKey(kind);
    }

    List<ResultDecision.Finding> findings() {
        return found.entrySet().stream()
                .map(
                        entry ->
                                new ResultDecision.Finding(
                                        entry.getKey(),
                                        entry.getValue().count(),
                                        entry.getValue().place()))
                .toList();
    }
}
