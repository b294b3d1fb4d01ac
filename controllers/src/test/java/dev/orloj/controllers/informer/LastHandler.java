package dev.orloj.controllers.informer;

import dev.orloj.api.Resource;
import dev.orloj.api.ResourceKey;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * The state that all handlers of an informer have received, which the cache has a moment earlier.
 * Thread-safe.
 */
public final class LastHandler<R extends Resource> implements EventHandler<R> {

    private final Map<ResourceKey, R> received = new ConcurrentSkipListMap<>();

    private LastHandler() {}

    /** Adds one. Called when the informer has all other handlers, and before it starts. */
    public static <R extends Resource> LastHandler<R> of(Informer<R> informer) {
        LastHandler<R> last = new LastHandler<>();
        informer.addHandler(last);
        return last;
    }

    /** Returns the resources, sorted as in a list of the store. */
    public List<R> received() {
        return List.copyOf(received.values());
    }

    @Override
    public void added(R resource, boolean initial) {
        received.put(resource.key(), resource);
    }

    @Override
    public void updated(R before, R after) {
        received.put(after.key(), after);
    }

    @Override
    public void deleted(R last) {
        received.remove(last.key());
    }
}
