package dev.orloj.cli.apply;

import dev.orloj.api.Kind;
import dev.orloj.api.LabelSelector;

import tools.jackson.databind.JsonNode;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Selects the candidates for pruning after an apply.
 *
 * @param labels a selector, empty for all
 * @param isOwn whether a resource may be pruned
 */
record PruneScope(
        List<Kind<?>> kinds,
        Collection<String> namespaces,
        String labels,
        Predicate<JsonNode> isOwn) {

    /**
     * Returns the scope of resources that a field manager applied; excludes resources that other
     * managers created, updated or applied.
     */
    static PruneScope applied(
            Pruning.ByManager pruning, Collection<String> namespaces, String fieldManager) {
        return new PruneScope(
                pruning.kinds(),
                namespaces,
                pruning.labels(),
                resource -> isAppliedBy(resource, fieldManager));
    }

    private static boolean isAppliedBy(JsonNode resource, String fieldManager) {
        return resource.at("/metadata/managedFields")
                .valueStream()
                .anyMatch(
                        entry ->
                                entry.path("manager").asString("").equals(fieldManager)
                                        && entry.path("operation").asString("").equals("Apply")
                                        && entry.path("subresource").asString("").isEmpty());
    }

    /**
     * Returns whether a resource may be deleted: it is not being deleted, and no controller manages
     * it.
     */
    boolean mayDelete(JsonNode resource) {
        return resource.at("/metadata/deletionTimestamp").isMissingNode()
                && resource.at("/metadata/ownerReferences")
                        .valueStream()
                        .noneMatch(owner -> owner.path("controller").asBoolean(false))
                && isOwn.test(resource)
                && LabelSelector.parse(labels).matches(labelsOf(resource));
    }

    private static Map<String, String> labelsOf(JsonNode resource) {
        return resource.at("/metadata/labels")
                .propertyStream()
                .collect(Collectors.toMap(Map.Entry::getKey, e -> e.getValue().asString("")));
    }
}
