package dev.orloj.api.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.ResourceVersion;
import dev.orloj.api.WatchEvent;
import dev.orloj.api.client.ResourceClient;
import dev.orloj.api.client.Watch;
import dev.orloj.api.client.WatchClosedException;
import dev.orloj.api.client.WatchOptions;
import dev.orloj.api.core.Namespace;

import org.junit.jupiter.api.Test;

import java.time.Duration;

class MemoryResourceClientTest extends TransactionalClientContract {

    private final MemoryResourceClient client = new MemoryResourceClient(new ManualClock());

    @Override
    protected ResourceClient client() {
        return client;
    }

    @Test
    void compactionExpiresOldWatches() {
        client.create(Namespace.KIND, Namespace.of("a"));
        ResourceVersion before = client.head();
        client.create(Namespace.KIND, Namespace.of("b"));
        client.compact();

        assertThatThrownBy(() -> client.watch(Namespace.KIND, WatchOptions.everythingAfter(before)))
                .isInstanceOfSatisfying(
                        ApiException.class,
                        e -> assertThat(e.reason()).isEqualTo(ErrorReason.EXPIRED));
    }

    @Test
    void cutWatchMayBeResumed() throws InterruptedException {
        client.create(Namespace.KIND, Namespace.of("a"));
        WatchOptions options = WatchOptions.everythingAfter(client.head());
        Watch<Namespace> cut = client.watch(Namespace.KIND, options);

        client.cutWatches();
        client.create(Namespace.KIND, Namespace.of("b"));

        assertThatThrownBy(() -> cut.next(Duration.ofSeconds(10)))
                .isInstanceOf(WatchClosedException.class);
        try (Watch<Namespace> resumed = client.watch(Namespace.KIND, options)) {
            assertThat(resumed.next(Duration.ofSeconds(10)))
                    .hasValueSatisfying(
                            event -> assertThat(event).isInstanceOf(WatchEvent.Added.class));
        }
    }
}
