package dev.orloj.api;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Finds and merges the conditions of a status. No other code does this. */
public final class Conditions {

    private Conditions() {}

    public static Optional<Condition> find(List<Condition> conditions, String type) {
        return conditions.stream().filter(c -> c.type().equals(type)).findFirst();
    }

    /** Returns whether the condition exists and is {@code True}. */
    public static boolean isTrue(List<Condition> conditions, String type) {
        return find(conditions, type).map(c -> c.status() == Condition.Status.TRUE).orElse(false);
    }

    /**
     * Merges observed conditions into the current ones. An observed condition replaces the current
     * one of its type, or is appended. The transition time changes only when the status changes.
     *
     * @param generation the generation of observed conditions that set none
     * @param now the time of a transition, kept in whole seconds
     */
    public static List<Condition> merge(
            List<Condition> current, List<Condition> observed, long generation, Instant now) {
        List<Condition> merged = new ArrayList<>(current);
        for (Condition condition : observed) {
            Optional<Condition> before = find(merged, condition.type());
            Instant transition =
                    before.filter(b -> b.status() == condition.status())
                            .map(Condition::lastTransitionTime)
                            .orElse(now.truncatedTo(ChronoUnit.SECONDS));
            long said = condition.observedGeneration();
            Condition next = condition.observed(said == 0 ? generation : said, transition);
            if (before.isPresent()) {
                merged.set(merged.indexOf(before.get()), next);
            } else {
                merged.add(next);
            }
        }
        return List.copyOf(merged);
    }

    /**
     * Adds a condition that is {@code True} if there is advice, and removes it if there is none.
     *
     * @param type of that condition
     */
    public static List<Condition> advise(
            List<Condition> current,
            String type,
            List<Advice> advice,
            long generation,
            Instant now) {
        if (advice.isEmpty()) {
            return current.stream().filter(c -> !c.type().equals(type)).toList();
        }
        String message = advice.stream().map(Advice::message).collect(Collectors.joining("; "));
        Condition condition = Condition.isTrue(type, advice.getFirst().reason(), message);
        return merge(current, List.of(condition), generation, now);
    }
}
