package dev.orloj.controllers.namespace;

import dev.orloj.api.Condition;
import dev.orloj.api.Kind;
import dev.orloj.api.Resource;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Collects what is left in a namespace after a delete of all its content, and describes it with the
 * conditions that Kubernetes uses. Not thread-safe.
 */
final class Remains {

    private static final String CONTENT_FAILURE = "NamespaceDeletionContentFailure";
    private static final String CONTENT_REMAINING = "NamespaceContentRemaining";
    private static final String FINALIZERS_REMAINING = "NamespaceFinalizersRemaining";

    private final SortedMap<String, Integer> byKind = new TreeMap<>();
    private final SortedMap<String, Integer> byFinalizer = new TreeMap<>();

    /** Adds a resource that finalizers keep. */
    void add(Kind<?> kind, Resource held) {
        byKind.merge(kind.groupResource(), 1, Integer::sum);
        held.metadata().finalizers().forEach(f -> byFinalizer.merge(f, 1, Integer::sum));
    }

    boolean isEmpty() {
        return byKind.isEmpty();
    }

    List<Condition> conditions() {
        return List.of(
                Condition.isFalse(
                        CONTENT_FAILURE,
                        "ContentDeleted",
                        "All content successfully deleted, may be waiting on finalization"),
                byKind.isEmpty()
                        ? Condition.isFalse(
                                CONTENT_REMAINING,
                                "ContentRemoved",
                                "All content successfully removed")
                        : Condition.isTrue(
                                CONTENT_REMAINING,
                                "SomeResourcesRemain",
                                "Some resources are remaining: "
                                        + describe(byKind, "%s has %d resource instances")),
                byFinalizer.isEmpty()
                        ? Condition.isFalse(
                                FINALIZERS_REMAINING,
                                "ContentHasNoFinalizers",
                                "All content-preserving finalizers finished")
                        : Condition.isTrue(
                                FINALIZERS_REMAINING,
                                "SomeFinalizersRemain",
                                "Some content in the namespace has finalizers remaining: "
                                        + describe(byFinalizer, "%s in %d resource instances")));
    }

    private static String describe(SortedMap<String, Integer> counts, String pattern) {
        return counts.entrySet().stream()
                .map(entry -> pattern.formatted(entry.getKey(), entry.getValue()))
                .collect(Collectors.joining(", "));
    }
}
