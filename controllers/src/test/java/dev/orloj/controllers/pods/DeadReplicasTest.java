package dev.orloj.controllers.pods;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orloj.api.Backoff;
import dev.orloj.api.ObjectMeta;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.client.ListOptions;
import dev.orloj.api.core.Lease;
import dev.orloj.api.core.Namespace;
import dev.orloj.api.core.Pod;
import dev.orloj.api.testing.ManualClock;
import dev.orloj.api.testing.MemoryResourceClient;
import dev.orloj.controllers.replica.Replica;
import dev.orloj.controllers.replica.ReplicaDirectory;
import dev.orloj.controllers.replica.ReplicaLease;
import dev.orloj.controllers.workqueue.Workqueue;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

class DeadReplicasTest {

    private static final Replica ONE = new Replica("one", "host-1");
    private static final Replica OTHER = new Replica("other", "host-2");
    private static final ResourceKey ALL = new ResourceKey("", "");

    private final ManualClock clock = new ManualClock();
    private final MemoryResourceClient store = new MemoryResourceClient(clock);
    private final Workqueue<ResourceKey> queue =
            new Workqueue<>(
                    new Backoff(Duration.ofMillis(1), Duration.ofMillis(1), 0),
                    clock,
                    new Random(1));
    private final ReplicaHeartbeat one =
            new ReplicaHeartbeat(store, new ReplicaDirectory(ONE), clock, queue);
    private final ReplicaHeartbeat other =
            new ReplicaHeartbeat(store, new ReplicaDirectory(OTHER), clock, queue);
    private final List<String> swept = new ArrayList<>();
    private final DeadReplicas dead = new DeadReplicas(store, clock, swept::add, queue);

    private void beat(ReplicaHeartbeat heartbeat, Replica replica) {
        heartbeat.reconcile(ReplicaLease.key(replica));
    }

    private void pod(String name, Replica replica) {
        ObjectMeta metadata =
                ObjectMeta.of("default", name).withLabels(Map.of(Pod.REPLICA_LABEL, replica.id()));
        store.create(
                Pod.KIND, new Pod(Pod.KIND.apiVersion(), Pod.KIND.name(), metadata, null, null));
    }

    private List<String> pods() {
        return store.list(Pod.KIND, ListOptions.everything()).items().stream()
                .map(pod -> pod.metadata().name())
                .toList();
    }

    private List<String> leases() {
        return store.list(Lease.KIND, ListOptions.inNamespace(Namespace.SYSTEM)).items().stream()
                .map(lease -> lease.metadata().name())
                .toList();
    }

    @Test
    void podsOfAReplicaThatStopsToRenewAreDeletedAndNoOthers() {
        pod("a-0", ONE);
        pod("a-1", OTHER);
        beat(one, ONE);
        beat(other, OTHER);
        dead.reconcile(ALL);
        for (int i = 0; i < 3; i++) {
            clock.advance(Duration.ofSeconds(10));
            beat(one, ONE);
            dead.reconcile(ALL);
        }
        assertThat(pods()).as("30 s are not enough").containsExactly("a-0", "a-1");

        clock.advance(Duration.ofSeconds(10));
        beat(one, ONE);
        dead.reconcile(ALL);

        assertThat(pods()).containsExactly("a-0");
        assertThat(leases()).containsExactly("orlojd-one");
        assertThat(swept).containsExactly("other");
    }

    /** Otherwise its Pods in the cluster would stay for ever. */
    @Test
    void deadReplicaIsSweptAgainWhenTheClusterDidNotAnswer() {
        DeadReplicas failing =
                new DeadReplicas(
                        store,
                        clock,
                        replica -> {
                            swept.add(replica);
                            throw new IllegalStateException("the cluster does not answer");
                        },
                        queue);
        beat(other, OTHER);
        failing.reconcile(ALL);
        clock.advance(Duration.ofSeconds(40));

        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> failing.reconcile(ALL)).hasMessageContaining("cluster");
        }

        assertThat(swept).containsExactly("other", "other");
        assertThat(leases()).containsExactly("orlojd-other");
    }

    /** Times in a Lease are those of another host: only a change of it counts. */
    @Test
    void leaseThatLooksOldIsGivenTimeToBeRenewed() {
        pod("a-0", ONE);
        beat(one, ONE);
        clock.advance(Duration.ofHours(1));

        dead.reconcile(ALL);

        assertThat(pods()).containsExactly("a-0");
    }

    @Test
    void replicaThatStopsLeavesNothing() {
        pod("a-0", ONE);
        beat(one, ONE);

        ReplicaHeartbeat.signOff(store, ONE);
        ReplicaHeartbeat.signOff(store, ONE);

        assertThat(pods()).isEmpty();
        assertThat(leases()).isEmpty();
    }
}
