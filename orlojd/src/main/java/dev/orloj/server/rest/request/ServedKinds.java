package dev.orloj.server.rest.request;

import dev.orloj.api.codec.KindDescriptor;
import dev.orloj.api.codec.Scheme;
import dev.orloj.server.builtin.BuiltinResources;
import dev.orloj.server.registry.ResourceReader;
import dev.orloj.server.registry.ResourceRegistry;

import org.springframework.stereotype.Component;

import java.util.stream.Stream;

/** Holds every kind that has a path: stored kinds, and kinds that are derived from them. */
@Component
public class ServedKinds {

    private final Scheme scheme;
    private final ResourceRegistry registry;
    private final BuiltinResources builtin;

    ServedKinds(Scheme stored, ResourceRegistry registry) {
        this.scheme =
                new Scheme(
                        Stream.concat(
                                        stored.descriptors().stream(),
                                        BuiltinResources.kinds().stream())
                                .toList());
        this.registry = registry;
        this.builtin = new BuiltinResources(stored);
    }

    public Scheme scheme() {
        return scheme;
    }

    public ResourceReader reader(KindDescriptor<?> kind) {
        return BuiltinResources.kinds().contains(kind) ? builtin : registry;
    }
}
