package dev.orloj.server.rest.request;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.codec.KindDescriptor;
import dev.orloj.api.codec.Scale;
import dev.orloj.api.codec.Scheme;
import dev.orloj.server.registry.Part;

import java.util.List;
import java.util.Optional;

/** What a path of the resource API addresses. */
public sealed interface Target {

    KindDescriptor<?> kind();

    /**
     * All resources of a kind, of one namespace or of all.
     *
     * @param namespace empty for all, and for a cluster-scoped kind
     */
    record Collection(KindDescriptor<?> kind, String namespace) implements Target {

        /** Whether resources may be created here. */
        public boolean isWritable() {
            return !kind.kind().namespaced() || !namespace.isEmpty();
        }

        /** Whether resources may be deleted together: never those of all namespaces. */
        public boolean isDeletable() {
            return isWritable() && !kind.heldByContent();
        }
    }

    /** One resource, or a part of it. */
    record Item(KindDescriptor<?> kind, ResourceKey key, Part part) implements Target {}

    /** The number of replicas of a resource. */
    record Scaled(KindDescriptor<?> kind, ResourceKey key, Scale scale) implements Target {}

    /**
     * @throws ApiException (NotFound) when nothing has that path
     */
    static Target of(String rawPath, Scheme scheme) {
        ApiPath path = ApiPath.parse(rawPath).orElseThrow(Target::unknown);
        KindDescriptor<?> kind =
                scheme.findResource(path.group(), path.version(), path.plural())
                        .orElseThrow(Target::unknown);
        boolean namespaced = kind.kind().namespaced();
        if (!namespaced && !path.namespace().isEmpty()) {
            throw unknown();
        }
        if (path.name().isEmpty()) {
            return new Collection(kind, path.namespace());
        }
        if (namespaced && path.namespace().isEmpty()) {
            throw unknown();
        }
        ResourceKey key = new ResourceKey(path.namespace(), path.name());
        if (path.rest().equals(List.of("scale"))) {
            return new Scaled(kind, key, kind.scale().orElseThrow(Target::unknown));
        }
        return new Item(kind, key, part(kind, path.rest()).orElseThrow(Target::unknown));
    }

    private static Optional<Part> part(KindDescriptor<?> kind, List<String> rest) {
        if (rest.isEmpty()) {
            return Optional.of(Part.RESOURCE);
        }
        if (kind.heldByContent() && rest.equals(List.of("finalize"))) {
            return Optional.of(Part.FINALIZERS);
        }
        return kind.hasStatus() && rest.equals(List.of("status"))
                ? Optional.of(Part.STATUS)
                : Optional.empty();
    }

    static ApiException unknown() {
        return new ApiException(
                ErrorReason.NOT_FOUND, "the server could not find the requested resource");
    }
}
