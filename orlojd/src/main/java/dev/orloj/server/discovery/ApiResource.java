package dev.orloj.server.discovery;

import dev.orloj.api.Kind;
import dev.orloj.api.codec.KindDescriptor;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Describes one resource in the discovery documents.
 *
 * @param group empty for the core group
 * @param kind the kind of the objects that it returns
 */
public record ApiResource(
        String group,
        String version,
        String kind,
        String plural,
        boolean namespaced,
        List<String> verbs,
        List<String> shortNames,
        List<String> categories,
        List<Subresource> subresources) {

    private static final List<String> ALL_VERBS =
            List.of(
                    "create",
                    "delete",
                    "deletecollection",
                    "get",
                    "list",
                    "patch",
                    "update",
                    "watch");

    private static final List<String> READING_VERBS = List.of("get", "list", "watch");

    private static final List<String> PART_VERBS = List.of("get", "patch", "update");

    /**
     * Describes a subresource.
     *
     * @param group of the kind that it returns
     */
    public record Subresource(
            String name, String group, String version, String kind, List<String> verbs) {

        public Subresource {
            verbs = List.copyOf(verbs);
        }
    }

    public ApiResource {
        verbs = List.copyOf(verbs);
        shortNames = List.copyOf(shortNames);
        categories = List.copyOf(categories);
        subresources = List.copyOf(subresources);
    }

    static ApiResource of(KindDescriptor<?> descriptor) {
        Kind<?> kind = descriptor.kind();
        List<Subresource> subresources = new ArrayList<>();
        if (descriptor.hasStatus() && !descriptor.readOnly()) {
            subresources.add(
                    new Subresource(
                            "status", kind.group(), kind.version(), kind.name(), PART_VERBS));
        }
        if (descriptor.heldByContent()) {
            subresources.add(
                    new Subresource(
                            "finalize",
                            kind.group(),
                            kind.version(),
                            kind.name(),
                            List.of("update")));
        }
        if (descriptor.scale().isPresent()) {
            subresources.add(new Subresource("scale", "autoscaling", "v1", "Scale", PART_VERBS));
        }
        for (String action : descriptor.actions()) {
            subresources.add(
                    new Subresource(
                            action, kind.group(), kind.version(), kind.name(), List.of("create")));
        }
        return new ApiResource(
                kind.group(),
                kind.version(),
                kind.name(),
                kind.plural(),
                kind.namespaced(),
                verbs(descriptor),
                descriptor.shortNames(),
                descriptor.categories(),
                subresources);
    }

    private static List<String> verbs(KindDescriptor<?> descriptor) {
        if (descriptor.readOnly()) {
            return READING_VERBS;
        }
        return descriptor.heldByContent()
                ? ALL_VERBS.stream().filter(verb -> !verb.equals("deletecollection")).toList()
                : ALL_VERBS;
    }

    ApiResource with(List<Subresource> more) {
        List<Subresource> all = new ArrayList<>(subresources);
        all.addAll(more);
        return new ApiResource(
                group, version, kind, plural, namespaced, verbs, shortNames, categories, all);
    }

    /** Describes a resource that clients can only create, as a query, and that is never stored. */
    public static ApiResource question(String group, String kind, boolean namespaced) {
        return new ApiResource(
                group,
                "v1",
                kind,
                kind.toLowerCase(Locale.ROOT) + "s",
                namespaced,
                List.of("create"),
                List.of(),
                List.of(),
                List.of());
    }

    /** Describes a read-only resource that reflects current activity and is never stored. */
    public static ApiResource readable(String group, String kind, List<String> verbs) {
        return new ApiResource(
                group,
                "v1",
                kind,
                kind.toLowerCase(Locale.ROOT) + "s",
                true,
                verbs,
                List.of(),
                List.of(),
                List.of());
    }

    String singular() {
        return kind.toLowerCase(Locale.ROOT);
    }
}
