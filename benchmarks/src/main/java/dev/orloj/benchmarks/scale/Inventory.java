package dev.orloj.benchmarks.scale;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.v1.Tool;
import dev.orloj.benchmarks.store.Documents;
import dev.orloj.server.store.Mutation;
import dev.orloj.server.store.PostgresStore;

import tools.jackson.databind.node.ObjectNode;

import java.util.SortedMap;
import java.util.TreeMap;

/** Very many Tools, in groups of a few with a label each. Only grows. */
final class Inventory {

    static final int GROUP_SIZE = 20;
    static final String GROUP = "bench-group";
    private static final int BATCH = 500;

    private final PostgresStore store;
    private int size;

    Inventory(PostgresStore store) {
        this.store = store;
    }

    static String name(int number) {
        return "tool-%06d".formatted(number);
    }

    int size() {
        return size;
    }

    int groups() {
        return Math.max(1, size / GROUP_SIZE);
    }

    void growTo(int wanted) {
        while (size < wanted) {
            SortedMap<ResourceKey, Mutation> batch = new TreeMap<>();
            for (int i = 0; i < BATCH && size < wanted; i++, size++) {
                ObjectNode document = document(size);
                batch.put(Documents.key(name(size)), _ -> new Mutation.Outcome.Put(document));
            }
            store.writeAll(Tool.DESCRIPTOR, batch);
        }
    }

    /** Changes some Tools; returns the revision before. */
    long change(int count, long stamp) {
        long before = store.head(Tool.DESCRIPTOR.shard()).value();
        SortedMap<ResourceKey, Mutation> batch = new TreeMap<>();
        for (int i = 0; i < count; i++) {
            int number = (int) ((stamp * count + i) % size);
            batch.put(
                    Documents.key(name(number)),
                    current ->
                            new Mutation.Outcome.Put(
                                    Documents.stamp(current.orElseThrow(), stamp)));
        }
        store.writeAll(Tool.DESCRIPTOR, batch);
        return before;
    }

    private static ObjectNode document(int number) {
        ObjectNode document = Documents.tool(name(number));
        ObjectNode labels = document.withObject("/metadata/labels");
        labels.removeAll();
        labels.put(GROUP, "g" + number / GROUP_SIZE);
        document.withObject("/spec").put("type", "http").put("endpoint", "http://127.0.0.1:1/");
        return document;
    }
}
