package dev.orloj.server.mcp.subscriptions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.testing.ManualClock;
import dev.orloj.runtime.catalog.ToolCatalog;
import dev.orloj.runtime.client.ClientCapabilities;
import dev.orloj.runtime.clock.SystemScheduler;
import dev.orloj.runtime.transport.ProtocolRevision;
import dev.orloj.server.mcp.catalog.FeatureNames.Owned;
import dev.orloj.server.mcp.protocol.ClientSession;
import dev.orloj.server.mcp.protocol.ProtocolError;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;

class ResourceSubscriptionsTest {

    private static final Owned RESOURCE = resource("file:///a");

    private final ManualClock clock = new ManualClock();
    private final SystemScheduler scheduler = new SystemScheduler();
    private final ResourceSubscriptions subscriptions =
            new ResourceSubscriptions(clock, new Subscriptions(scheduler, new ToolCatalog()));

    @AfterEach
    void stop() {
        scheduler.close();
    }

    private static Owned resource(String uri) {
        return new Owned(new ResourceKey("default", "github"), uri);
    }

    private ClientSession session(String id) {
        return new ClientSession(
                id,
                ProtocolRevision.V2025_11_25,
                "default",
                clock.instant(),
                "anonymous",
                ClientCapabilities.NONE);
    }

    /** An agent that subscribes to as much as there is room for, in pieces of a mebibyte. */
    private void fill(String session) {
        for (int i = 0; i < 63; i++) {
            subscriptions.add(session(session), resource("x".repeat(1024 * 1024) + i));
        }
    }

    @Test
    void lastUnsubscriberEndsTheSubscription() {
        subscriptions.add(session("a"), RESOURCE);
        subscriptions.add(session("b"), RESOURCE);

        subscriptions.remove(session("a"), RESOURCE);
        assertThat(subscriptions.isWanted(RESOURCE)).isTrue();
        assertThat(subscriptions.isSubscribed("a", RESOURCE)).isFalse();

        subscriptions.end(session("b"));
        assertThat(subscriptions.isWanted(RESOURCE)).isFalse();
    }

    @Test
    void vanishedSessionsGoWhenTheirTokensAreNoMoreGood() {
        subscriptions.add(session("vanished"), RESOURCE);

        clock.advance(Duration.ofDays(7).minusSeconds(1));
        subscriptions.add(session("younger"), resource("file:///b"));
        assertThat(subscriptions.isSubscribed("vanished", RESOURCE)).isTrue();

        clock.advance(Duration.ofSeconds(1));
        subscriptions.add(session("youngest"), resource("file:///b"));
        assertThat(subscriptions.isSubscribed("vanished", RESOURCE)).isFalse();
        assertThat(subscriptions.isSubscribed("younger", resource("file:///b"))).isTrue();
    }

    @Test
    void sessionMayNotHaveAnyNumber() {
        ClientSession session = session("a");
        for (int i = 0; i < ResourceSubscriptions.MAX_PER_CLIENT; i++) {
            subscriptions.add(session, resource("file:///" + i));
        }

        assertThat(subscriptions.add(session, resource("file:///0"))).isFalse();
        assertThatThrownBy(() -> subscriptions.add(session, RESOURCE))
                .isInstanceOf(ProtocolError.class)
                .hasMessageContaining("10000 resources");
    }

    @Test
    void allSessionsTogetherTakeSoMuchMemoryAndNoMore() {
        fill("a");

        assertThatThrownBy(() -> subscriptions.add(session("b"), resource("y".repeat(1024 * 1024))))
                .isInstanceOf(ProtocolError.class)
                .hasMessageContaining("64 MiB");
        assertThat(subscriptions.isSubscribed("b", resource("y".repeat(1024 * 1024)))).isFalse();
    }

    @Test
    void roomIsMadeByThoseWhoAreDoneAndByThoseWhoVanished() {
        fill("done");
        subscriptions.end(session("done"));
        fill("vanished");
        clock.advance(Duration.ofDays(7));

        fill("new");

        Owned last = resource("x".repeat(1024 * 1024) + 62);
        assertThat(subscriptions.isSubscribed("new", last)).isTrue();
        assertThat(subscriptions.isSubscribed("vanished", last)).isFalse();
    }
}
