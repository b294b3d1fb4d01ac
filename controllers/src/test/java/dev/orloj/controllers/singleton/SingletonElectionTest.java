package dev.orloj.controllers.singleton;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.Backoff;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.core.Lease;
import dev.orloj.api.testing.ManualClock;
import dev.orloj.api.testing.MemoryResourceClient;
import dev.orloj.controllers.replica.Replica;
import dev.orloj.controllers.workqueue.Workqueue;
import dev.orloj.runtime.session.SingletonTerm;
import dev.orloj.runtime.testkit.ManualScheduler;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

class SingletonElectionTest {

    private static final Duration A_LITTLE = Duration.ofMillis(1);

    private final ManualClock clock = new ManualClock();
    private final MemoryResourceClient store = new MemoryResourceClient(clock);
    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);
    private final AtomicBoolean needed = new AtomicBoolean(true);
    private final Contender one = new Contender("one");
    private final Contender other = new Contender("other");

    /** A replica that believes to lead. */
    private final class Contender {

        private final Replica replica;
        private final SingletonTerm term = new SingletonTerm(new ManualScheduler(), s -> {});
        private final SingletonElection election;

        Contender(String id) {
            replica = new Replica(id, "host");
            election =
                    new SingletonElection(
                            store,
                            replica,
                            term,
                            needed::get,
                            clock,
                            nanos::get,
                            new Workqueue<ResourceKey>(
                                    new Backoff(Duration.ofMillis(1), Duration.ofMillis(1), 0),
                                    clock,
                                    new Random(1)));
        }

        /** Whether it owns the singletons after it has looked. */
        boolean look() {
            election.reconcile(SingletonLease.KEY);
            return term.owner().equals(replica.id());
        }
    }

    private Lease lease() {
        return store.find(Lease.KIND, SingletonLease.KEY).orElseThrow();
    }

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
        clock.advance(time);
    }

    @Test
    void leaseIsTakenWhenItHasNotMovedForItsWholeTime() {
        assertThat(one.look()).isTrue();
        assertThat(other.look()).isFalse();

        pass(SingletonLease.DURATION.minus(A_LITTLE));
        assertThat(other.look()).isFalse();
        pass(A_LITTLE);

        assertThat(other.look()).isTrue();
        assertThat(SingletonLease.holder(lease())).isEqualTo("other");
        assertThat(Objects.requireNonNull(lease().spec()).leaseTransitions()).isEqualTo(1);
    }

    @Test
    void leaseThatIsRenewedIsNotTaken() {
        assertThat(one.look()).isTrue();
        for (int i = 0; i < 10; i++) {
            assertThat(other.look()).isFalse();
            pass(SingletonLease.DURATION.minus(A_LITTLE));
            assertThat(one.look()).isTrue();
        }
        assertThat(Objects.requireNonNull(lease().spec()).leaseTransitions()).isZero();
    }

    /** The clock of its host may be anything. */
    @Test
    void timesInTheLeaseDoNotCount() {
        assertThat(one.look()).isTrue();

        clock.advance(Duration.ofDays(1));

        assertThat(other.look()).isFalse();
    }

    /** The replica that has it ends its sessions well before another one may have it. */
    @Test
    void tenureLeavesTimeForProcessesToEnd() {
        assertThat(SingletonLease.DURATION.minus(SingletonElection.TENURE))
                .isGreaterThanOrEqualTo(Duration.ofSeconds(15));
    }

    @Test
    void leaseThatWasGivenUpIsTakenAtOnce() {
        assertThat(one.look()).isTrue();
        assertThat(other.look()).isFalse();

        SingletonElection.resign(store, other.replica);
        assertThat(other.look()).as("it was not its own to give up").isFalse();
        SingletonElection.resign(store, one.replica);

        assertThat(other.look()).isTrue();
    }

    @Test
    void nothingIsWrittenWhereThereAreNoSingletons() {
        needed.set(false);

        assertThat(one.look()).isFalse();

        assertThat(store.find(Lease.KIND, SingletonLease.KEY)).isEmpty();
    }
}
