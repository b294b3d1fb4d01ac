package dev.orloj.controllers.events;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.client.DeleteOptions;
import dev.orloj.api.client.ListOptions;
import dev.orloj.api.client.ResourceClient;
import dev.orloj.api.client.ResourceList;
import dev.orloj.api.client.Write;
import dev.orloj.api.core.Event;
import dev.orloj.controllers.control.Reconciler;
import dev.orloj.controllers.control.Result;
import dev.orloj.controllers.workqueue.Workqueue;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/**
 * Deletes events some time after they last happened, many in one transaction. The queue has one
 * key, which requeues itself.
 */
public final class EventExpiry implements Reconciler {

    private static final ResourceKey ALL_EVENTS = new ResourceKey("", "events");
    private static final int PAGE = 500;
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(5);

    private final ResourceClient client;
    private final InstantSource clock;
    private final Duration timeToLive;

    /** Creates the reconciler and adds its key to the queue. */
    public EventExpiry(
            ResourceClient client,
            InstantSource clock,
            Duration timeToLive,
            Workqueue<ResourceKey> queue) {
        this.client = client;
        this.clock = clock;
        this.timeToLive = timeToLive;
        queue.add(ALL_EVENTS);
    }

    @Override
    public Result reconcile(ResourceKey key) {
        Instant oldest = clock.instant().minus(timeToLive);
        ListOptions options = ListOptions.everything();
        ResourceList<Event> page = client.list(Event.KIND, options.page(PAGE, ""));
        expire(page.items(), oldest);
        while (page.hasMore()) {
            page = client.list(Event.KIND, options.page(PAGE, page.continueToken()));
            expire(page.items(), oldest);
        }
        Duration wait = timeToLive.dividedBy(10);
        return Result.requeueAfter(wait.compareTo(LONGEST_WAIT) < 0 ? wait : LONGEST_WAIT);
    }

    private void expire(List<Event> events, Instant oldest) {
        List<Write<Event>> deletions = new ArrayList<>();
        for (Event event : events) {
            if (lastTime(event).isBefore(oldest)) {
                deletions.add(
                        new Write.Delete<>(event.key(), DeleteOptions.ofState(event.metadata())));
            }
        }
        if (deletions.isEmpty()) {
            return;
        }
        try {
            client.writeAll(Event.KIND, deletions);
        } catch (ApiException e) {
            // One of them has just happened again or is gone. The others are deleted the next time.
            if (e.reason() != ErrorReason.NOT_FOUND && e.reason() != ErrorReason.CONFLICT) {
                throw e;
            }
        }
    }

    /** Returns the time of the last occurrence. An event without any time is never deleted. */
    private static Instant lastTime(Event event) {
        Event.Occurrences times = event.occurrences();
        @Nullable Instant created = event.metadata().creationTimestamp();
        Instant last = created == null ? Instant.MAX : created;
        if (times.lastTimestamp() != null) {
            last = times.lastTimestamp();
        } else if (times.eventTime() != null) {
            last = times.eventTime().instant();
        }
        return last;
    }
}
