package dev.orloj.controllers;

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
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Counts requests by verb and kind, except watches. Thread-safe. */
final class CountingClient implements ResourceClient {

    private final ResourceClient client;
    private final Map<String, Integer> counts = new TreeMap<>();

    CountingClient(ResourceClient client) {
        this.client = client;
    }

    /** Returns the counts, such as {@code create Pod}. */
    synchronized Map<String, Integer> counts() {
        return new TreeMap<>(counts);
    }

    synchronized void reset() {
        counts.clear();
    }

    private synchronized void count(String verb, Kind<?> kind) {
        counts.merge(verb + " " + kind.name(), 1, Integer::sum);
    }

    @Override
    public <R extends Resource> Optional<R> find(Kind<R> kind, ResourceKey key) {
        count("find", kind);
        return client.find(kind, key);
    }

    @Override
    public <R extends Resource> ResourceVersion newestChange(Kind<R> kind) {
        count("newest change", kind);
        return client.newestChange(kind);
    }

    @Override
    public <R extends Resource> ResourceList<R> list(Kind<R> kind, ListOptions options) {
        count("list", kind);
        return client.list(kind, options);
    }

    @Override
    public <R extends Resource> Watch<R> watch(Kind<R> kind, WatchOptions options) {
        return client.watch(kind, options);
    }

    @Override
    public <R extends Resource> R create(Kind<R> kind, R resource) {
        count("create", kind);
        return client.create(kind, resource);
    }

    @Override
    public <R extends Resource> R update(Kind<R> kind, R resource) {
        count("update", kind);
        return client.update(kind, resource);
    }

    @Override
    public <R extends Resource> R updateStatus(Kind<R> kind, R resource) {
        count("updateStatus", kind);
        return client.updateStatus(kind, resource);
    }

    @Override
    public <R extends Resource> R updateFinalizers(Kind<R> kind, R resource) {
        count("updateFinalizers", kind);
        return client.updateFinalizers(kind, resource);
    }

    @Override
    public <R extends Resource> R patch(Kind<R> kind, ResourceKey key, ObjectNode mergePatch) {
        count("patch", kind);
        return client.patch(kind, key, mergePatch);
    }

    @Override
    public <R extends Resource> void delete(Kind<R> kind, ResourceKey key, DeleteOptions options) {
        count("delete", kind);
        client.delete(kind, key, options);
    }

    @Override
    public <R extends Resource> void writeAll(Kind<R> kind, List<Write<R>> writes) {
        count("writeAll", kind);
        client.writeAll(kind, writes);
    }
}
