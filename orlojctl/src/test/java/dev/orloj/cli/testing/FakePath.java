package dev.orloj.cli.testing;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.codec.KindDescriptor;
import dev.orloj.api.v1.Kinds;

import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** A path of the resource API, taken apart; the name of a collection is empty. */
record FakePath(KindDescriptor<?> descriptor, String namespace, String name, String subresource) {

    private static final Set<String> PARTS_OF_A_NAMESPACE = Set.of("status", "finalize");

    static FakePath parse(String path) {
        List<String> parts = Arrays.asList(path.substring(1).split("/"));
        boolean isCore = parts.getFirst().equals("api");
        String group = isCore ? "" : part(parts, 1);
        String version = part(parts, isCore ? 1 : 2);
        int at = isCore ? 2 : 3;
        String namespace = "";
        if (part(parts, at).equals("namespaces")
                && parts.size() > at + 2
                && !PARTS_OF_A_NAMESPACE.contains(parts.get(at + 2))) {
            namespace = part(parts, at + 1);
            at += 2;
        }
        KindDescriptor<?> descriptor =
                Kinds.SCHEME
                        .findResource(group, version, part(parts, at))
                        .orElseThrow(
                                () ->
                                        new ApiException(
                                                ErrorReason.NOT_FOUND,
                                                "the server could not find the requested"
                                                        + " resource"));
        return new FakePath(descriptor, namespace, part(parts, at + 1), part(parts, at + 2));
    }

    private static String part(List<String> parts, int index) {
        return index < parts.size() ? parts.get(index) : "";
    }

    ResourceKey key() {
        return new ResourceKey(namespace, name);
    }
}
