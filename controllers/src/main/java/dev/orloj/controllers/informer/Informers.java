package dev.orloj.controllers.informer;

import dev.orloj.api.Kind;
import dev.orloj.api.Resource;
import dev.orloj.api.client.ResourceClient;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** One informer for each of several kinds. Immutable. */
public final class Informers {

    private final Map<Kind<?>, Informer<?>> informers = new LinkedHashMap<>();

    public Informers(ResourceClient client, List<? extends Kind<?>> kinds) {
        for (Kind<?> kind : kinds) {
            informers.put(kind, new Informer<>(client, kind));
        }
    }

    /** Returns the informer of a kind that is followed. */
    @SuppressWarnings("unchecked") // the type of an informer is that of its kind
    public <R extends Resource> Informer<R> of(Kind<R> kind) {
        Informer<?> informer = informers.get(kind);
        if (informer == null) {
            throw new IllegalArgumentException(kind + " is not followed");
        }
        return (Informer<R>) informer;
    }

    public boolean follow(Kind<?> kind) {
        return informers.containsKey(kind);
    }

    public List<Informer<?>> all() {
        return List.copyOf(informers.values());
    }
}
