package dev.orloj.runtime.session;

import dev.orloj.runtime.jsonrpc.JsonRpcException;
import dev.orloj.runtime.transport.RequestDeadline;
import dev.orloj.runtime.transport.RequestTimeoutException;
import dev.orloj.runtime.transport.Transport;
import dev.orloj.runtime.transport.TransportException;

import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * The wish to hear of changed lists, which a server of 2026-07-28 wants to be told
 * ("Subscriptions") and forgets when the connection ends. What changed before it was told again
 * nobody knows, so all lists count as changed then. Runs on a thread of its own until it is
 * interrupted, or the server will not have it.
 */
final class ListChanges implements Runnable {

    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

    /** As good as for ever, and still in nanoseconds. */
    private static final Duration PATIENCE = Duration.ofDays(365);

    private final Transport transport;
    private final Era era;
    private final AlarmClock clock;
    private final List<String> lists;
    private final Consumer<String> changed;

    /**
     * @param lists that are of interest, by the name of their capability
     * @param changed hears the method of the notification that a server would have sent
     */
    ListChanges(
            Transport transport,
            Era era,
            AlarmClock clock,
            List<String> lists,
            Consumer<String> changed) {
        this.transport = transport;
        this.era = era;
        this.clock = clock;
        this.lists = List.copyOf(lists);
        this.changed = changed;
    }

    @Override
    public void run() {
        Duration pause = FIRST_PAUSE;
        try {
            long began = clock.millis();
            while (transport.isOpen() && listen()) {
                boolean lasted = clock.millis() - began > LONGEST_PAUSE.toMillis();
                pause = lasted ? FIRST_PAUSE : pause;
                clock.await(pause);
                pause = pause.compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : LONGEST_PAUSE;
                began = clock.millis();
                lists.forEach(
                        list -> changed.accept("notifications/%s/list_changed".formatted(list)));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** False when it is no use to ask again. */
    private boolean listen() throws InterruptedException {
        ObjectNode params = JsonNodeFactory.instance.objectNode();
        ObjectNode wanted = params.putObject("notifications");
        lists.forEach(list -> wanted.put(list + "ListChanged", true));
        try {
            transport.request(
                    era.write("subscriptions/listen", params), RequestDeadline.after(PATIENCE));
            return true;
        } catch (JsonRpcException e) {
            return false;
        } catch (RequestTimeoutException | TransportException e) {
            return true;
        }
    }
}
