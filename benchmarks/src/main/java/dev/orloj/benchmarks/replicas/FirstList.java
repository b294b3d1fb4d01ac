package dev.orloj.benchmarks.replicas;

import dev.orloj.api.v1.McpServer;
import dev.orloj.controllers.informer.Informer;

import java.lang.management.ManagementFactory;

/**
 * What a replica does first: an informer lists all McpServers and keeps them.
 *
 * @param nanos until all are in the cache
 * @param cpu processor time of this JVM, in nanoseconds
 * @param heapBytes of the cache: live objects after a full collection
 */
record FirstList(long nanos, long cpu, long heapBytes) {

    static FirstList measure(SimulatedReplica replica) throws InterruptedException {
        long heap = liveHeap();
        long used = processorTime();
        long start = System.nanoTime();
        try (Informer<McpServer> informer = new Informer<>(replica.client(), McpServer.KIND)) {
            informer.start();
            informer.awaitSynced();
            long nanos = System.nanoTime() - start;
            return new FirstList(nanos, processorTime() - used, liveHeap() - heap);
        }
    }

    private static long processorTime() {
        return ProcessHandle.current().info().totalCpuDuration().orElseThrow().toNanos();
    }

    private static long liveHeap() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
