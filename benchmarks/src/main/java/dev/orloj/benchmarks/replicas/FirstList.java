package dev.orloj.benchmarks.replicas;

import dev.orloj.api.v1.McpServer;
import dev.orloj.controllers.informer.Informer;

import java.lang.management.ManagementFactory;

/**
 * What a replica does first: an informer lists all McpServers and keeps them.
 *
 * @param nanos until all are in the cache
 * @param requests to PostgreSQL
 * @param bytesRead from PostgreSQL
 * @param heapBytes of the cache: live objects after a full collection
 */
record FirstList(long nanos, long requests, long bytesRead, long heapBytes) {

    static FirstList measure(SimulatedReplica replica, Traffic traffic)
            throws InterruptedException {
        long heap = liveHeap();
        Traffic.Count before = traffic.count();
        long start = System.nanoTime();
        try (Informer<McpServer> informer = new Informer<>(replica.client(), McpServer.KIND)) {
            informer.start();
            informer.awaitSynced();
            long nanos = System.nanoTime() - start;
            Traffic.Count did = traffic.count().minus(before);
            return new FirstList(nanos, did.requests(), did.bytesRead(), liveHeap() - heap);
        }
    }

    private static long liveHeap() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
