package dev.orloj.runtime.scale;

import dev.orloj.api.pod.ScaleTargetRef;
import dev.orloj.runtime.cluster.ClusterException;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** Workloads and Leases in memory, for several replicas of orlojd. */
final class FakeWorkloads {

    final Map<ScaleTargetRef, ScaleApi.Workload> workloads = new ConcurrentHashMap<>();
    final Map<ScaleTargetRef, String> leases = new ConcurrentHashMap<>();

    /** The numbers of replicas that were written. */
    final List<Integer> writes = new CopyOnWriteArrayList<>();

    private final AtomicInteger version = new AtomicInteger();

    void put(ScaleTargetRef target, int replicas) {
        workloads.put(target, new ScaleApi.Workload(replicas, replicas, true, next()));
    }

    void putUnready(ScaleTargetRef target, int replicas) {
        workloads.put(target, new ScaleApi.Workload(replicas, 0, true, next()));
    }

    void putWithoutLabel(ScaleTargetRef target, int replicas) {
        workloads.put(target, new ScaleApi.Workload(replicas, replicas, false, next()));
    }

    int replicas(ScaleTargetRef target) {
        return workloads.get(target).replicas();
    }

    private String next() {
        return Integer.toString(version.incrementAndGet());
    }

    /** The requests of one replica of orlojd. */
    final class Connection implements ScaleApi {

        /** Why requests fail; null while they do not. */
        volatile ClusterException failure;

        /** Runs once, before the next write of a number of replicas. */
        volatile Runnable beforeScale = () -> {};

        /** Runs once, after it. */
        volatile Runnable afterScale = () -> {};

        @Override
        public String namespace() {
            return "tools";
        }

        private void requireUp() {
            if (failure != null) {
                throw failure;
            }
        }

        @Override
        public Optional<Workload> find(ScaleTargetRef target) {
            requireUp();
            return Optional.ofNullable(workloads.get(target));
        }

        @Override
        public void scale(ScaleTargetRef target, int replicas, String read) {
            requireUp();
            Runnable before = beforeScale;
            beforeScale = () -> {};
            before.run();
            if (!workloads.get(target).version().equals(read)) {
                throw new ClusterException(409, "the object has been modified", null);
            }
            put(target, replicas);
            writes.add(replicas);
            Runnable after = afterScale;
            afterScale = () -> {};
            after.run();
        }

        @Override
        public String leaseVersion(ScaleTargetRef target) {
            requireUp();
            return leases.getOrDefault(target, "");
        }

        @Override
        public void renewLease(ScaleTargetRef target) {
            requireUp();
            leases.put(target, next());
        }

        @Override
        public void deleteLease(ScaleTargetRef target) {
            requireUp();
            leases.remove(target);
        }

        @Override
        public void close() {}
    }
}
