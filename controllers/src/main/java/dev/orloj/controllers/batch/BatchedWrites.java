package dev.orloj.controllers.batch;

import dev.orloj.api.Kind;
import dev.orloj.api.Resource;
import dev.orloj.api.client.ResourceClient;
import dev.orloj.api.client.Write;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.ToLongFunction;

/**
 * Performs any number of writes in batches, each in its own transaction. Holds one batch in memory.
 * Written batches stay written when a later one fails. Thread-safe.
 */
public final class BatchedWrites<R extends Resource> {

    /** The most writes of a batch. */
    public static final int MAX_WRITES = 200;

    /** A batch ends with the write that brings it to this many characters. */
    public static final long MAX_CHARACTERS = 1024 * 1024;

    private final ResourceClient client;
    private final Kind<R> kind;
    private final ToLongFunction<R> size;

    /**
     * @param size returns the approximate number of characters of a resource
     */
    public BatchedWrites(ResourceClient client, Kind<R> kind, ToLongFunction<R> size) {
        this.client = client;
        this.kind = kind;
        this.size = size;
    }

    /**
     * @param writes may be created during iteration; at most one for each resource
     * @param goOn called before each batch but the first
     * @return whether all was written
     * @throws InterruptedException when the thread is interrupted between two batches
     */
    public boolean write(Iterable<Write<R>> writes, BooleanSupplier goOn)
            throws InterruptedException {
        Iterator<Write<R>> rest = writes.iterator();
        for (boolean first = true; rest.hasNext(); first = false) {
            if (Thread.interrupted()) {
                throw new InterruptedException("Interrupted between two batches of writes");
            }
            if (!first && !goOn.getAsBoolean()) {
                return false;
            }
            client.writeAll(kind, next(rest));
        }
        return true;
    }

    private List<Write<R>> next(Iterator<Write<R>> rest) {
        List<Write<R>> batch = new ArrayList<>();
        long characters = 0;
        while (rest.hasNext() && batch.size() < MAX_WRITES && characters < MAX_CHARACTERS) {
            Write<R> write = rest.next();
            batch.add(write);
            characters +=
                    switch (write) {
                        case Write.Create<R>(R resource) -> size.applyAsLong(resource);
                        case Write.Update<R>(R resource) -> size.applyAsLong(resource);
                        case Write.Delete<R> _ -> 0;
                    };
        }
        return batch;
    }
}
