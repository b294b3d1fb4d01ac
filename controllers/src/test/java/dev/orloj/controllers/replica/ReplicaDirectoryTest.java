package dev.orloj.controllers.replica;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.core.Lease;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.net.URI;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

class ReplicaDirectoryTest {

    private static final Replica SELF = new Replica("self", "here");
    private static final Replica NEIGHBOUR = new Replica("neighbour", "here");
    private static final Replica FAR = new Replica("far", "there");
    private static final URI LOOPBACK = URI.create("http://127.0.0.1:8080");
    private static final URI REMOTE = URI.create("https://10.0.0.5:8443");

    private final ReplicaDirectory directory = new ReplicaDirectory(SELF);

    private static Lease lease(Replica replica, URI address) {
        return ReplicaLease.acquired(replica, Optional.of(address), Instant.EPOCH);
    }

    @Test
    void replicaIsWhereItsLeaseSaysUntilItIsGone() {
        Lease before = lease(FAR, REMOTE);
        directory.added(before, true);
        assertThat(directory.find("far")).contains(REMOTE);

        URI moved = URI.create("https://10.0.0.6:8443");
        Lease after = ReplicaLease.renewed(before, FAR, Optional.of(moved), Instant.EPOCH);
        directory.updated(before, after);
        assertThat(directory.find("far")).contains(moved);

        directory.deleted(after);
        assertThat(directory.find("far")).isEmpty();
    }

    @Test
    void replicaThatTakesItsAddressBackCannotBeReached() {
        Lease before = lease(FAR, REMOTE);
        directory.added(before, true);

        directory.updated(
                before, ReplicaLease.renewed(before, FAR, Optional.empty(), Instant.EPOCH));

        assertThat(directory.find("far")).isEmpty();
    }

    @Test
    void loopbackIsForReplicasOfTheSameHost() {
        directory.added(lease(NEIGHBOUR, LOOPBACK), true);
        directory.added(lease(FAR, LOOPBACK), true);

        assertThat(directory.find("neighbour")).contains(LOOPBACK);
        assertThat(directory.find("far")).isEmpty();
    }

    @Test
    void noReplicaIsSentToItself() {
        directory.added(lease(SELF, REMOTE), true);

        assertThat(directory.find("self")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "not a url", "http:/nowhere"})
    void annotationThatIsNoAddressIsLeftAlone(String address) {
        Lease lease = lease(FAR, REMOTE);
        directory.added(
                lease.withMetadata(
                        lease.metadata()
                                .withAnnotations(Map.of("orloj.dev/advertise-url", address))),
                false);

        assertThat(directory.find("far")).isEmpty();
    }
}
