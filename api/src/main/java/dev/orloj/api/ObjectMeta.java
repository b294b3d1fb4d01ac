package dev.orloj.api;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.time.Instant;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The metadata of every resource. Absent texts are empty, absent collections are empty, absent
 * times are null. The JSON omits all of them.
 *
 * @param generation counts changes of the desired state; 0 before the first write
 * @param managedFields kept as received
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonPropertyOrder({"name", "generateName", "namespace", "uid", "resourceVersion", "generation"})
public record ObjectMeta(
        String name,
        String generateName,
        String namespace,
        String uid,
        ResourceVersion resourceVersion,
        @JsonInclude(JsonInclude.Include.NON_DEFAULT) long generation,
        @Nullable Instant creationTimestamp,
        @Nullable Instant deletionTimestamp,
        @Nullable Long deletionGracePeriodSeconds,
        Map<String, String> labels,
        Map<String, String> annotations,
        List<OwnerReference> ownerReferences,
        List<String> finalizers,
        @Nullable JsonNode managedFields) {

    /**
     * Fields that only a server writes, including those of older Kubernetes servers. Values from
     * clients are ignored.
     */
    public static final List<String> SERVER_OWNED =
            List.of(
                    "uid",
                    "resourceVersion",
                    "generation",
                    "creationTimestamp",
                    "deletionTimestamp",
                    "deletionGracePeriodSeconds",
                    "managedFields",
                    "selfLink",
                    "clusterName");

    public ObjectMeta {
        name = orEmpty(name);
        generateName = orEmpty(generateName);
        namespace = orEmpty(namespace);
        uid = orEmpty(uid);
        resourceVersion = resourceVersion == null ? ResourceVersion.UNSET : resourceVersion;
        labels = labels == null ? Map.of() : sorted(labels);
        annotations = annotations == null ? Map.of() : sorted(annotations);
        ownerReferences = ownerReferences == null ? List.of() : List.copyOf(ownerReferences);
        finalizers = finalizers == null ? List.of() : List.copyOf(finalizers);
    }

    /** Creates the metadata of a resource that does not exist yet. */
    public static ObjectMeta of(String namespace, String name) {
        return new ObjectMeta(
                name,
                "",
                namespace,
                "",
                ResourceVersion.UNSET,
                0,
                null,
                null,
                null,
                Map.of(),
                Map.of(),
                List.of(),
                List.of(),
                null);
    }

    public ResourceKey key() {
        return new ResourceKey(namespace, name);
    }

    /** Returns whether the resource is being deleted and waits for its finalizers. */
    @JsonIgnore
    public boolean isDeleting() {
        return deletionTimestamp != null;
    }

    /** Returns the owner that manages this resource, if there is one. */
    public Optional<OwnerReference> controller() {
        return ownerReferences.stream().filter(OwnerReference::controller).findFirst();
    }

    public ObjectMeta withLabels(Map<String, String> replacement) {
        return with(resourceVersion, replacement, annotations, ownerReferences, finalizers);
    }

    public ObjectMeta withAnnotations(Map<String, String> replacement) {
        return with(resourceVersion, labels, replacement, ownerReferences, finalizers);
    }

    public ObjectMeta withOwnerReferences(List<OwnerReference> replacement) {
        return with(resourceVersion, labels, annotations, replacement, finalizers);
    }

    public ObjectMeta withFinalizer(String finalizer) {
        if (finalizers.contains(finalizer)) {
            return this;
        }
        List<String> more = new ArrayList<>(finalizers);
        more.add(finalizer);
        return withFinalizers(more);
    }

    public ObjectMeta withoutFinalizer(String finalizer) {
        return withFinalizers(finalizers.stream().filter(f -> !f.equals(finalizer)).toList());
    }

    private ObjectMeta withFinalizers(List<String> replacement) {
        return with(resourceVersion, labels, annotations, ownerReferences, replacement);
    }

    /** Replaces the fields that may change. The store sets the others. */
    private ObjectMeta with(
            ResourceVersion version,
            Map<String, String> newLabels,
            Map<String, String> newAnnotations,
            List<OwnerReference> owners,
            List<String> newFinalizers) {
        return new ObjectMeta(
                name,
                generateName,
                namespace,
                uid,
                version,
                generation,
                creationTimestamp,
                deletionTimestamp,
                deletionGracePeriodSeconds,
                newLabels,
                newAnnotations,
                owners,
                newFinalizers,
                managedFields);
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }

    private static Map<String, String> sorted(Map<String, String> map) {
        return map.isEmpty() ? Map.of() : map instanceof Sorted ? map : new Sorted(map);
    }

    /** An unmodifiable sorted map, so that many resources can share one. */
    private static final class Sorted extends AbstractMap<String, String> {

        private final Map<String, String> entries;

        Sorted(Map<String, String> map) {
            entries = Collections.unmodifiableMap(new TreeMap<>(map));
        }

        @Override
        public Set<Entry<String, String>> entrySet() {
            return entries.entrySet();
        }

        @Override
        public @Nullable String get(@Nullable Object key) {
            return entries.get(key);
        }

        @Override
        public boolean containsKey(@Nullable Object key) {
            return entries.containsKey(key);
        }
    }
}
