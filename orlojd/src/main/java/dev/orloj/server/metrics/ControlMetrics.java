package dev.orloj.server.metrics;

import dev.orloj.api.Condition;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.v1.McpServer;
import dev.orloj.controllers.ControlPlane;
import dev.orloj.controllers.control.Controller;
import dev.orloj.controllers.workqueue.Workqueue;
import dev.orloj.runtime.clock.Scheduler;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.BooleanSupplier;

/**
 * Exports the health of servers and the progress of the controllers. Exports conditions like
 * kube-state-metrics: one series for each status, exactly one of which is 1. Names of work queue
 * metrics are those of client-go. Thread-safe.
 */
public final class ControlMetrics {

    private static final Duration PERIOD = Duration.ofSeconds(5);

    private static final List<String> CONDITIONS =
            List.of(
                    McpServer.ACCEPTED,
                    McpServer.CONNECTED,
                    McpServer.TOOLS_SYNCED,
                    McpServer.READY);

    private final ControlPlane control;
    private final Scheduler clock;
    private final MultiGauge conditions;
    private final MultiGauge tools;
    private final MultiGauge suspended;

    /**
     * @param leads whether this replica is the leader
     */
    public ControlMetrics(
            MeterRegistry registry, ControlPlane control, BooleanSupplier leads, Scheduler clock) {
        this.control = control;
        this.clock = clock;
        this.conditions =
                MultiGauge.builder("orloj.server.condition")
                        .description("1 for the status that a condition of an McpServer has")
                        .register(registry);
        this.tools =
                MultiGauge.builder("orloj.server.tools")
                        .description("Tools that were made of an McpServer")
                        .register(registry);
        this.suspended =
                MultiGauge.builder("orloj.server.suspended")
                        .description("1 for an McpServer that its manifest suspends")
                        .register(registry);
        Gauge.builder("orloj.leader", () -> leads.getAsBoolean() ? 1 : 0)
                .description("1 at the replica that leads")
                .register(registry);
        control.controllers().forEach(controller -> observe(registry, controller));
    }

    private static void observe(MeterRegistry registry, Controller controller) {
        Workqueue<ResourceKey> queue = controller.queue();
        Tags name = Tags.of("name", controller.name());
        Gauge.builder("workqueue.depth", queue, Workqueue::size)
                .description("Keys that wait, delayed ones included")
                .tags(name)
                .register(registry);
        Gauge.builder("workqueue.oldest.age", queue, q -> q.oldestAge().toMillis() / 1e3)
                .description("How long the key that is due longest waits for a worker")
                .baseUnit("seconds")
                .tags(name)
                .register(registry);
        FunctionCounter.builder("workqueue.adds", queue, Workqueue::adds)
                .description("Keys that were added")
                .tags(name)
                .register(registry);
        FunctionCounter.builder("workqueue.retries", queue, Workqueue::retries)
                .description("Work that failed and is tried again")
                .tags(name)
                .register(registry);
        queue.reportTo(new WorkTimers(registry, name));
    }

    public void start() {
        refresh();
        clock.schedule(
                PERIOD, () -> Thread.ofVirtual().name("orloj-control-metrics").start(this::start));
    }

    private void refresh() {
        List<Row<?>> states = new ArrayList<>();
        List<Row<?>> counts = new ArrayList<>();
        List<Row<?>> suspensions = new ArrayList<>();
        for (McpServer server : control.servers()) {
            Tags tags =
                    Tags.of(
                            "namespace",
                            server.metadata().namespace(),
                            "server",
                            server.metadata().name());
            counts.add(Row.of(tags, server.status().toolCount()));
            suspensions.add(Row.of(tags, server.spec().suspension().isPresent() ? 1 : 0));
            for (Condition condition : server.status().conditions()) {
                if (CONDITIONS.contains(condition.type())) {
                    addStates(states, tags.and("condition", condition.type()), condition);
                }
            }
        }
        conditions.register(states, true);
        tools.register(counts, true);
        suspended.register(suspensions, true);
    }

    private static void addStates(List<Row<?>> rows, Tags tags, Condition condition) {
        for (Condition.Status status : Condition.Status.values()) {
            rows.add(
                    Row.of(
                            tags.and("status", status.name().toLowerCase(Locale.ROOT)),
                            status == condition.status() ? 1 : 0));
        }
    }
}
