package dev.orloj.api.testing;

import dev.orloj.api.Kind;
import dev.orloj.api.Resource;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.ResourceVersion;
import dev.orloj.api.client.DeleteOptions;
import dev.orloj.api.client.ListOptions;
import dev.orloj.api.client.ResourceClient;
import dev.orloj.api.client.ResourceList;
import dev.orloj.api.client.Watch;
import dev.orloj.api.client.WatchOptions;
import dev.orloj.api.client.Write;

import tools.jackson.databind.node.ObjectNode;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A client that does what another does, until a test makes it fail: before a request reaches the
 * store, or after the store has done it, when only the answer is lost. Safe for many threads.
 */
public final class FaultyClient implements ResourceClient {

    /** What a request asks for. */
    public enum Verb {
        FIND,
        NEWEST_CHANGE,
        LIST,
        WATCH,
        CREATE,
        UPDATE,
        UPDATE_STATUS,
        UPDATE_FINALIZERS,
        PATCH,
        DELETE,
        WRITE_ALL;

        public boolean isWrite() {
            return switch (this) {
                case FIND, NEWEST_CHANGE, LIST, WATCH -> false;
                case CREATE, UPDATE, UPDATE_STATUS, UPDATE_FINALIZERS, PATCH, DELETE, WRITE_ALL ->
                        true;
            };
        }
    }

    /**
     * One request.
     *
     * @param write the how-manieth write it is, from 1; 0 for a read
     */
    public record Request(Verb verb, Kind<?> kind, int write) {}

    private static final Consumer<Request> NO_FAULT = request -> {};

    private final ResourceClient delegate;
    private final AtomicInteger writes = new AtomicInteger();
    private volatile Consumer<Request> before = NO_FAULT;
    private volatile Consumer<Request> after = NO_FAULT;

    public FaultyClient(ResourceClient delegate) {
        this.delegate = delegate;
    }

    /** From now on {@code fault} is asked before each request; what it throws is the answer. */
    public void failBefore(Consumer<Request> fault) {
        before = fault;
    }

    /** From now on {@code fault} is asked after each request that the store has done. */
    public void failAfter(Consumer<Request> fault) {
        after = fault;
    }

    /** The next request with the verb about the kind fails, once. */
    public void failNext(Verb verb, Kind<?> kind, RuntimeException cause) {
        AtomicBoolean struck = new AtomicBoolean();
        failBefore(
                request -> {
                    if (request.verb() == verb
                            && request.kind().equals(kind)
                            && struck.compareAndSet(false, true)) {
                        throw cause;
                    }
                });
    }

    public void heal() {
        before = NO_FAULT;
        after = NO_FAULT;
    }

    /** Writes asked for so far, whatever became of them. */
    public int writes() {
        return writes.get();
    }

    private <T> T pass(Verb verb, Kind<?> kind, Supplier<T> action) {
        Request request = new Request(verb, kind, verb.isWrite() ? writes.incrementAndGet() : 0);
        before.accept(request);
        T answer = action.get();
        after.accept(request);
        return answer;
    }

    @Override
    public <R extends Resource> Optional<R> find(Kind<R> kind, ResourceKey key) {
        return pass(Verb.FIND, kind, () -> delegate.find(kind, key));
    }

    @Override
    public <R extends Resource> ResourceVersion newestChange(Kind<R> kind) {
        return pass(Verb.NEWEST_CHANGE, kind, () -> delegate.newestChange(kind));
    }

    @Override
    public <R extends Resource> ResourceList<R> list(Kind<R> kind, ListOptions options) {
        return pass(Verb.LIST, kind, () -> delegate.list(kind, options));
    }

    @Override
    public <R extends Resource> Watch<R> watch(Kind<R> kind, WatchOptions options) {
        return pass(Verb.WATCH, kind, () -> delegate.watch(kind, options));
    }

    @Override
    public <R extends Resource> R create(Kind<R> kind, R resource) {
        return pass(Verb.CREATE, kind, () -> delegate.create(kind, resource));
    }

    @Override
    public <R extends Resource> R update(Kind<R> kind, R resource) {
        return pass(Verb.UPDATE, kind, () -> delegate.update(kind, resource));
    }

    @Override
    public <R extends Resource> R updateStatus(Kind<R> kind, R resource) {
        return pass(Verb.UPDATE_STATUS, kind, () -> delegate.updateStatus(kind, resource));
    }

    @Override
    public <R extends Resource> R updateFinalizers(Kind<R> kind, R resource) {
        return pass(Verb.UPDATE_FINALIZERS, kind, () -> delegate.updateFinalizers(kind, resource));
    }

    @Override
    public <R extends Resource> R patch(Kind<R> kind, ResourceKey key, ObjectNode mergePatch) {
        return pass(Verb.PATCH, kind, () -> delegate.patch(kind, key, mergePatch));
    }

    @Override
    public <R extends Resource> void delete(Kind<R> kind, ResourceKey key, DeleteOptions options) {
        pass(
                Verb.DELETE,
                kind,
                () -> {
                    delegate.delete(kind, key, options);
                    return key;
                });
    }

    @Override
    public <R extends Resource> void writeAll(Kind<R> kind, List<Write<R>> writeList) {
        pass(
                Verb.WRITE_ALL,
                kind,
                () -> {
                    delegate.writeAll(kind, writeList);
                    return writeList;
                });
    }
}
