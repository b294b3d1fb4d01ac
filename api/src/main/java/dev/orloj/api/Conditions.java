package dev.orloj.api;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The one place where conditions of a status are found and merged. */
public final class Conditions {

    private Conditions() {}

    public static Optional<Condition> find(List<Condition> conditions, String type) {
        return conditions.stream().filter(c -> c.type().equals(type)).findFirst();
    }

    /** Whether the condition is there and {@code True}. */
    public static boolean isTrue(List<Condition> conditions, String type) {
        return find(conditions, type).map(c -> c.status() == Condition.Status.TRUE).orElse(false);
    }

    /**
     * The current conditions with the observed ones put in their places, new ones at the end. The
     * transition time moves only when the status does.
     *
     * @param generation what is said of no generation in particular is said of this one
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
     * The current conditions with one that is {@code True} when there is advice, and not there when
     * there is none.
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
